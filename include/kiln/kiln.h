/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libkiln: run portable GPU modules (SPIR-V, offload bundles) on whatever device is there. A kernel is compiled for a
 * device when it is first asked for there; see docs for the whole picture. HIP programs need nothing of this:
 * libkiln-hip is another face of the same runtime, and both may be used in one program.
 *
 * Rules for all functions, since 0.1 where nothing else is said:
 * - Thread-safe, unless a handle is destroyed while another thread uses it.
 * - They return KILN_OK or say why not; kiln_last_error_message() then holds one sentence for a person.
 * - Sizes and offsets are in bytes. Strings are UTF-8 and end with 0.
 * - Handles are opaque; who gets one from a create or load function owns it and gives it back to destroy or release.
 *   Devices and kernels are not owned: devices live as long as the process, kernels as long as their module.
 * - Structures that the caller provides begin with struct_size, which the caller sets to sizeof(the structure): newer
 *   libraries fill only what an older caller knows.
 */
#ifndef KILN_KILN_H
#define KILN_KILN_H

#include <kiln/api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum kiln_status {
  KILN_OK = 0,
  KILN_INVALID_ARGUMENT = 1,
  KILN_INVALID_MODULE = 2, /* the bytes are not a module, or a damaged one */
  KILN_UNSUPPORTED = 3,
  KILN_NOT_FOUND = 4,
  KILN_IO = 5,
  KILN_COMPILE_ERROR = 6,
  KILN_LAUNCH_FAILED = 7, /* a kernel faulted; its device is unusable until kiln_device_reset */
  KILN_ASSERT_FAILED = 8, /* a device-side assert(); as above */
  KILN_OUT_OF_MEMORY = 9,
  KILN_NO_DEVICE = 10,
  KILN_NOT_READY = 11,
  KILN_NO_BINARY = 12 /* the module has nothing for this device */
} kiln_status;

/* The sentence for the calling thread's last failure, "" if there was none. Valid until its next failing call. */
KILN_API const char* kiln_last_error_message(void);
/* "launch failed" and the like; never NULL. */
KILN_API const char* kiln_status_name(kiln_status status);

typedef struct kiln_device kiln_device;
typedef struct kiln_module kiln_module;
typedef struct kiln_kernel kiln_kernel;
typedef struct kiln_stream kiln_stream;
typedef struct kiln_event kiln_event;

/* ---- devices: chosen and ordered by KILN_DEVICES ("host", "amd:0", "emu:gfx950", "cuda:0"; unset: GPUs, then host)
 * and HIP_VISIBLE_DEVICES; opened when first asked for ---- */

typedef struct kiln_device_info {
  size_t struct_size;
  const char* id;     /* "host", as in KILN_DEVICES */
  const char* name;   /* what its maker calls it */
  const char* target; /* what the compiler is asked for: "host", "gfx942:sramecc+:xnack-" */
  const char* kind;   /* "host", "amd", "cuda" */
  uint32_t wave_size;
  uint32_t compute_units;
  uint32_t clock_khz; /* 0: not known */
  uint32_t max_threads_per_block;
  uint32_t max_block[3];
  uint32_t max_grid[3]; /* in blocks */
  uint64_t local_memory_per_block;
  uint64_t global_memory;
  int unified_memory; /* 1: the host's pointers are valid on the device and the other way round */
} kiln_device_info;

KILN_API kiln_status kiln_device_count(size_t* count);
KILN_API kiln_status kiln_device_get(size_t index, kiln_device** device);
KILN_API kiln_status kiln_device_get_info(kiln_device* device, kiln_device_info* info);
/* Waits for all work. KILN_LAUNCH_FAILED if a kernel faulted. */
KILN_API kiln_status kiln_device_synchronize(kiln_device* device);
/* Waits for all work, then frees the device's memory, unloads its code and forgets a fault. */
KILN_API kiln_status kiln_device_reset(kiln_device* device);

/* Devices that are not usable, and why. The strings live as long as the process. */
KILN_API kiln_status kiln_unusable_count(size_t* count);
KILN_API kiln_status kiln_unusable_get(size_t index, const char** id, const char** reason);

/* ---- memory ---- */

typedef enum kiln_memory_kind {
  KILN_MEMORY_DEVICE = 0,
  KILN_MEMORY_HOST_VISIBLE = 1 /* host and device both read and write it */
} kiln_memory_kind;

/* 256-byte aligned; `size` must not be 0. */
KILN_API kiln_status kiln_memory_allocate(kiln_device* device, size_t size, kiln_memory_kind kind, void** address);
/* Waits for the device's work first. NULL is fine. */
KILN_API kiln_status kiln_memory_free(void* address);
/* Copies now, in any direction, also between devices. Ordered after earlier work of the device's blocking streams. */
KILN_API kiln_status kiln_memory_copy(kiln_device* device, void* to, const void* from, size_t size);
/* Host memory that Kiln did not allocate belongs to the caller again when this returns. */
KILN_API kiln_status kiln_memory_copy_async(kiln_stream* stream, void* to, const void* from, size_t size);
/* Repeats a pattern of 1, 2 or 4 bytes `count` times. */
KILN_API kiln_status kiln_memory_fill_async(kiln_stream* stream, void* to, const void* pattern, size_t pattern_size,
                                            size_t count);

/* ---- modules: SPIR-V, plain or compressed offload bundles, native code objects ---- */

