// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU: kernels become functions of an ELF shared object (support/host_abi.h) that dlopen loads.
#include "target/host/host_backend.h"

#include "passes/fold_predicates.h"
#include "target/contain.h"
#include "target/diagnostics.h"
#include "target/emit.h"
#include "target/host/bfloat_helpers.h"
#include "target/host/host_metadata.h"
#include "target/host/host_pipeline.h"
#include "target/link.h"
#include "target/llvm_init.h"
#include "target/optimise.h"
#include "target/predicate.h"

#include <llvm/BinaryFormat/ELF.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include <map>

namespace kiln::target {
namespace {

#if defined(__aarch64__)
constexpr const char* host_triple = "aarch64-unknown-linux-gnu";
constexpr const char* emulation = "aarch64linux";
#else
constexpr const char* host_triple = "x86_64-unknown-linux-gnu";
constexpr const char* emulation = "elf_x86_64";
#endif

class HostBackend final : public Backend {
public:
  explicit HostBackend(const TargetId& target) : target_(target) {
    if (target.processor != "native") {
      processor_ = target.processor;
    } else {
      processor_ = llvm::sys::getHostCPUName().str();
      std::vector<std::string> names; // sorted, so that code does not depend on a hash table's order
      for (const auto& feature : llvm::sys::getHostCPUFeatures())
        names.push_back((feature.second ? "+" : "-") + feature.first().str());
      std::sort(names.begin(), names.end());
      for (const std::string& name : names)
        features_ += (features_.empty() ? "" : ",") + name;
    }
    data_layout_ = llvm::Triple(host_triple).computeDataLayout();
  }

  [[nodiscard]] std::string triple() const override { return host_triple; }
  [[nodiscard]] std::string data_layout() const override { return data_layout_; }
  [[nodiscard]] AddressSpaces address_spaces() const override { return host_address_spaces; }

  // It is no AMD processor and has none of their features.
  [[nodiscard]] bool predicate(std::string_view name) const override {
    return evaluate_predicate(
        name, [](llvm::StringRef processor) { return processor == "host"; }, [](llvm::StringRef) { return false; });
  }

  Result<Image> compile(std::unique_ptr<llvm::Module> module, const CodegenOptions& options) const override {
    unsigned wave_size = options.wave_size ? options.wave_size : 32;
    if (wave_size != 32 && wave_size != 64)
      return Error{ErrorCode::unsupported,
                   "the host device has no waves of " + std::to_string(wave_size) + " work-items, only of 32 and 64"};
    std::unique_ptr<llvm::TargetMachine>& machine = machines_[options.opt_level]; // kept, as making one takes its time
    if (!machine) {
      KILN_ASSIGN(machine, create_machine({Family::host, host_triple, processor_, features_, options.opt_level}));
    }
    std::string what = describe_kernels(*module) + " for " + target_.name();
    DiagnosticScope diagnostics(module->getContext());
    module->setTargetTriple(llvm::Triple(host_triple));
    module->setDataLayout(data_layout_);
    LoweredModule lowered;
    auto prepared = contain("compiling " + what, [&]() -> Result<void> {
      passes::fold_predicates(*module, [&](llvm::StringRef name) { return predicate(name); });
      KILN_ASSIGN(lowered, lower_for_host(*module, *machine, options, target_.name()));
      optimise(*module, *machine, options.opt_level);
      return {};
    });
    if (!prepared) {
      (void)module.release(); // perhaps in the middle of a change: not fit to be destroyed
      machines_.clear();
      return std::move(prepared.error());
    }
    Image image;
    image.metadata = host_metadata(lowered, std::string(host_triple) + "--" + target_.name(), wave_size);
    embed(*module, image.metadata);
    define_bfloat_helpers(*module);
    make_constants_writable(*module);
    auto object = emit(*module, *machine, options.output, what);
    if (!object) {
      (void)module.release();
      (void)machine.release();
      machines_.clear();
      return std::move(object.error());
    }
    if (auto reported = diagnostics.result(); !reported)
      return std::move(reported.error()).context(what);
    image.bytes = std::move(*object);
    if (options.output == Output::image) {
      // What code generation calls of libm, libgcc and libc stays undefined: the executor loads these for all images.
      static const std::string arguments[] = {"-m", emulation, "--hash-style=gnu", "-z", "now", "--build-id=none"};
      KILN_ASSIGN(image.bytes, link_shared(image.bytes, arguments));
    }
    return image;
  }

private:
  // As in AMD's code objects, so that whoever reads those reads this: an ELF note "AMDGPU" of type 32.
  static void embed(llvm::Module& module, ByteView metadata) {
    llvm::LLVMContext& context = module.getContext();
    auto number = [&](uint64_t value) { return llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value); };
    auto bytes = [&](std::string text) {
      text.resize(llvm::alignTo(text.size(), 4)); // with zeros
      return llvm::ConstantDataArray::getString(context, text, /*AddNull=*/false);
    };
    const std::string name("AMDGPU\0", 7);
    llvm::Constant* note = llvm::ConstantStruct::getAnon({number(name.size()), number(metadata.size()),
                                                          number(llvm::ELF::NT_AMDGPU_METADATA), bytes(name),
                                                          bytes(std::string(as_text(metadata)))});
    auto* variable = new llvm::GlobalVariable(module, note->getType(), true, llvm::GlobalValue::PrivateLinkage, note,
                                              "kiln.metadata");
    variable->setSection(".note.kiln");
    variable->setAlignment(llvm::Align(4));
  }

  // A __constant__ variable is constant for kernels, but the host writes it through its symbol: it must not lie in
  // pages that are read-only. The optimiser has run and has used what it knows.
  static void make_constants_writable(llvm::Module& module) {
    for (llvm::GlobalVariable& variable : module.globals())
      if (variable.isExternallyInitialized())
        variable.setConstant(false);
  }

  TargetId target_;
  std::string processor_, features_, data_layout_;
  mutable std::map<unsigned, std::unique_ptr<llvm::TargetMachine>> machines_; // by optimisation level
};

} // namespace

std::unique_ptr<Backend> make_host_backend(const TargetId& target) {
  return std::make_unique<HostBackend>(target);
}

} // namespace kiln::target
