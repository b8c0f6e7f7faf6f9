// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target/amdgpu/amdgpu_backend.h"

#include "passes/drop_target_attributes.h"
#include "passes/fold_predicates.h"
#include "passes/math_library.h"
#include "target/amdgpu/check_intrinsics.h"
#include "target/amdgpu/metadata_note.h"
#include "target/amdgpu/prepare.h"
#include "target/contain.h"
#include "target/devlib.h"
#include "target/diagnostics.h"
#include "target/emit.h"
#include "target/globals.h"
#include "target/link.h"
#include "target/llvm_init.h"
#include "target/optimise.h"
#include "target/predicate.h"
#include "target/processors.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/TargetParser.h>
#include <llvm/TargetParser/Triple.h>

#include <map>

namespace kiln::target {
namespace {

constexpr const char* amdgpu_triple = "amdgcn-amd-amdhsa";

bool is_kernel(const llvm::Function& function) {
  return function.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL;
}

class AmdgpuBackend final : public Backend {
public:
  explicit AmdgpuBackend(const TargetId& target)
      : target_(target), processor_(*find_amd_processor(target.processor)),
        data_layout_(llvm::Triple(amdgpu_triple).computeDataLayout()) {
    llvm::AMDGPU::fillAMDGPUFeatureMap(processor_.name, llvm::Triple(amdgpu_triple), features_);
  }

  [[nodiscard]] std::string triple() const override { return amdgpu_triple; }
  [[nodiscard]] std::string data_layout() const override { return data_layout_; }
  [[nodiscard]] AddressSpaces address_spaces() const override { return amdgpu_address_spaces; }

  [[nodiscard]] bool predicate(std::string_view name) const override {
    // A generic target runs on several processors, so it is none of them; its features are those that all of them have.
    return evaluate_predicate(
        name, [&](llvm::StringRef processor) { return processor == target_.processor; },
        [&](llvm::StringRef feature) { return features_.lookup(feature); });
  }

  Result<Image> compile(std::unique_ptr<llvm::Module> module, const CodegenOptions& asked) const override {
    CodegenOptions options = asked;
    if (processor_.generic == processor_.name) // generic targets exist from version 6 on
      options.code_object_version = std::max(options.code_object_version, 6U);
    KILN_ASSIGN(unsigned wave_size, choose_wave_size(options.wave_size));
    if (options.code_object_version != 5 && options.code_object_version != 6)
      return Error{ErrorCode::unsupported, "code object version " + std::to_string(options.code_object_version) +
                                               " cannot be made; use 5 or 6"};
    KILN_ASSIGN(llvm::TargetMachine * machine, this->machine(wave_size, options.opt_level));
    std::string what = describe_kernels(*module) + " for " + target_.name();
    DiagnosticScope diagnostics(module->getContext());
    KILN_TRY(contain("preparing " + what, [&] { return lower(*module, wave_size, options); }));
    auto optimised = contain("optimising " + what, [&]() -> Result<void> {
      optimise(*module, *machine, options.opt_level);
      return {};
    });
    if (!optimised) {
      machines_.clear(); // what a crash left in them is not known
      return std::move(optimised.error());
    }
    auto object = emit(*module, *machine, options.output, what);
    if (!object) {
      (void)module.release(); // half-way through code generation it may not be fit to be destroyed
      for (auto& [key, used] : machines_)
        (void)used.release();
      machines_.clear();
      return std::move(object.error());
    }
    if (auto reported = diagnostics.result(); !reported)
      return std::move(reported.error()).context(what);
    return finish(std::move(*object), options.output);
  }

private:
  Result<unsigned> choose_wave_size(unsigned asked) const {
    unsigned own = processor_.waves == Waves::only_64 ? 64 : 32;
    if (asked == 0 || asked == own)
      return own;
    if (processor_.waves == Waves::both && asked == 64)
      return asked;
    return Error{ErrorCode::unsupported, target_.name() + " has no waves of " + std::to_string(asked) +
                                             " work-items, only of " +
                                             (processor_.waves == Waves::both ? "32 and 64" : std::to_string(own))};
  }

  // Machines are kept: making one costs up to a millisecond.
  Result<llvm::TargetMachine*> machine(unsigned wave_size, unsigned opt_level) const {
    auto& entry = machines_[{wave_size, opt_level}];
    if (!entry) {
      std::string features;
      if (processor_.waves == Waves::both)
        features = wave_size == 64 ? "+wavefrontsize64" : "+wavefrontsize32";
      for (const std::string& setting : target_.settings)
        features += std::string(features.empty() ? "" : ",") + setting.back() + setting.substr(0, setting.size() - 1);
      KILN_ASSIGN(entry, create_machine({Family::amdgpu, amdgpu_triple, target_.processor, features, opt_level}));
    }
    return entry.get();
  }

  // Everything between the reader and LLVM's optimiser, in order.
  Result<void> lower(llvm::Module& module, unsigned wave_size, const CodegenOptions& options) const {
    module.setTargetTriple(llvm::Triple(amdgpu_triple));
    module.setDataLayout(data_layout_);
    passes::drop_target_attributes(module);
    // First, so that what only other devices can do is gone before anything looks at it.
    passes::fold_predicates(module, [&](llvm::StringRef name) { return predicate(name); });
    prepare_amdgpu(module, {options.code_object_version, processor_.slow_f32_denormals});
    KILN_TRY(settle_globals(module, amdgpu_address_spaces, options.define_globals));
    internalise(module, is_kernel); // and so drop what is not reached: less to link for
    KILN_TRY(check_amdgpu_intrinsics(module, processor_, [&](llvm::StringRef feature) {
      return feature == "wavefrontsize32"   ? wave_size == 32
             : feature == "wavefrontsize64" ? wave_size == 64
                                            : features_.lookup(feature);
    }));
    passes::call_math_library(module, passes::MathTarget::amdgpu);
    KILN_TRY(link_device_library(module, {.form = "amdgcn",
                                          .isa_version = processor_.isa_version,
                                          .wave_size = wave_size,
                                          .abi_version = options.code_object_version * 100,
                                          .flush_denormals = processor_.slow_f32_denormals}));
    mark_printf_use(module);
    KILN_TRY(check_no_undefined_functions(module));
    std::string problem;
    llvm::raw_string_ostream stream(problem);
    if (llvm::verifyModule(module, &stream))
      return Error{ErrorCode::compile_failed, "invalid code before optimisation: " + problem};
    return {};
  }

  Result<Image> finish(Bytes object, Output output) const {
    Image image;
    if (output == Output::assembly || output == Output::llvm_ir) {
      image.bytes = std::move(object);
      return image;
    }
    if (output == Output::image) {
      static const std::string arguments[] = {"-m", "elf64_amdgpu"};
      KILN_ASSIGN(image.bytes, link_shared(object, arguments));
    } else {
      image.bytes = std::move(object);
    }
    KILN_ASSIGN(image.metadata, metadata_note(image.bytes));
    return image;
  }

  TargetId target_;
  const AmdProcessor& processor_;
  std::string data_layout_;
  llvm::StringMap<bool> features_;
  mutable std::map<std::pair<unsigned, unsigned>, std::unique_ptr<llvm::TargetMachine>> machines_;
};

} // namespace

std::unique_ptr<Backend> make_amdgpu_backend(const TargetId& target) {
  return std::make_unique<AmdgpuBackend>(target);
}

} // namespace kiln::target
