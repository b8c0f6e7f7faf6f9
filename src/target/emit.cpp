// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target/emit.h"

#include "target/contain.h"
#include "target/diagnostics.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

namespace kiln::target {
namespace {

Bytes to_bytes(llvm::StringRef text) {
  auto view = as_bytes(std::string_view(text.data(), text.size()));
  return {view.begin(), view.end()};
}

// A node of the selection graph, "0x7fb0: i32 = AMDGPUISD::SETCC 0x7fb8, Constant:i32<1>", without the addresses.
std::string node_text(llvm::StringRef node) {
  auto [address, rest] = node.split(": ");
  auto [type, operation] = (address.trim().starts_with("0x") ? rest : node).split(" = ");
  if (operation.empty())
    return node.trim().str();
  return operation.take_until([](char c) { return c == ' '; }).str() + " of type " + type.trim().str();
}

// Instruction selection says "Cannot select: intrinsic %llvm.amdgcn.x.y" and not where. Finds a kernel that uses it.
Error explain(Error error, const llvm::Module& module, const llvm::TargetMachine& machine) {
  llvm::StringRef text = error.message;
  std::string processor = machine.getTargetCPU().str();
  if (auto [before, after] = text.split("Cannot select: intrinsic %"); !after.empty()) {
    llvm::StringRef name = after.take_while([](char c) { return c != '\n' && c != ' '; });
    std::string where = describe_kernels(module);
    for (const llvm::Function& function : module)
      for (const llvm::Instruction& instruction : llvm::instructions(function))
        if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
            call && call->getCalledFunction()->getName().starts_with(name))
          where = describe(function);
    return Error{ErrorCode::unsupported, where + " uses " + name.str() + ", which " + processor +
                                             " does not have; guard it with __builtin_amdgcn_is_invocable or "
                                             "__builtin_amdgcn_processor_is"};
  }
  if (auto [before, after] = text.split("Cannot select: "); !after.empty()) {
    auto [node, function] = after.split("\nIn function: ");
    return Error{ErrorCode::unsupported, "kernel '" + function.trim().str() + "' uses an operation that " + processor +
                                             " cannot do: " + node_text(node.split('\n').first)};
  }
  return error;
}

} // namespace

Result<Bytes> emit(llvm::Module& module, llvm::TargetMachine& machine, Output output, const std::string& what) {
  llvm::SmallString<0> buffer;
  if (output == Output::llvm_ir) {
    llvm::raw_svector_ostream stream(buffer);
    module.print(stream, nullptr);
    return to_bytes(buffer);
  }
  bool possible = true;
  auto generated = contain("generating code for " + what, [&]() -> Result<void> {
    llvm::raw_svector_ostream stream(buffer);
    llvm::legacy::PassManager passes;
    passes.add(new llvm::TargetLibraryInfoWrapperPass(llvm::TargetLibraryInfoImpl(module.getTargetTriple())));
    passes.add(llvm::createTargetTransformInfoWrapperPass(machine.getTargetIRAnalysis()));
    auto kind = output == Output::assembly ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile;
    possible = !machine.addPassesToEmitFile(passes, stream, nullptr, kind, /*DisableVerify=*/true);
    if (possible)
      passes.run(module);
    return {};
  });
  if (!generated)
    return explain(std::move(generated.error()), module, machine);
  if (!possible)
    return Error{ErrorCode::unsupported, "this LLVM cannot write " +
                                             std::string(output == Output::assembly ? "assembly" : "objects") +
                                             " for '" + machine.getTargetTriple().str() + "'"};
  return to_bytes(buffer);
}

} // namespace kiln::target
