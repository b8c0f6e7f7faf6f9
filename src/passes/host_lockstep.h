// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that exchange values through local memory within a wave, without a barrier, count on lanes that run in
// lockstep: what one lane stores, the others load with their next instruction. On the host the lanes of a wave run one
// after the other, so this pass makes them meet wherever that order could be seen.
#pragma once

#include "support/address_spaces.h"

#include <llvm/IR/Function.h>

namespace kiln::passes {

// Adds rendezvous to a kernel's body (all inlined, before its sites are numbered and its shape is chosen). A kernel
// with a barrier between a store to local memory and the loads of it, as the rules of the language ask for, stays as it
// is.
void keep_lockstep(llvm::Function& body, const AddressSpaces& spaces);

} // namespace kiln::passes
