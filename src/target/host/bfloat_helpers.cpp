// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target/host/bfloat_helpers.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

namespace kiln::target {
using namespace llvm;

namespace {

bool uses_bfloat(const Module& module) {
  auto is_bfloat = [](const Type* type) { return type->getScalarType()->isBFloatTy(); };
  for (const Function& function : module)
    for (const Instruction& instruction : instructions(function))
      if (is_bfloat(instruction.getType()) ||
          any_of(instruction.operands(), [&](const Use& operand) { return is_bfloat(operand->getType()); }))
        return true;
  return false;
}

Function* define(Module& module, StringRef name, Type* from) {
  IRBuilder<> b(module.getContext());
  auto* type = FunctionType::get(b.getBFloatTy(), {from}, false);
  Function* function = Function::Create(type, GlobalValue::WeakAnyLinkage, name, module);
  function->setVisibility(GlobalValue::HiddenVisibility);
  b.SetInsertPoint(BasicBlock::Create(module.getContext(), "", function));
  return function;
}

// Round to nearest even by adding half of what is cut off; NaN stays NaN.
Value* round_to_bfloat(IRBuilder<>& b, Value* x) {
  Value* bits = b.CreateBitCast(x, b.getInt32Ty());
  Value* odd = b.CreateAnd(b.CreateLShr(bits, 16), 1);
  Value* rounded = b.CreateAdd(bits, b.CreateAdd(odd, b.getInt32(0x7fff)));
  Value* quiet = b.CreateOr(bits, b.getInt32(0x400000));
  Value* chosen = b.CreateSelect(b.CreateFCmpUNO(x, x), quiet, rounded);
  return b.CreateBitCast(b.CreateTrunc(b.CreateLShr(chosen, 16), b.getInt16Ty()), b.getBFloatTy());
}

} // namespace

void define_bfloat_helpers(Module& module) {
  if (!uses_bfloat(module))
    return;
  IRBuilder<> b(module.getContext());
  if (!module.getFunction("__truncsfbf2")) {
    Function* single = define(module, "__truncsfbf2", b.getFloatTy());
    b.SetInsertPoint(&single->getEntryBlock());
    b.CreateRet(round_to_bfloat(b, single->getArg(0)));
  }
  if (!module.getFunction("__truncdfbf2")) {
    Function* wide = define(module, "__truncdfbf2", b.getDoubleTy());
    b.SetInsertPoint(&wide->getEntryBlock());
    // To float, rounded to odd, so that rounding twice is rounding once.
    Value* x = wide->getArg(0);
    Value* near = b.CreateFPTrunc(x, b.getFloatTy());
    Value* back = b.CreateFPExt(near, b.getDoubleTy());
    Value* bits = b.CreateBitCast(near, b.getInt32Ty());
    Value* beyond =
        b.CreateFCmpOGT(b.CreateUnaryIntrinsic(Intrinsic::fabs, back), b.CreateUnaryIntrinsic(Intrinsic::fabs, x));
    Value* toward_zero = b.CreateSub(bits, b.CreateZExt(beyond, b.getInt32Ty()));
    Value* inexact = b.CreateFCmpONE(back, x);
    Value* odd = b.CreateOr(toward_zero, b.CreateZExt(inexact, b.getInt32Ty()));
    b.CreateRet(round_to_bfloat(b, b.CreateBitCast(odd, b.getFloatTy())));
  }
}

} // namespace kiln::target
