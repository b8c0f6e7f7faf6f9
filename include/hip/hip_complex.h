/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Complex numbers of HIP: a float2 or a double2, real part in x, imaginary part in y. */
#ifndef HIP_COMPLEX_H
#define HIP_COMPLEX_H

#include <hip/hip_runtime.h>

typedef float2 hipFloatComplex;
typedef double2 hipDoubleComplex;
typedef hipFloatComplex hipComplex;

#ifdef __cplusplus
#define __KILN_COMPLEX_FUNCTION __host__ __device__ static inline

#define __KILN_COMPLEX(C, T, square_root, Creal, Cimag, Conj, Abs, Square, Make, Add, Sub, Mul, Div, Fma)              \
  __KILN_COMPLEX_FUNCTION T Creal(C z) {                                                                               \
    return z.x;                                                                                                        \
  }                                                                                                                    \
  __KILN_COMPLEX_FUNCTION T Cimag(C z) {                                                                               \
    return z.y;                                                                                                        \
  }                                                                                                                    \
  __KILN_COMPLEX_FUNCTION C Make(T real, T imaginary) {                                                                \
    C z;                                                                                                               \
    z.x = real;                                                                                                        \
    z.y = imaginary;                                                                                                   \
    return z;                                                                                                          \
  }                                                                                                                    \
  __KILN_COMPLEX_FUNCTION C Conj(C z) {                                                                                \
    return Make(z.x, -z.y);                                                                                            \
  }                                                                                                                    \
  __KILN_COMPLEX_FUNCTION T Square(C z) {                                                                              \
    return z.x * z.x + z.y * z.y;                                                                                      \
  }                                                                                                                    \
  __KILN_COMPLEX_FUNCTION C Add(C a, C b) {                                                                            \
    return Make(a.x + b.x, a.y + b.y);                                                                                 \
  }                                                                                                                    \
  __KILN_COMPLEX_FUNCTION C Sub(C a, C b) {                                                                            \
    return Make(a.x - b.x, a.y - b.y);                                                                                 \
  }                                                                                                                    \
  __KILN_COMPLEX_FUNCTION C Mul(C a, C b) {                                                                            \
    return Make(a.x * b.x - a.y * b.y, a.y * b.x + a.x * b.y);                                                         \
  }                                                                                                                    \
  __KILN_COMPLEX_FUNCTION C Div(C a, C b) {                                                                            \
    T square = Square(b);                                                                                              \
    return Make((a.x * b.x + a.y * b.y) / square, (a.y * b.x - a.x * b.y) / square);                                   \
  }                                                                                                                    \
  __KILN_COMPLEX_FUNCTION T Abs(C z) {                                                                                 \
    return square_root(Square(z));                                                                                     \
  }                                                                                                                    \
  __KILN_COMPLEX_FUNCTION C Fma(C a, C b, C c) {                                                                       \
    return Make(a.x * b.x + c.x - a.y * b.y, a.y * b.x + c.y + a.x * b.y);                                             \
  }
__KILN_COMPLEX(hipFloatComplex, float, sqrtf, hipCrealf, hipCimagf, hipConjf, hipCabsf, hipCsqabsf,
               make_hipFloatComplex, hipCaddf, hipCsubf, hipCmulf, hipCdivf, hipCfmaf)
__KILN_COMPLEX(hipDoubleComplex, double, sqrt, hipCreal, hipCimag, hipConj, hipCabs, hipCsqabs, make_hipDoubleComplex,
               hipCadd, hipCsub, hipCmul, hipCdiv, hipCfma)
#undef __KILN_COMPLEX

__KILN_COMPLEX_FUNCTION hipComplex make_hipComplex(float real, float imaginary) {
  return make_hipFloatComplex(real, imaginary);
}
__KILN_COMPLEX_FUNCTION hipFloatComplex hipComplexDoubleToFloat(hipDoubleComplex z) {
  return make_hipFloatComplex((float)z.x, (float)z.y);
}
__KILN_COMPLEX_FUNCTION hipDoubleComplex hipComplexFloatToDouble(hipFloatComplex z) {
  return make_hipDoubleComplex(z.x, z.y);
}
#endif
#endif
