// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/kiln/table.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace kiln::tool {
namespace {

// By Style.
constexpr std::array<std::string_view, 6> escapes{"", "\033[1m", "\033[2m", "\033[32m", "\033[33m", "\033[1;31m"};
std::string_view escape(Style style) {
  return escapes[static_cast<size_t>(style)];
}

// Columns a terminal needs: code points, which is right for all that Kiln prints (no wide or combining characters).
size_t width(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

} // namespace

bool use_colour(std::FILE* stream) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  if ((no_colour && *no_colour) || (terminal && std::strcmp(terminal, "dumb") == 0))
    return false;
  return ::isatty(::fileno(stream)) == 1;
}

std::string paint(std::string_view text, Style style, std::FILE* stream) {
  if (style == Style::plain || !use_colour(stream))
    return std::string(text);
  return std::string(escape(style)) + std::string(text) + "\033[0m";
}

void Table::add(std::vector<std::string> cells) {
  assert(cells.size() <= columns_.size() && "more cells than columns");
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::string Table::text(bool colour, std::string_view indent) const {
  std::vector<size_t> widths;
  for (size_t i = 0; i < columns_.size(); ++i) {
    size_t widest = width(columns_[i].title);
    for (const auto& row : rows_)
      widest = std::max(widest, width(row[i]));
    widths.push_back(widest);
  }
  std::string out;
  auto line = [&](auto cell_of, bool heading) {
    std::string text;
    for (size_t i = 0; i < columns_.size(); ++i) {
      std::string_view cell = cell_of(i);
      std::string padding(widths[i] - width(cell), ' ');
      if (i > 0)
        text += "  ";
      text += columns_[i].align == Align::right ? padding + std::string(cell) : std::string(cell) + padding;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += indent;
    out += heading && colour ? std::string(escape(Style::heading)) + text + "\033[0m" : text;
    out += '\n';
  };
  line([&](size_t i) -> std::string_view { return columns_[i].title; }, true);
  for (const auto& row : rows_)
    line([&](size_t i) -> std::string_view { return row[i]; }, false);
  return out;
}

void Table::print(std::FILE* stream, std::string_view indent) const {
  std::string out = text(use_colour(stream), indent);
  std::fwrite(out.data(), 1, out.size(), stream);
}

std::string fixed(double value, int digits) {
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.*f", digits, value);
  return buffer.data();
}

std::string human_size(uint64_t bytes) {
  static constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024)
    return std::to_string(bytes) + " B";
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < units.size(); ++unit)
    value /= 1024;
  return fixed(value, value < 10 ? 1 : 0) + " " + units[unit];
}

} // namespace kiln::tool
