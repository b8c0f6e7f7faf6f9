// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target/nvptx/nvptx_backend.h"

#include "passes/amdgcn_intrinsics.h"
#include "passes/drop_target_attributes.h"
#include "passes/fold_predicates.h"
#include "passes/math_library.h"
#include "target/contain.h"
#include "target/devlib.h"
#include "target/diagnostics.h"
#include "target/emit.h"
#include "target/globals.h"
#include "target/llvm_init.h"
#include "target/metadata_writer.h"
#include "target/nvptx/prepare.h"
#include "target/optimise.h"
#include "target/predicate.h"

#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <map>

namespace kiln::target {
namespace {

constexpr const char* nvptx_triple = "nvptx64-nvidia-cuda";

bool is_kernel(const llvm::Function& function) {
  return function.getCallingConv() == llvm::CallingConv::PTX_Kernel;
}

class NvptxBackend final : public Backend {
public:
  explicit NvptxBackend(const TargetId& target)
      : target_(target), data_layout_(llvm::Triple(nvptx_triple).computeDataLayout()) {}

  [[nodiscard]] std::string triple() const override { return nvptx_triple; }
  [[nodiscard]] std::string data_layout() const override { return data_layout_; }
  [[nodiscard]] AddressSpaces address_spaces() const override { return nvptx_address_spaces; }

  [[nodiscard]] bool predicate(std::string_view name) const override {
    // The features that predicates name are AMD's.
    return evaluate_predicate(
        name, [&](llvm::StringRef processor) { return processor == target_.processor; },
        [](llvm::StringRef) { return false; });
  }

  Result<Image> compile(std::unique_ptr<llvm::Module> module, const CodegenOptions& options) const override {
    if (options.wave_size != 0 && options.wave_size != 32)
      return Error{ErrorCode::unsupported, target_.name() + " has no waves of " + std::to_string(options.wave_size) +
                                               " work-items, only of 32"};
    auto& machine = machines_[options.opt_level];
    if (!machine) {
      KILN_ASSIGN(machine,
                  create_machine({Family::nvptx, nvptx_triple, target_.processor, ptx_version(), options.opt_level}));
    }
    std::string what = describe_kernels(*module) + " for " + target_.name();
    DiagnosticScope diagnostics(module->getContext());
    Image image;
    KILN_TRY(contain("preparing " + what, [&] { return lower(*module, options, image.metadata); }));
    auto optimised = contain("optimising " + what, [&]() -> Result<void> {
      optimise(*module, *machine, options.opt_level);
      return {};
    });
    if (!optimised) {
      machines_.clear();
      return std::move(optimised.error());
    }
    Output output = options.output == Output::llvm_ir ? Output::llvm_ir : Output::assembly; // PTX is what is loaded
    auto text = emit(*module, *machine, output, what);
    if (!text) {
      (void)module.release(); // half-way through code generation it may not be fit to be destroyed
      (void)machine.release();
      machines_.clear();
      return std::move(text.error());
    }
    if (auto reported = diagnostics.result(); !reported)
      return std::move(reported.error()).context(what);
    image.bytes = std::move(*text);
    return image;
  }

private:
  // LLVM writes the oldest version of PTX that has the processor. Volta's knows no activemask, which came with 6.2; 6.3
  // is that of CUDA 10.
  [[nodiscard]] const char* ptx_version() const {
    return target_.processor == "sm_70" || target_.processor == "sm_72" ? "+ptx63" : "";
  }

  // Everything between the reader and LLVM's optimiser, in order.
  Result<void> lower(llvm::Module& module, const CodegenOptions& options, Bytes& metadata) const {
    module.setTargetTriple(llvm::Triple(nvptx_triple));
    module.setDataLayout(data_layout_);
    auto decide = [&](llvm::StringRef name) { return predicate(name); };
    passes::drop_target_attributes(module);
    passes::fold_predicates(module, decide);
    KILN_TRY(prepare_nvptx_kernels(module));
    KILN_TRY(settle_globals(module, nvptx_address_spaces, options.define_globals));
    internalise(module, is_kernel);
    passes::call_math_library(module, passes::MathTarget::nvptx);
    define_printf_buffer(module); // before the library, which brings one for AMD
    KILN_TRY(link_device_library(module, {.form = "nvptx", .isa_version = portable_isa_version, .wave_size = 32}));
    // The library asks which AMD processor it is for; now that it knows, the paths of others go.
    passes::fold_predicates(module, decide);
    internalise(module, is_kernel);
    KILN_TRY(passes::lower_amdgcn_intrinsics(module, {passes::IntrinsicTarget::nvptx, 32, target_.name()}));
    drop_unused_printf_buffer(module);
    KILN_TRY(check_no_undefined_functions(module));
    KILN_TRY(reach_variables_by_address(module));
    rename_sync_scopes(module);
    metadata = write_metadata(module); // with the names of the source
    rename_for_ptx(module);
    std::string problem;
    llvm::raw_string_ostream stream(problem);
    if (llvm::verifyModule(module, &stream))
      return Error{ErrorCode::compile_failed, "invalid code before optimisation: " + problem};
    return {};
  }

  static void drop_unused_printf_buffer(llvm::Module& module) {
    if (llvm::GlobalVariable* buffer = module.getGlobalVariable(nvptx_printf_buffer); buffer && buffer->use_empty())
      buffer->eraseFromParent();
  }

  Bytes write_metadata(const llvm::Module& module) const {
    std::vector<KernelDescription> kernels;
    for (const llvm::Function& function : module)
      if (is_kernel(function)) {
        kernels.push_back(describe_kernel(function, nvptx_address_spaces.local));
        std::replace(kernels.back().symbol.begin(), kernels.back().symbol.end(), '.', '$');
      }
    return write_kernel_metadata(std::string(nvptx_triple) + "--" + target_.name(), kernels);
  }

  TargetId target_;
  std::string data_layout_;
  mutable std::map<unsigned, std::unique_ptr<llvm::TargetMachine>> machines_;
};

} // namespace

std::unique_ptr<Backend> make_nvptx_backend(const TargetId& target) {
  return std::make_unique<NvptxBackend>(target);
}

} // namespace kiln::target
