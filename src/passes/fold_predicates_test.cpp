// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/fold_predicates.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <gmock/gmock.h>

#include <set>

namespace kiln::passes {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// What the reader leaves: predicates as calls, or decided already as constants.
constexpr char prologue[] = R"(
declare i1 @__kiln_predicate.is.gfx950()
declare i1 @__kiln_predicate.has.gfx11-insts()
declare void @only_gfx950()
declare void @only_gfx11()
declare void @portable()
)";

std::string fold(const std::string& text, const std::set<std::string>& true_ones,
                 std::vector<std::string>* asked = nullptr) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  auto module = llvm::parseAssemblyString(prologue + text, problem, context);
  if (!module) {
    ADD_FAILURE() << problem.getMessage().str() << ": " << problem.getLineContents().str();
    return {};
  }
  fold_predicates(*module, [&](llvm::StringRef name) {
    if (asked)
      asked->push_back(name.str());
    return true_ones.contains(name.str());
  });
  std::string out;
  llvm::raw_string_ostream stream(out);
  EXPECT_FALSE(llvm::verifyModule(*module, &stream)) << out;
  module->print(stream, nullptr);
  return out;
}

constexpr char branches[] = R"(
define spir_kernel void @k() {
  %a = call i1 @__kiln_predicate.is.gfx950()
  br i1 %a, label %yes, label %no
yes:
  call void @only_gfx950()
  br label %done
no:
  %b = call i1 @__kiln_predicate.has.gfx11-insts()
  br i1 %b, label %eleven, label %neither
eleven:
  call void @only_gfx11()
  br label %done
neither:
  call void @portable()
  br label %done
done:
  ret void
})";

TEST(FoldPredicates, KeepsTheBranchThatIsTaken) {
  std::string text = fold(branches, {"is.gfx950"});
  EXPECT_THAT(text, HasSubstr("call void @only_gfx950"));
  EXPECT_THAT(text, Not(HasSubstr("call void @only_gfx11")));
  EXPECT_THAT(text, Not(HasSubstr("call void @portable")));
  EXPECT_THAT(text, Not(HasSubstr("__kiln_predicate")));
  text = fold(branches, {"has.gfx11-insts"});
  EXPECT_THAT(text, Not(HasSubstr("call void @only_gfx950")));
  EXPECT_THAT(text, HasSubstr("call void @only_gfx11"));
  text = fold(branches, {});
  EXPECT_THAT(text, HasSubstr("call void @portable"));
  EXPECT_THAT(text, Not(HasSubstr("br i1")));
}

TEST(FoldPredicates, AsksForEachNameOnce) {
  std::vector<std::string> asked;
  fold(branches, {}, &asked);
  EXPECT_THAT(asked, ElementsAre("is.gfx950", "has.gfx11-insts"));
}

TEST(FoldPredicates, FollowsNegationConjunctionAndIntegers) {
  std::string text = fold(R"(
define spir_kernel void @k() {
entry:
  %a = call i1 @__kiln_predicate.is.gfx950()
  %not = xor i1 %a, true
  br i1 %not, label %rest, label %both
rest:
  %b = call i1 @__kiln_predicate.has.gfx11-insts()
  br label %both
both:
  %either = phi i1 [ true, %entry ], [ %b, %rest ]
  %number = zext i1 %either to i32
  switch i32 %number, label %other [ i32 1, label %one ]
one:
  call void @only_gfx950()
  ret void
other:
  call void @portable()
  ret void
})",
                          {});
  EXPECT_THAT(text, HasSubstr("call void @portable"));
  EXPECT_THAT(text, Not(HasSubstr("call void @only_gfx950")));
}

// A predicate in a function of its own, or handed over as an argument.
TEST(FoldPredicates, CrossesCalls) {
  std::string text = fold(R"(
define linkonce_odr hidden i1 @is_new() noinline {
  %a = call i1 @__kiln_predicate.is.gfx950()
  ret i1 %a
}
define linkonce_odr hidden void @work(i1 %new) noinline {
  br i1 %new, label %yes, label %no
yes:
  call void @only_gfx950()
  ret void
no:
  call void @portable()
  ret void
}
define spir_kernel void @k() {
  %new = call i1 @is_new()
  call void @work(i1 %new)
  ret void
})",
                          {});
  EXPECT_THAT(text, HasSubstr("call void @portable"));
  EXPECT_THAT(text, Not(HasSubstr("call void @only_gfx950")));
}

// The function that only the branch not taken calls goes with it, and what it declares.
TEST(FoldPredicates, DropsFunctionsThatNothingReachesAnyMore) {
  std::string text = fold(R"(
define linkonce_odr hidden void @fast() noinline {
  call void @only_gfx950()
  ret void
}
define spir_kernel void @k() {
  %a = call i1 @__kiln_predicate.is.gfx950()
  br i1 %a, label %yes, label %no
yes:
  call void @fast()
  ret void
no:
  ret void
})",
                          {});
  EXPECT_THAT(text, Not(HasSubstr("@fast")));
  EXPECT_THAT(text, Not(HasSubstr("@only_gfx950")));
}

TEST(FoldPredicates, FoldsWhatTheReaderDecidedAlready) {
  std::string text = fold(R"(
define spir_kernel void @k() {
  br i1 false, label %yes, label %no
yes:
  call void @only_gfx950()
  ret void
no:
  call void @portable()
  ret void
})",
                          {});
  EXPECT_THAT(text, Not(HasSubstr("call void @only_gfx950")));
}

TEST(FoldPredicates, LeavesOtherCodeAlone) {
  const std::string untouched = R"(
define linkonce_odr hidden i32 @twice(i32 %x) {
  %y = add i32 %x, %x
  ret i32 %y
}
define spir_kernel void @k(i1 %run_time) {
  br i1 %run_time, label %yes, label %no
yes:
  call void @only_gfx950()
  ret void
no:
  call void @portable()
  ret void
})";
  std::string text = fold(untouched, {});
  EXPECT_THAT(text, HasSubstr("br i1 %run_time"));
  EXPECT_THAT(text, HasSubstr("define linkonce_odr hidden i32 @twice")); // nothing decided: not even made local
}

} // namespace
} // namespace kiln::passes
