// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables and colours for people. Colours appear only on a terminal, and never where NO_COLOR is set
// (https://no-color.org).
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::tool {

enum class Style { plain, heading, dim, good, warning, error };

[[nodiscard]] bool use_colour(std::FILE* stream);
[[nodiscard]] std::string paint(std::string_view text, Style style, std::FILE* stream);

enum class Align { left, right };

struct Column {
  std::string title;
  Align align = Align::left;
};

// Rows of text under titles, each column as wide as its widest cell, two spaces between. The last column, if it is
// left-aligned, is not padded, so no line ends in spaces.
class Table {
public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void add(std::vector<std::string> cells); // missing cells are empty
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  [[nodiscard]] std::string text(bool colour, std::string_view indent = "") const;
  void print(std::FILE* stream, std::string_view indent = "") const;

private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

[[nodiscard]] std::string human_size(uint64_t bytes); // "1.5 KiB"
[[nodiscard]] std::string fixed(double value, int digits);

} // namespace kiln::tool