/* The bytes are copied. */
KILN_API kiln_status kiln_module_load(const void* bytes, size_t size, kiln_module** module);
KILN_API kiln_status kiln_module_load_file(const char* path, kiln_module** module);
/* A running program's fat binary: the wrapper {0x48495046, 1, bundle, ...} in its section .hipFatBinSegment. */
KILN_API kiln_status kiln_module_load_fat_binary(const void* wrapper, kiln_module** module);
/* Nothing that uses the module's kernels or variables may be running. NULL is fine. */
KILN_API void kiln_module_release(kiln_module* module);

/* Names of the kernels of a SPIR-V module; 0 of them if it has native objects only. Valid until release. */
KILN_API kiln_status kiln_module_kernel_count(kiln_module* module, size_t* count);
KILN_API kiln_status kiln_module_kernel_name(kiln_module* module, size_t index, const char** name);

/* A global variable's place on a device, made with its initial value when first asked for. */
KILN_API kiln_status kiln_module_variable(kiln_module* module, kiln_device* device, const char* name, void** address,
                                          size_t* size);

/* ---- kernels ---- */

/* Compiles and loads the kernel, if this was not done before. */
KILN_API kiln_status kiln_kernel_get(kiln_module* module, kiln_device* device, const char* name, kiln_kernel** kernel);

typedef struct kiln_kernel_info {
  size_t struct_size;
  const char* name;
  size_t argument_count;        /* explicit ones */
  size_t arguments_size;        /* of the buffer that kiln_launch takes */
  uint32_t static_local_memory; /* a block */
  uint32_t private_memory;      /* a work-item */
  uint32_t max_threads_per_block;
  uint32_t wave_size;
  uint32_t vector_registers, scalar_registers; /* 0 where the device has no such thing */
} kiln_kernel_info;

typedef struct kiln_argument_info {
  size_t struct_size;
  const char* name;          /* "" if the module does not say */
  const char* value_kind;    /* "by_value", "global_buffer", ... as in AMD's code object metadata */
  const char* address_space; /* "global", "local", ... for pointers, else "" */
  uint32_t offset;           /* in the arguments' buffer */
  uint32_t size;
} kiln_argument_info;

KILN_API kiln_status kiln_kernel_get_info(kiln_kernel* kernel, kiln_kernel_info* info);
KILN_API kiln_status kiln_kernel_argument(kiln_kernel* kernel, size_t index, kiln_argument_info* info);
/* How many blocks of this size a compute unit holds at once. */
KILN_API kiln_status kiln_kernel_occupancy(kiln_kernel* kernel, uint32_t block_size, uint32_t dynamic_local_memory,
                                           uint32_t* blocks);

/* ---- streams: work in order; different streams overlap ---- */

typedef enum kiln_stream_flags {
  KILN_STREAM_DEFAULT = 0,     /* ordered with the device's null stream, as in HIP */
  KILN_STREAM_NON_BLOCKING = 1 /* not ordered with it */
} kiln_stream_flags;

KILN_API kiln_status kiln_stream_create(kiln_device* device, uint32_t flags, kiln_stream** stream);
KILN_API void kiln_stream_destroy(kiln_stream* stream); /* waits for its work; NULL is fine */
KILN_API kiln_status kiln_stream_synchronize(kiln_stream* stream);
KILN_API kiln_status kiln_stream_query(kiln_stream* stream); /* KILN_NOT_READY while there is work */

typedef struct kiln_dim3 {
  uint32_t x, y, z;
} kiln_dim3;

typedef struct kiln_launch_config {
  size_t struct_size;
  kiln_dim3 grid;  /* in blocks */
  kiln_dim3 block; /* in work-items */
  uint32_t dynamic_local_memory;
  int cooperative; /* 1: all blocks run at once, or KILN_UNSUPPORTED */
} kiln_launch_config;

/* The kernel must be of the stream's device. `arguments` is laid out as kiln_kernel_argument says, and is copied. */
KILN_API kiln_status kiln_launch(kiln_stream* stream, kiln_kernel* kernel, const kiln_launch_config* config,
                                 const void* arguments, size_t arguments_size);
/* The same with a pointer to each argument's value. */
KILN_API kiln_status kiln_launch_values(kiln_stream* stream, kiln_kernel* kernel, const kiln_launch_config* config,
                                        void** values);

/* ---- events: points in streams ---- */

KILN_API kiln_status kiln_event_create(kiln_event** event);
KILN_API void kiln_event_destroy(kiln_event* event);
KILN_API kiln_status kiln_event_record(kiln_event* event, kiln_stream* stream);
KILN_API kiln_status kiln_event_wait(kiln_event* event);                             /* the caller waits */
KILN_API kiln_status kiln_stream_wait_event(kiln_stream* stream, kiln_event* event); /* the stream's later work waits */
KILN_API kiln_status kiln_event_elapsed(kiln_event* start, kiln_event* stop, double* milliseconds);

/* ---- what compilation cost in this process ---- */

typedef struct kiln_jit_record {
  size_t struct_size;
  const char* kernel; /* "" for a module's global variables or a whole native object */
  const char* device; /* its id */
  const char* tier;   /* "compiler", "memory", "native": where the code came from */
  double code_ms;     /* to find or make the code */
  double load_ms;     /* to load it on the device */
  uint64_t spirv_bytes;
  uint64_t image_bytes;
} kiln_jit_record;

KILN_API kiln_status kiln_jit_count(size_t* count);
KILN_API kiln_status kiln_jit_get(size_t index, kiln_jit_record* record);
/* The latest record of a kernel, by its name in the module. `device`: an id, or NULL for any. */
KILN_API kiln_status kiln_jit_find(const char* kernel, const char* device, kiln_jit_record* record);
/* The same by the host address of a HIP program's __global__ function. */
KILN_API kiln_status kiln_jit_find_function(const void* function, const char* device, kiln_jit_record* record);

#ifdef __cplusplus
}
#endif
#endif
