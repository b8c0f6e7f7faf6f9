/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libkiln-compiler.so: SPIR-V to machine code for one device. The C interface between the runtime, which has no LLVM,
 * and the compiler, which it loads when something must be compiled. All functions are thread-safe.
 */
#ifndef KILN_COMPILER_H
#define KILN_COMPILER_H

#include <kiln/api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What of the module is compiled. */
typedef enum kiln_compile_unit {
  KILN_UNIT_KERNEL = 0, /* one kernel and what it reaches; the module's global variables are referred to, not defined */
  KILN_UNIT_GLOBALS = 1, /* the module's global variables alone, defined and initialised */
  KILN_UNIT_MODULE = 2   /* everything in one image, self-contained, as an ahead-of-time compiler makes it */
} kiln_compile_unit;

typedef enum kiln_compile_output {
  KILN_OUTPUT_IMAGE = 0,    /* loadable: AMD code object (ELF), host ELF shared object, PTX text */
  KILN_OUTPUT_OBJECT = 1,   /* relocatable ELF (PTX text on NVIDIA) */
  KILN_OUTPUT_ASSEMBLY = 2, /* text */
  KILN_OUTPUT_LLVM_IR = 3   /* text, after the target's optimiser */
} kiln_compile_output;

typedef enum kiln_compile_status {
  KILN_COMPILE_OK = 0,
  KILN_COMPILE_INVALID_MODULE = 1,
  KILN_COMPILE_UNSUPPORTED = 2,
  KILN_COMPILE_NOT_FOUND = 3, /* no such kernel, or unknown target */
  KILN_COMPILE_FAILED = 4,
  KILN_COMPILE_INVALID_ARGUMENT = 5
} kiln_compile_status;

typedef struct kiln_compile_request {
  size_t struct_size;    /* sizeof(kiln_compile_request) */
  const uint32_t* words; /* a whole SPIR-V module; host byte order */
  size_t word_count;
  const char* kernel; /* entry point name; needed for KILN_UNIT_KERNEL, else NULL */
  const char* target; /* "gfx942", "gfx942:sramecc+:xnack-", "gfx12-generic", "host", "host:x86-64-v3", "sm_90" */
  kiln_compile_unit unit;
  kiln_compile_output output;
  uint32_t wave_size;           /* 0: the target's own; else 32 or 64 where the target has both */
  uint32_t opt_level;           /* 0..3 */
  uint32_t code_object_version; /* AMD only: 5 or 6; 0: 5 */
} kiln_compile_request;

typedef struct kiln_compile_result {
  kiln_compile_status status;
  const char* message; /* one sentence when status is not OK, else "" */
  const uint8_t* image;
  size_t image_size;
  const uint8_t* metadata; /* msgpack in the form of AMD's code object metadata (amdhsa.kernels...), for every target */
  size_t metadata_size;
} kiln_compile_result;

/* Compiles; never returns NULL. The result belongs to the caller, who frees it with kiln_compile_result_free. */
KILN_API kiln_compile_result* kiln_compile(const kiln_compile_request* request);
KILN_API void kiln_compile_result_free(kiln_compile_result* result);

/* A string that changes whenever the compiler could produce different code: part of every cache key. */
KILN_API const char* kiln_compiler_build_id(void);

/* The targets that kiln_compile accepts, a NULL-terminated array of canonical names. */
KILN_API const char* const* kiln_compiler_targets(void);

#ifdef __cplusplus
}
#endif
#endif
