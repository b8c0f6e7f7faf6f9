// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that stand for the work-item's surroundings in host code between the lowering of AMD's intrinsics and the
// passes that know the shape of the kernel (host_context.cpp, host_loops.cpp, host_coroutines.cpp). Declared, never
// defined.
#pragma once

namespace kiln::passes::host_primitive {

// Replaced by reads of the WorkItem (host_abi.h) that every function gets.
inline constexpr char local_id[] = "kiln.host.local_id";                   // i32 (i32 dimension)
inline constexpr char group_id[] = "kiln.host.group_id";                   // i32 (i32 dimension)
inline constexpr char linear_id[] = "kiln.host.linear_id";                 // i32 ()
inline constexpr char launch[] = "kiln.host.launch";                       // ptr ()
inline constexpr char group[] = "kiln.host.group";                         // ptr ()
inline constexpr char item[] = "kiln.host.item";                           // ptr ()
inline constexpr char static_local_size[] = "kiln.host.static_local_size"; // i32 ()
inline constexpr char trap[] = "kiln.host.trap";                           // void (i32 kind), noreturn
inline constexpr char clock[] = "kiln.host.clock";                         // i64 (), ticks of 10 ns

// Where a work-item may wait for others: kept until the kernel becomes a coroutine.
inline constexpr char cross_lane[] = "kiln.host.cross_lane"; // i64 (i32 Operation, i64 value, i32 index, i64 result)
inline constexpr char rendezvous[] = "kiln.host.rendezvous"; // void (i32 Operation)
inline constexpr char end[] = "kiln.host.end";               // void (): the work-item is finished

} // namespace kiln::passes::host_primitive
