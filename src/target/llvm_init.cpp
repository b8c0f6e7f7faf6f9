// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target/llvm_init.h"

#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/TargetParser/Triple.h>

#include <mutex>

namespace kiln::target {
namespace {

struct Registration {
  void (*info)();
  void (*target)();
  void (*mc)();
  void (*printer)();
  void (*parser)();
  std::once_flag once;
};

Registration& registration(Family family) {
  static Registration amdgpu{LLVMInitializeAMDGPUTargetInfo, LLVMInitializeAMDGPUTarget,
                             LLVMInitializeAMDGPUTargetMC,   LLVMInitializeAMDGPUAsmPrinter,
                             LLVMInitializeAMDGPUAsmParser,  {}};
  static Registration nvptx{LLVMInitializeNVPTXTargetInfo,
                            LLVMInitializeNVPTXTarget,
                            LLVMInitializeNVPTXTargetMC,
                            LLVMInitializeNVPTXAsmPrinter,
                            nullptr,
                            {}}; // PTX is text: inline assembly is passed on
#if defined(__aarch64__)
  static Registration host{LLVMInitializeAArch64TargetInfo, LLVMInitializeAArch64Target,
                           LLVMInitializeAArch64TargetMC,   LLVMInitializeAArch64AsmPrinter,
                           LLVMInitializeAArch64AsmParser,  {}};
#else
  static Registration host{LLVMInitializeX86TargetInfo, LLVMInitializeX86Target,    LLVMInitializeX86TargetMC,
                           LLVMInitializeX86AsmPrinter, LLVMInitializeX86AsmParser, {}};
#endif
  switch (family) {
  case Family::amdgpu:
    return amdgpu;
  case Family::nvptx:
    return nvptx;
  case Family::host:
    break;
  }
  return host;
}

llvm::CodeGenOptLevel codegen_level(unsigned level) {
  static constexpr llvm::CodeGenOptLevel levels[] = {llvm::CodeGenOptLevel::None, llvm::CodeGenOptLevel::Less,
                                                     llvm::CodeGenOptLevel::Default, llvm::CodeGenOptLevel::Aggressive};
  return levels[std::min(level, 3U)];
}

} // namespace

void register_llvm_target(Family family) {
  Registration& entry = registration(family);
  std::call_once(entry.once, [&] {
    for (auto* step : {entry.info, entry.target, entry.mc, entry.printer, entry.parser})
      if (step)
        step();
  });
}

Result<std::unique_ptr<llvm::TargetMachine>> create_machine(const MachineOptions& options) {
  register_llvm_target(options.family);
  llvm::Triple triple(options.triple);
  std::string problem;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, problem);
  if (!target)
    return Error{ErrorCode::unsupported, "this LLVM has no code generator for '" + options.triple + "': " + problem};
  llvm::TargetOptions settings;
  settings.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  settings.EmitAddrsig = options.family != Family::nvptx; // for lld; ptxas does not know it
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(triple, options.processor, options.features,
                                                                           settings, llvm::Reloc::PIC_, std::nullopt,
                                                                           codegen_level(options.opt_level)));
  if (!machine)
    return Error{ErrorCode::unsupported, "this LLVM cannot generate code for '" + options.processor + "'"};
  return machine;
}

} // namespace kiln::target
