// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_runner.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

namespace kiln::test {

Result<target::Image> compile_ir(const std::string& text, const target::CodegenOptions& options) {
  // A failed compilation leaks its module, and a module must not outlive its context: so does the context then.
  auto context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic problem;
  auto module = llvm::parseAssemblyString(text, problem, *context);
  if (!module)
    return Error{ErrorCode::invalid_argument,
                 problem.getMessage().str() + " in line " + std::to_string(problem.getLineNo())};
  KILN_ASSIGN(target::TargetId id, target::parse_target("host"));
  KILN_ASSIGN(target::Backend * backend, target::backend(id));
  auto image = backend->compile(std::move(module), options);
  if (!image)
    (void)context.release();
  return image;
}

Loaded::Loaded(const std::string& text, unsigned wave_size, unsigned opt_level)
    : device_(device::host::make_device(wave_size)) {
  target::CodegenOptions options;
  options.wave_size = wave_size;
  options.opt_level = opt_level;
  auto image = compile_ir(text, options);
  if (!image) {
    ADD_FAILURE() << image.error().message;
    return;
  }
  auto executable = device_->load(image->bytes, image->metadata, nullptr);
  if (!executable) {
    ADD_FAILURE() << executable.error().message;
    return;
  }
  executable_ = std::move(*executable);
  queue_ = std::move(*device_->create_queue());
}

Result<void> Loaded::launch(const std::string& kernel, device::Dim3 grid, device::Dim3 block, uint32_t dynamic_local,
                            Bytes arguments) {
  if (!executable_)
    return Error{ErrorCode::compile_failed, "not compiled"};
  KILN_ASSIGN(device::Kernel * found, executable_->kernel(kernel));
  device::Launch launch;
  launch.grid = grid;
  launch.block = block;
  launch.dynamic_local_memory = dynamic_local;
  launch.arguments = std::move(arguments);
  KILN_TRY(queue_->launch(*found, std::move(launch)));
  return queue_->synchronize();
}

} // namespace kiln::test
