// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contract between a compiled host kernel (target/host makes it) and the executor that runs it (device/host). Plain
// structs: the compiler addresses their fields by offset, so every change of layout must raise `version`.
//
// An image is an ELF shared object with the note of AMD's code objects ("AMDGPU", type 32: the metadata). For every
// kernel K it exports the KernelDescriptor `kiln.kernel.K`; for every global variable V that it uses but does not
// define it exports a pointer `kiln.slot.V` which the loader fills before the first launch. A kernel has one of two
// shapes:
//
//   loops       entry.group(launch, group) runs all work-items of a work-group, one after the other (or vectorised).
//   coroutines  entry.item(launch, group, slot, x, y, z) runs one work-item until its first suspension or its end. It
//               returns a frame; the frame's first word is the function that resumes it. Before it suspends, a
//               work-item says in its Slot at which site it waits and for what; before it ends, it sets Slot::site to
//               `finished`.
//
// Sites are numbered such that all of a loop or branch comes before what follows it. The executor runs the lanes of a
// wave until each waits or is finished, then applies the operation of the lowest site to the lanes that wait there —
// the active lanes — and resumes these: the convergence that lockstep hardware has.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kiln::host_abi {

inline constexpr uint32_t version = 1;
inline constexpr char kernel_prefix[] = "kiln.kernel.";
inline constexpr char slot_prefix[] = "kiln.slot.";

// hsa_kernel_dispatch_packet_t: what llvm.amdgcn.dispatch.ptr points to.
struct DispatchPacket {
  uint16_t header, setup;
  uint16_t workgroup_size[3], reserved0;
  uint32_t grid_size[3]; // in work-items, modulo 2^32
  uint32_t private_segment_size, group_segment_size;
  uint64_t kernel_object;
  uint64_t kernarg_address;
  uint64_t reserved2, completion_signal;
};
static_assert(sizeof(DispatchPacket) == 64);

// Hidden kernel arguments of code object version 5: what llvm.amdgcn.implicitarg.ptr points to.
struct ImplicitArguments {
  uint32_t block_count[3];
  uint16_t group_size[3];
  uint16_t remainder[3];
  uint8_t reserved0[16];
  uint64_t global_offset[3];
  uint16_t grid_dims;
  uint8_t reserved1[6];
  uint64_t printf_buffer, hostcall_buffer, multigrid_sync_arg, heap, default_queue, completion_action;
  uint32_t dynamic_lds_size;
  uint8_t reserved2[68];
  uint32_t private_base, shared_base;
  uint64_t queue_ptr;
  uint8_t reserved3[48];
};
static_assert(offsetof(ImplicitArguments, global_offset) == 40 && offsetof(ImplicitArguments, grid_dims) == 64);
static_assert(offsetof(ImplicitArguments, dynamic_lds_size) == 120 && offsetof(ImplicitArguments, queue_ptr) == 200);
static_assert(sizeof(ImplicitArguments) == 256);

struct Launch;
struct Group;

// What code below a kernel's entry knows about the work-item it runs for: passed down to every function.
struct WorkItem {
  const Launch* launch;
  Group* group;
  struct Slot* slot; // null in the loops shape
  uint32_t id[3];
  uint32_t linear; // x + y * size.x + z * size.x * size.y
};
static_assert(sizeof(WorkItem) == 40);

enum class Trap : uint32_t { trap, end_program };

// Services of the executor that generated code calls. `end` never returns.
struct Callbacks {
  void* (*frame)(Group*, uint64_t size, uint64_t alignment); // memory of a coroutine, valid until the group ends
  void (*trap)(const WorkItem*, uint32_t kind);              // never returns
  void (*assert_fail)(const WorkItem*, const char* assertion, const char* file, uint32_t line, const char* function);
  uint64_t (*output_begin)(
      const WorkItem*);                     // a printf message: begun, appended to, written when the last part is there
  uint64_t (*error_begin)(const WorkItem*); // the same to stderr
  uint64_t (*printf_append_args)(const WorkItem*, uint64_t message, uint32_t count, uint64_t a0, uint64_t a1,
                                 uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint32_t last);
  uint64_t (*printf_append_string)(const WorkItem*, uint64_t message, const char* text, uint64_t length, uint32_t last);
  uint64_t (*clock)(const WorkItem*);                   // ticks of 10 ns
  uint64_t (*allocate)(const WorkItem*, uint64_t size); // malloc() inside a kernel
  void (*deallocate)(const WorkItem*, uint64_t address);
};

struct Launch {
  DispatchPacket packet;
  ImplicitArguments implicit;
  const std::byte* kernarg;
  const Callbacks* callbacks;
  uint64_t dispatch_id;
};
static_assert(offsetof(Launch, implicit) == 64 && offsetof(Launch, kernarg) == 320);

// One work-group on one worker thread.
struct Group {
  uint32_t id[3];
  uint32_t local_size;                         // bytes of LDS, static and dynamic
  std::byte* local;                            // 256-byte aligned
  const std::byte *private_low, *private_high; // the worker's stack
  const std::byte *frames_low, *frames_high;   // coroutine frames: private memory as well
  uint32_t row[2]; // y, z of the row of work-items that a `loops` kernel is in: for messages about faults
  void* executor;  // the executor's own
};
static_assert(offsetof(Group, local) == 16 && offsetof(Group, row) == 56);

enum class Operation : uint32_t {
  rendezvous, // lanes meet, nothing else
  yield,      // the same, and other waves get their turn: the latch of a loop that may spin, s_sleep
  barrier,    // all waves of the group meet
  ballot,     // result: bit l is set if lane l is active and has value != 0
  first,      // result: value of the lowest active lane
  gather,     // result: value of lane `index` if that is active, else result stays as it is
  scatter,    // result: value of the highest active lane whose index is this lane; else result stays as it is
  reduce,     // result: the Reduction `index` over value of all active lanes
};

enum class Reduction : uint32_t {
  add32,
  umin32,
  umax32,
  smin32,
  smax32,
  and32,
  or32,
  xor32,
  sub32,
  add64,
  umin64,
  umax64,
  smin64,
  smax64,
  and64,
  or64,
  xor64,
  sub64,
  fadd32,
  fsub32,
  fmin32,
  fmax32,
  fadd64,
  fsub64,
  fmin64,
  fmax64,
};

inline constexpr uint32_t finished = 0xffffffff;

struct Slot {
  uint32_t site; // where the lane waits, or `finished`
  Operation operation;
  uint32_t index;
  uint32_t reserved;
  uint64_t value;
  uint64_t result;
};
static_assert(sizeof(Slot) == 32);

enum class Shape : uint32_t { loops, coroutines };

struct KernelDescriptor {
  uint32_t version;
  Shape shape;
  uint32_t wave_size;
  uint32_t reserved;
  union {
    void (*group)(const Launch*, Group*);
    void* (*item)(const Launch*, Group*, Slot*, uint32_t x, uint32_t y, uint32_t z);
  } entry;
};
static_assert(sizeof(KernelDescriptor) == 24);

} // namespace kiln::host_abi
