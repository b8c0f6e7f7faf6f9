// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/kiln/arguments.h"

#include "support/file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <concepts>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

namespace kiln::tool {
namespace {

// A buffer bigger than this is a typing error, not a wish.
constexpr uint64_t largest_buffer = uint64_t(1) << 40;

template <class T> void store(T value, std::byte* to) {
  std::memcpy(to, &value, sizeof(T));
}
template <class T> T fetch(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <class T> bool parse_whole(std::string_view text, T& value, auto... base) {
  auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value, base...);
  return failure == std::errc() && end == text.data() + text.size();
}

template <std::integral T> struct Integer {
  static bool parse(std::string_view text, std::byte* to) {
    T value{};
    bool hex = text.starts_with("0x") || text.starts_with("0X");
    if (hex) {
      // Hexadecimal gives the bits, so that 0xffffffff is a good i32.
      std::make_unsigned_t<T> bits{};
      if (text.size() < 3 || !parse_whole(text.substr(2), bits, 16))
        return false;
      value = static_cast<T>(bits);
    } else if (!parse_whole(text, value)) {
      return false;
    }
    store(value, to);
    return true;
  }
  static std::string format(const std::byte* from) { return std::to_string(+fetch<T>(from)); }
  static void iota(uint64_t index, std::byte* to) { store(static_cast<T>(index), to); }
  static void random(uint64_t bits, std::byte* to) { store(static_cast<T>(bits >> (64 - 8 * sizeof(T))), to); }
};

template <class T> struct Floating {
  using Wide = std::conditional_t<sizeof(T) == 8, double, float>;
  static bool parse(std::string_view text, std::byte* to) {
    Wide value{};
    if (!parse_whole(text, value))
      return false;
    store(static_cast<T>(value), to);
    return true;
  }
  static std::string format(const std::byte* from) {
    std::array<char, 64> buffer{};
    auto [end, failure] =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), static_cast<Wide>(fetch<T>(from)));
    return failure == std::errc() ? std::string(buffer.data(), end) : "?";
  }
  static void iota(uint64_t index, std::byte* to) { store(static_cast<T>(static_cast<Wide>(index)), to); }
  static void random(uint64_t bits, std::byte* to) {
    // As many random bits as the type has, so that every value below 1 is exact.
    constexpr int digits = sizeof(T) == 2 ? 11 : std::numeric_limits<Wide>::digits;
    store(static_cast<T>(static_cast<Wide>(bits >> (64 - digits)) / static_cast<Wide>(uint64_t(1) << digits)), to);
  }
};

template <class Form, class T> constexpr ElementType row(const char* name) {
  return {name, sizeof(T), &Form::parse, &Form::format, &Form::iota, &Form::random};
}

constexpr std::array element_types{
    row<Integer<int8_t>, int8_t>("i8"),       row<Integer<uint8_t>, uint8_t>("u8"),
    row<Integer<int16_t>, int16_t>("i16"),    row<Integer<uint16_t>, uint16_t>("u16"),
    row<Integer<int32_t>, int32_t>("i32"),    row<Integer<uint32_t>, uint32_t>("u32"),
    row<Integer<int64_t>, int64_t>("i64"),    row<Integer<uint64_t>, uint64_t>("u64"),
    row<Floating<_Float16>, _Float16>("f16"), row<Floating<float>, float>("f32"),
    row<Floating<double>, double>("f64"),
};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t at = 0;;) {
    size_t end = text.find(separator, at);
    parts.push_back(text.substr(at, end - at));
    if (end == std::string_view::npos)
      return parts;
    at = end + 1;
  }
}

Error bad(std::string_view text, const std::string& why) {
  return Error{ErrorCode::invalid_argument, "argument '" + std::string(text) + "': " + why};
}

std::string type_names() {
  std::string names;
  for (const ElementType& type : element_types)
    names += (names.empty() ? "" : " ") + std::string(type.name);
  return names;
}

