// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/amdgcn_intrinsics.h"

#include <gtest/gtest.h>
#include <llvm/IR/Intrinsics.h>
#include <set>

namespace kiln::passes {
namespace {

// A misspelt row would never match anything. Rows of names that this LLVM no longer has (older bitcode) are listed
// here.
TEST(AmdgcnIntrinsics, every_row_names_an_intrinsic) {
  const std::set<std::string_view> gone = {"alignbit", "ldexp", "s.waitcnt.depctr"};
  std::set<std::string_view> seen;
  for (const IntrinsicSupport& row : amdgcn_intrinsic_table()) {
    EXPECT_TRUE(seen.insert(row.name).second) << row.name << " has two rows";
    std::string name = "llvm.amdgcn." + std::string(row.name);
    auto id = llvm::Intrinsic::lookupIntrinsicID(name);
    bool known = id != llvm::Intrinsic::not_intrinsic && llvm::Intrinsic::getBaseName(id) == name;
    EXPECT_TRUE(known || gone.contains(row.name)) << name;
  }
}

} // namespace
} // namespace kiln::passes
