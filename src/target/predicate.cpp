// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target/predicate.h"

namespace kiln::target {
namespace {

// expression := alternatives { "," alternatives };  alternatives := term { "|" term };  term := feature | "("
// expression ")"
class Parser {
public:
  Parser(llvm::StringRef text, llvm::function_ref<bool(llvm::StringRef)> has) : rest_(text), has_(has) {}

  bool whole() {
    bool value = expression(0);
    return value && well_formed_ && rest_.empty();
  }

private:
  bool expression(unsigned depth) {
    bool value = alternatives(depth);
    while (rest_.consume_front(","))
      value &= alternatives(depth);
    return value;
  }
  bool alternatives(unsigned depth) {
    bool value = term(depth);
    while (rest_.consume_front("|"))
      value |= term(depth);
    return value;
  }
  bool term(unsigned depth) {
    if (depth < 32 && rest_.consume_front("(")) {
      bool value = expression(depth + 1);
      well_formed_ &= rest_.consume_front(")");
      return value;
    }
    llvm::StringRef feature = rest_.take_until([](char c) { return c == ',' || c == '|' || c == '(' || c == ')'; });
    well_formed_ &= !feature.empty();
    rest_ = rest_.drop_front(feature.size());
    return has_(feature);
  }

  llvm::StringRef rest_;
  llvm::function_ref<bool(llvm::StringRef)> has_;
  bool well_formed_ = true;
};

} // namespace

bool evaluate_predicate(llvm::StringRef predicate, llvm::function_ref<bool(llvm::StringRef processor)> is,
                        llvm::function_ref<bool(llvm::StringRef feature)> has) {
  if (predicate.consume_front("is."))
    return is(predicate);
  if (predicate.consume_front("has."))
    return predicate.empty() || Parser(predicate, has).whole();
  return false;
}

} // namespace kiln::target
