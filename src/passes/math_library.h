// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's mathematical intrinsics (llvm.exp.f32, llvm.pow.f64, ...) that a device has no instruction for. Left alone
// they would become calls of the C library, which GPUs do not have and whose accuracy and speed on the CPU are not
// ours; so they become calls of the device library, by one table (math_library.inc). What every device does itself
// (sqrt, fma, floor, fabs, minnum,
// ...) is not touched.
#pragma once

namespace llvm {
class Module;
}

namespace kiln::passes {

enum class MathTarget { amdgpu, host, nvptx };

// Before the device library is linked, as it declares the functions to link. Vectors are taken apart; bfloat is
// computed in float. On NVIDIA, calls that allow approximations (afn) become the approximate instructions. Also run
// over the library itself when it is built, as AMD's uses log2 and exp2.
void call_math_library(llvm::Module& module, MathTarget target);

// ldexp and frexp in integer operations, for the host: LLVM has only calls of libm for them, one a work-item.
void expand_exponent_intrinsics(llvm::Module& module);

} // namespace kiln::passes
