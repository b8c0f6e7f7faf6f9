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
  __KILN_COMPLEX_FUNCTION T Creal(C __z) {                                                                             \
    return __z.x;                                                                                                      \
  }                                                                                                                    \
  __KILN_COMPLEX_FUNCTION T Cimag(C __z) {                                                                             \
    return __z.y;                                                                                                      \
  }                                                                                                                    \
  __KILN_COMPLEX_FUNCTION C Make(T __re, T __im) {                                                                     \
    C __z;                                                                                                             \
    __z.x = __re;                                                                                                      \
    __z.y = __im;                                                                                                      \
    return __z;                                                                                                        \
  }                                                                                                                    \
  __KILN_COMPLEX_FUNCTION C Conj(C __z) {                                                                              \
    return Make(__z.x, -__z.y);                                                                                        \
  }                                                                                                                    \
  __KILN_COMPLEX_FUNCTION T Square(C __z) {                                                                            \
    return __z.x * __z.x + __z.y * __z.y;                                                                              \
  }                                                                                                                    \
  __KILN_COMPLEX_FUNCTION C Add(C __a, C __b) {                                                                        \
    return Make(__a.x + __b.x, __a.y + __b.y);                                                                         \
  }                                                                                                                    \
  __KILN_COMPLEX_FUNCTION C Sub(C __a, C __b) {                                                                        \
    return Make(__a.x - __b.x, __a.y - __b.y);                                                                         \
  }                                                                                                                    \
  __KILN_COMPLEX_FUNCTION C Mul(C __a, C __b) {                                                                        \
    return Make(__a.x * __b.x - __a.y * __b.y, __a.y * __b.x + __a.x * __b.y);                                         \
  }                                                                                                                    \
  __KILN_COMPLEX_FUNCTION C Div(C __a, C __b) {                                                                        \
    T __square = Square(__b);                                                                                          \
    return Make((__a.x * __b.x + __a.y * __b.y) / __square, (__a.y * __b.x - __a.x * __b.y) / __square);               \
  }                                                                                                                    \
  __KILN_COMPLEX_FUNCTION T Abs(C __z) {                                                                               \
    return square_root(Square(__z));                                                                                   \
  }                                                                                                                    \
  __KILN_COMPLEX_FUNCTION C Fma(C __a, C __b, C __c) {                                                                 \
    return Make(__a.x * __b.x + __c.x - __a.y * __b.y, __a.y * __b.x + __c.y + __a.x * __b.y);                         \
  }
__KILN_COMPLEX(hipFloatComplex, float, sqrtf, hipCrealf, hipCimagf, hipConjf, hipCabsf, hipCsqabsf,
               make_hipFloatComplex, hipCaddf, hipCsubf, hipCmulf, hipCdivf, hipCfmaf)
__KILN_COMPLEX(hipDoubleComplex, double, sqrt, hipCreal, hipCimag, hipConj, hipCabs, hipCsqabs, make_hipDoubleComplex,
               hipCadd, hipCsub, hipCmul, hipCdiv, hipCfma)
#undef __KILN_COMPLEX

__KILN_COMPLEX_FUNCTION hipComplex make_hipComplex(float __re, float __im) {
  return make_hipFloatComplex(__re, __im);
}
__KILN_COMPLEX_FUNCTION hipFloatComplex hipComplexDoubleToFloat(hipDoubleComplex __z) {
  return make_hipFloatComplex((float)__z.x, (float)__z.y);
}
__KILN_COMPLEX_FUNCTION hipDoubleComplex hipComplexFloatToDouble(hipFloatComplex __z) {
  return make_hipDoubleComplex(__z.x, __z.y);
}
#endif
#endif