// splitmix64: small, and the same on every machine.
uint64_t next_random(uint64_t& state) {
  uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

Result<RunArgument> parse_bytes(std::string_view text, std::string_view hex) {
  RunArgument argument{.kind = RunArgument::Kind::bytes, .text = std::string(text)};
  if (hex.empty() || hex.size() % 2 != 0)
    return bad(text, "bytes: takes an even number of hexadecimal digits");
  for (size_t i = 0; i < hex.size(); i += 2) {
    uint8_t value{};
    if (!parse_whole(hex.substr(i, 2), value, 16))
      return bad(text, "'" + std::string(hex.substr(i, 2)) + "' is not a pair of hexadecimal digits");
    argument.content.push_back(static_cast<std::byte>(value));
  }
  return argument;
}

Result<void> fill_buffer(RunArgument& argument, std::string_view option) {
  const ElementType& type = *argument.type;
  std::byte* data = argument.content.data();
  if (option.starts_with("fill=")) {
    std::array<std::byte, 8> value{};
    if (!type.parse(option.substr(5), value.data()))
      return bad(argument.text, "'" + std::string(option.substr(5)) + "' is not a number of type " + type.name);
    for (uint64_t i = 0; i < argument.count; ++i)
      std::memcpy(data + i * type.size, value.data(), type.size);
  } else if (option == "iota") {
    for (uint64_t i = 0; i < argument.count; ++i)
      type.iota(i, data + i * type.size);
  } else if (option.starts_with("random(") && option.ends_with(")")) {
    uint64_t state{};
    if (!parse_whole(option.substr(7, option.size() - 8), state))
      return bad(argument.text, "random takes a whole number as seed, as in random(1)");
    for (uint64_t i = 0; i < argument.count; ++i)
      type.random(next_random(state), data + i * type.size);
  } else {
    auto content = read_file(std::filesystem::path(option.substr(5)));
    if (!content)
      return std::move(content.error()).context("argument '" + argument.text + "'");
    if (content->size() != argument.content.size())
      return bad(argument.text, "the file has " + std::to_string(content->size()) + " bytes, the buffer " +
                                    std::to_string(argument.content.size()));
    argument.content = std::move(*content);
  }
  return {};
}

bool fills(std::string_view option) {
  return option.starts_with("fill=") || option == "iota" || (option.starts_with("random(") && option.ends_with(")")) ||
         option.starts_with("file=");
}

Result<RunArgument> parse_buffer(std::string_view text, const std::vector<std::string_view>& parts) {
  RunArgument argument{.kind = RunArgument::Kind::buffer, .text = std::string(text)};
  if (parts.size() < 3)
    return bad(text, "a buffer is written buf:TYPE:COUNT, as in buf:f32:1024");
  argument.type = find_element_type(parts[1]);
  if (!argument.type)
    return bad(text, "'" + std::string(parts[1]) + "' is not one of the types " + type_names());
  if (!parse_whole(parts[2], argument.count) || argument.count == 0 ||
      argument.count > largest_buffer / argument.type->size)
    return bad(text, "'" + std::string(parts[2]) + "' is not a usable number of elements");
  argument.content.resize(argument.count * argument.type->size);
  bool filled = false;
  for (size_t i = 3; i < parts.size(); ++i) {
    std::string_view option = parts[i];
    if (fills(option)) {
      if (std::exchange(filled, true))
        return bad(text, "the content is given twice");
      KILN_TRY(fill_buffer(argument, option));
    } else if (option == "out") {
      argument.print = argument.count;
      uint64_t count{};
      if (i + 1 < parts.size() && parse_whole(parts[i + 1], count)) {
        argument.print = std::min(count, argument.count);
        ++i;
      }
    } else if (option.starts_with("outfile=") && option.size() > 8) {
      argument.save = std::filesystem::path(option.substr(8));
    } else {
      return bad(text, "'" + std::string(option) +
                           "' is none of fill=NUMBER, iota, random(SEED), file=PATH, out[:COUNT], outfile=PATH");
    }
  }
  return argument;
}

} // namespace

const ElementType* find_element_type(std::string_view name) {
  auto found = std::find_if(element_types.begin(), element_types.end(),
                            [&](const ElementType& type) { return name == type.name; });
  return found == element_types.end() ? nullptr : &*found;
}

Result<RunArgument> parse_argument(std::string_view text) {
  auto parts = split(text, ':');
  if (parts[0] == "buf")
    return parse_buffer(text, parts);
  if (parts[0] == "bytes" && parts.size() == 2)
    return parse_bytes(text, parts[1]);
  const ElementType* type = find_element_type(parts[0]);
  if (!type || parts.size() != 2)
    return bad(text, "it is none of TYPE:NUMBER, bytes:HEX, buf:TYPE:COUNT; types are " + type_names());
  RunArgument argument{.kind = RunArgument::Kind::scalar, .text = std::string(text), .type = type};
  argument.content.resize(type->size);
  if (!type->parse(parts[1], argument.content.data()))
    return bad(text, "'" + std::string(parts[1]) + "' is not a number of type " + type->name);
  return argument;
}

Result<Extent> parse_extent(std::string_view option, std::string_view text) {
  auto parts = split(text, ',');
  std::array<uint32_t, 3> sizes{1, 1, 1};
  bool good = parts.size() <= 3;
  for (size_t i = 0; good && i < parts.size(); ++i)
    good = parse_whole(parts[i], sizes[i]) && sizes[i] > 0;
  if (!good)
    return Error{ErrorCode::invalid_argument, std::string(option) +
                                                  " takes one to three numbers from 1, as in 64,2,1, not '" +
                                                  std::string(text) + "'"};
  return Extent{sizes[0], sizes[1], sizes[2]};
}

} // namespace kiln::tool
