// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/kiln/kernel_names.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace kiln::tool {
namespace {

// "void ns::scale<float>(float*, int)" -> "ns::scale<float>". The parameters start at the last '(' outside of <>, the
// return type (only templates have one) ends at the last space outside of <> and ().
std::string without_parameters(std::string text) {
  static constexpr std::string_view anonymous = "(anonymous namespace)";
  int depth = 0;
  size_t end = text.size(), begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, anonymous.size(), anonymous) == 0) {
      i += anonymous.size() - 1;
      continue;
    }
    depth += (text[i] == '<') - (text[i] == '>');
    if (depth == 0 && text[i] == '(') {
      end = i;
      break;
    }
    if (depth == 0 && text[i] == ' ')
      begin = i + 1;
  }
  return text.substr(begin, end - begin);
}

std::string without_template_arguments(const std::string& text) {
  return text.ends_with('>') ? text.substr(0, text.find('<')) : text;
}

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j < row.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t best = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = std::exchange(row[j], best);
    }
  }
  return row[b.size()];
}

std::string list(const std::vector<std::string>& names, size_t most) {
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), most); ++i)
    text += (i ? ", " : "") + names[i];
  return names.size() > most ? text + ", and " + std::to_string(names.size() - most) + " more" : text;
}

} // namespace

std::string demangled(const std::string& name) {
  if (!name.starts_with("_Z"))
    return name;
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                   &std::free);
  return status == 0 && text ? text.get() : name;
}

Result<std::optional<std::string>> match_kernel(const std::vector<std::string>& kernels, std::string_view wanted) {
  if (std::find(kernels.begin(), kernels.end(), wanted) != kernels.end())
    return std::optional(std::string(wanted));
  std::vector<std::string> matches;
  for (const std::string& kernel : kernels) {
    std::string full = demangled(kernel), base = without_parameters(full);
    if (wanted == full || wanted == base || wanted == without_template_arguments(base))
      matches.push_back(kernel);
  }
  if (matches.size() > 1)
    return Error{ErrorCode::invalid_argument,
                 "'" + std::string(wanted) + "' could be " + list(matches, 5) + "; give the full name"};
  return matches.empty() ? std::nullopt : std::optional(matches.front());
}

Error no_such_kernel(std::string_view wanted, const std::vector<std::string>& kernels) {
  std::string message = "there is no kernel '" + std::string(wanted) + "'";
  std::vector<std::pair<size_t, std::string>> near;
  for (const std::string& kernel : kernels) {
    std::string base = without_parameters(demangled(kernel));
    size_t distance = std::min(edit_distance(wanted, base), edit_distance(wanted, kernel));
    if (distance <= std::max<size_t>(2, wanted.size() / 3))
      near.emplace_back(distance, base);
  }
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  std::vector<std::string> names;
  if (kernels.empty()) {
    message += ": the module has no kernels";
  } else if (!near.empty()) {
    for (const auto& [distance, name] : near)
      names.push_back(name);
    message += "; did you mean " + list(names, 3) + "?";
  } else {
    for (const std::string& kernel : kernels)
      names.push_back(without_parameters(demangled(kernel)));
    message += "; there are " + list(names, 8);
  }
  return Error{ErrorCode::not_found, std::move(message)};
}

} // namespace kiln::tool
