// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device printf comes to the host in parts: the format string, then its arguments in order, numbers as 64 bits and
// strings as bytes. This puts the text together as the host's printf would.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kiln {

class PrintfMessage {
public:
  // A null string prints as "(null)". The first string is the format. A final NUL is not part of a string.
  void add_string(std::string_view text);
  void add_null_string();
  void add_number(uint64_t bits); // an integer (any width), a double's bits, a pointer

  // Never fails: a conversion without an argument, or with one of another kind, prints as it stands in the format.
  [[nodiscard]] std::string text() const;

private:
  std::vector<std::variant<uint64_t, std::string>> parts_;
};

} // namespace kiln
