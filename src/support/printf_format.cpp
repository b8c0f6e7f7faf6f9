// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/printf_format.h"

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace kiln {

namespace {

// One conversion specification, "%-08.*ld".
struct Conversion {
  std::string flags;
  bool width_star = false, precision_star = false, has_precision = false;
  int width = -1, precision = 0;
  std::string length;
  char kind = 0;
  size_t size = 0; // characters in the format; 0: not a conversion
};

Conversion parse(std::string_view text) { // text[0] is '%'
  Conversion c;
  size_t at = 1;
  auto number = [&](int& value) {
    value = 0;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9')
      value = std::min(value * 10 + (text[at++] - '0'), 1 << 20);
  };
  while (at < text.size() && std::string_view("-+ #0").find(text[at]) != std::string_view::npos)
    c.flags += text[at++];
  if (at < text.size() && text[at] == '*') {
    c.width_star = true;
    ++at;
  } else if (at < text.size() && text[at] >= '1' && text[at] <= '9') {
    number(c.width);
  }
  if (at < text.size() && text[at] == '.') {
    c.has_precision = true;
    ++at;
    if (at < text.size() && text[at] == '*') {
      c.precision_star = true;
      ++at;
    } else {
      number(c.precision);
    }
  }
  while (at < text.size() && std::string_view("hlqjztL").find(text[at]) != std::string_view::npos)
    c.length += text[at++];
  if (at >= text.size())
    return {};
  c.kind = text[at++];
  c.size = at;
  return c;
}

template <class... Values> void append(std::string& to, const std::string& format, Values... values) {
  int size = std::snprintf(nullptr, 0, format.c_str(), values...);
  if (size <= 0)
    return;
  size_t old = to.size();
  to.resize(old + size_t(size) + 1);
  std::snprintf(to.data() + old, size_t(size) + 1, format.c_str(), values...);
  to.pop_back();
}

int64_t narrow_signed(uint64_t bits, std::string_view length) {
  if (length == "hh")
    return int8_t(bits);
  if (length == "h")
    return int16_t(bits);
  return length.empty() ? int32_t(bits) : int64_t(bits);
}
uint64_t narrow_unsigned(uint64_t bits, std::string_view length) {
  if (length == "hh")
    return uint8_t(bits);
  if (length == "h")
    return uint16_t(bits);
  return length.empty() ? uint32_t(bits) : bits;
}

} // namespace

void PrintfMessage::add_string(std::string_view text) {
  if (text.ends_with('\0'))
    text.remove_suffix(1);
  parts_.emplace_back(std::string(text));
}
void PrintfMessage::add_null_string() {
  parts_.emplace_back(std::string("(null)"));
}
void PrintfMessage::add_number(uint64_t bits) {
  parts_.emplace_back(bits);
}

std::string PrintfMessage::text() const {
  std::string out;
  if (parts_.empty() || !std::holds_alternative<std::string>(parts_[0]))
    return out;
  std::string_view format = std::get<std::string>(parts_[0]);
  size_t next = 1;
  auto number = [&]() -> const uint64_t* {
    return next < parts_.size() ? std::get_if<uint64_t>(&parts_[next++]) : nullptr;
  };
  while (!format.empty()) {
    if (format[0] != '%') {
      size_t plain = std::min(format.find('%'), format.size());
      out += format.substr(0, plain);
      format.remove_prefix(plain);
      continue;
    }
    if (format.starts_with("%%")) {
      out += '%';
      format.remove_prefix(2);
      continue;
    }
    Conversion c = parse(format);
    if (c.size == 0) {
      out += format;
      break;
    }
    std::string_view whole = format.substr(0, c.size);
    format.remove_prefix(c.size);
    std::string spec = "%" + c.flags;
    bool complete = true;
    if (c.width_star) {
      const uint64_t* width = number();
      complete = width;
      spec += width ? std::to_string(int32_t(*width)) : "";
    } else if (c.width >= 0) {
      spec += std::to_string(c.width);
    }
    if (c.has_precision && c.precision_star) {
      const uint64_t* precision = number();
      complete = complete && precision;
      if (precision && int32_t(*precision) >= 0)
        spec += "." + std::to_string(int32_t(*precision));
    } else if (c.has_precision) {
      spec += "." + std::to_string(c.precision);
    }
    if (c.kind == 'n') { // writes nothing on a device
      ++next;
      continue;
    }
    if (c.kind == 's') {
      const std::string* value = next < parts_.size() ? std::get_if<std::string>(&parts_[next]) : nullptr;
      ++next;
      if (value && complete)
        append(out, spec + "s", value->c_str());
      else
        out += whole;
      continue;
    }
    const uint64_t* value = number();
    if (!value || !complete) {
      out += whole;
      continue;
    }
    switch (c.kind) {
    case 'd':
    case 'i':
      append(out, spec + "lld", static_cast<long long>(narrow_signed(*value, c.length)));
      break;
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      append(out, spec + "ll" + c.kind, static_cast<unsigned long long>(narrow_unsigned(*value, c.length)));
      break;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      append(out, spec + c.kind, std::bit_cast<double>(*value));
      break;
    case 'c':
      append(out, spec + "c", int(*value));
      break;
    case 'p':
      append(out, spec + "p", reinterpret_cast<void*>(*value));
      break;
    default:
      out += whole;
    }
  }
  return out;
}

} // namespace kiln
