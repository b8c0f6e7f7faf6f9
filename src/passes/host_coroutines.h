// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel whose work-items wait for each other (barriers, cross-lane operations): each work-item is a coroutine. Sites
// are numbered in an order in which every loop is contiguous and comes before what follows it, and the latch of a loop
// that has a site is a site itself, so that the executor's rule "the lowest site first" keeps the lanes of a wave in
// lockstep.
#pragma once

#include "passes/host_kernels.h"

namespace kiln::passes {

// Is there a loop that is left depending on what others write to memory: a spin lock, a flag?
[[nodiscard]] bool waits_for_memory(const llvm::Function& body);

// Makes control flow reducible, adds the latch sites and numbers all sites (metadata kiln.site). Before make_entry.
void number_sites(llvm::Function& body, llvm::FunctionAnalysisManager& analyses);

// ptr entry(launch, group, slot, x, y, z), not yet split. Errors: unsupported (alloca of a size known at run time
// only).
[[nodiscard]] Result<llvm::Function*> make_coroutine(const HostKernel& kernel);

} // namespace kiln::passes
