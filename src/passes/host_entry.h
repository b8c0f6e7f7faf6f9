// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What both shapes of a kernel's entry share, see host_kernels.h.
#pragma once

#include "passes/host_kernels.h"

#include <llvm/IR/IRBuilder.h>

namespace kiln::passes {

[[nodiscard]] bool calls_waiting_primitive(const llvm::Function& function);

// void entry(launch, group): host_loops.cpp
[[nodiscard]] llvm::Function* make_loops(const HostKernel& kernel, const EntryOptions& options);

namespace host_entry {
llvm::Value* field(llvm::IRBuilder<>& b, llvm::Value* base, uint64_t offset);
// From memory that nobody writes while the kernel runs.
llvm::Value* load_constant(llvm::IRBuilder<>& b, llvm::Type* type, llvm::Value* base, uint64_t offset);
std::vector<llvm::Value*> load_arguments(llvm::IRBuilder<>& b, const HostKernel& kernel, llvm::Value* launch,
                                         llvm::Value* group);
llvm::Function* create(const HostKernel& kernel, const std::string& suffix, llvm::Type* result,
                       llvm::ArrayRef<llvm::Type*> parameters);
} // namespace host_entry

} // namespace kiln::passes
