// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codeobj/kernel_metadata.h"

#include "codeobj/elf.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace kiln::codeobj {
namespace {

using nlohmann::json;

constexpr uint32_t note_amdgpu_metadata = 32;
constexpr size_t max_size = size_t(64) << 20; // of the msgpack
constexpr int max_depth = 16;                 // the real thing is 5 deep

Error bad(std::string_view what) {
  return {ErrorCode::invalid_module, "damaged kernel metadata: " + std::string(what)};
}

// The msgpack reader of the library recurses once a level: stop it before the stack does.
class DepthLimit final : public nlohmann::json_sax<json> {
public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(size_t) override { return ++depth_ <= max_depth; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return --depth_ >= 0; }
  bool start_array(size_t) override { return ++depth_ <= max_depth; }
  bool end_array() override { return --depth_ >= 0; }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

private:
  int depth_ = 0;
};

// A field that may be absent; one of another type counts as absent, a number that does not fit as damage.
struct Fields {
  const json& map;
  bool good = true;

  [[nodiscard]] const json* find(const char* key) const {
    auto at = map.find(key);
    return at == map.end() ? nullptr : &*at;
  }
  void read(const char* key, std::string& to) const {
    if (const json* value = find(key); value && value->is_string())
      to = value->get<std::string>();
  }
  void read(const char* key, bool& to) const {
    if (const json* value = find(key); value && value->is_boolean())
      to = value->get<bool>();
  }
  void read(const char* key, uint32_t& to) {
    const json* value = find(key);
    if (!value || !value->is_number_integer())
      return;
    bool fits = value->is_number_unsigned() && value->get<uint64_t>() <= UINT32_MAX;
    good = good && fits;
    to = fits ? value->get<uint32_t>() : 0;
  }
};

// One list for both directions. K is KernelMetadata or const KernelMetadata.
template <class K, class Visit> void each_field(K& kernel, Visit visit) {
  // clang-format off
  visit(".name",                       kernel.name);
  visit(".symbol",                     kernel.symbol);
  visit(".kernarg_segment_size",       kernel.kernarg_size);
  visit(".kernarg_segment_align",      kernel.kernarg_align);
  visit(".group_segment_fixed_size",   kernel.group_size);
  visit(".private_segment_fixed_size", kernel.private_size);
  visit(".wavefront_size",             kernel.wave_size);
  visit(".max_flat_workgroup_size",    kernel.max_block_size);
  visit(".sgpr_count",                 kernel.sgprs);
  visit(".vgpr_count",                 kernel.vgprs);
  visit(".agpr_count",                 kernel.agprs);
  visit(".sgpr_spill_count",           kernel.sgpr_spills);
  visit(".vgpr_spill_count",           kernel.vgpr_spills);
  visit(".uses_dynamic_stack",         kernel.uses_dynamic_stack);
  // clang-format on
}
template <class A, class Visit> void each_argument_field(A& argument, Visit visit) {
  visit(".name", argument.name);
  visit(".value_kind", argument.value_kind);
  visit(".address_space", argument.address_space);
  visit(".offset", argument.offset);
  visit(".size", argument.size);
}

Result<KernelMetadata> read_kernel(const json& map) {
  if (!map.is_object())
    return bad("a kernel is not a map");
  KernelMetadata kernel;
  Fields fields{map};
  each_field(kernel, [&](const char* key, auto& field) { fields.read(key, field); });
  if (kernel.name.empty())
    return bad("a kernel has no name");
  if (const json* arguments = fields.find(".args"); arguments && arguments->is_array())
    for (const json& row : *arguments) {
      if (!row.is_object())
        return bad("an argument of " + kernel.name + " is not a map");
      KernelArgument argument;
      Fields argument_fields{row};
      each_argument_field(argument, [&](const char* key, auto& field) { argument_fields.read(key, field); });
      if (!argument_fields.good || argument.offset > UINT32_MAX - argument.size)
        return bad("an argument of " + kernel.name + " has an offset or size beyond 4 GiB");
      kernel.arguments.push_back(std::move(argument));
    }
  if (!fields.good)
    return bad("a number of " + kernel.name + " does not fit 32 bits");
  std::sort(kernel.arguments.begin(), kernel.arguments.end(), [](const KernelArgument& a, const KernelArgument& b) {
    return std::tuple(a.hidden(), a.offset) < std::tuple(b.hidden(), b.offset);
  });
  return kernel;
}

} // namespace

const KernelMetadata* ImageMetadata::find(std::string_view kernel) const {
  auto at = std::find_if(kernels.begin(), kernels.end(), [&](const KernelMetadata& k) { return k.name == kernel; });
  return at == kernels.end() ? nullptr : &*at;
}

Result<ImageMetadata> parse_metadata(ByteView msgpack) {
  if (msgpack.size() > max_size)
    return bad("larger than 64 MiB");
  const auto* begin = reinterpret_cast<const uint8_t*>(msgpack.data());
  const auto* end = begin + msgpack.size();
  DepthLimit limit;
  if (!json::sax_parse(begin, end, &limit, json::input_format_t::msgpack))
    return bad("not msgpack, or nested too deeply");
  json root = json::from_msgpack(begin, end, /*strict=*/true, /*allow_exceptions=*/false);
  if (!root.is_object())
    return bad("not a msgpack map");
  ImageMetadata image;
  Fields fields{root};
  fields.read("amdhsa.target", image.target);
  if (const json* kernels = fields.find("amdhsa.kernels"); kernels && kernels->is_array())
    for (const json& row : *kernels) {
      KILN_ASSIGN(KernelMetadata kernel, read_kernel(row));
      image.kernels.push_back(std::move(kernel));
    }
  return image;
}

Bytes write_metadata(const ImageMetadata& metadata) {
  json kernels = json::array();
  for (const KernelMetadata& kernel : metadata.kernels) {
    json row = json::object();
    each_field(kernel, [&](const char* key, const auto& field) { row[key] = field; });
    json arguments = json::array();
    for (const KernelArgument& argument : kernel.arguments) {
      json argument_row = json::object();
      each_argument_field(argument, [&](const char* key, const auto& field) { argument_row[key] = field; });
      if (argument.name.empty())
        argument_row.erase(".name");
      if (argument.address_space.empty())
        argument_row.erase(".address_space");
      arguments.push_back(std::move(argument_row));
    }
    row[".args"] = std::move(arguments);
    kernels.push_back(std::move(row));
  }
  json root = {{"amdhsa.kernels", std::move(kernels)}, {"amdhsa.target", metadata.target}, {"amdhsa.version", {1, 2}}};
  std::vector<uint8_t> packed = json::to_msgpack(root);
  ByteView view = std::as_bytes(std::span(packed));
  return {view.begin(), view.end()};
}

Result<ByteView> find_metadata_note(ByteView elf_bytes) {
  KILN_ASSIGN(Elf elf, Elf::parse(elf_bytes));
  for (const ElfNote& note : elf.notes())
    if (note.type == note_amdgpu_metadata && note.name == "AMDGPU")
      return note.description;
  return Error{ErrorCode::not_found,
               "the ELF file has no AMDGPU metadata note: not an AMD code object of version 3 or later"};
}

} // namespace kiln::codeobj
