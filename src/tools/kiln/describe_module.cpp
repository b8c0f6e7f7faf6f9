// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spirv/grammar.h"
#include "spirv/index.h"
#include "spirv/layout.h"
#include "spirv/slice.h"
#include "tools/kiln/describe.h"
#include "tools/kiln/input.h"
#include "tools/kiln/kernel_names.h"

#include <array>

namespace kiln::tool {
namespace {

// By spirv::Argument::Kind: the value kind and address space that AMD's kernel metadata has for it.
struct KindRow {
  const char *kind, *address_space;
};
constexpr std::array<KindRow, 6> kinds{{{"by_value", ""},
                                        {"global_buffer", "global"},
                                        {"global_buffer", "constant"},
                                        {"dynamic_shared_pointer", "local"},
                                        {"global_buffer", "generic"},
                                        {"by_value", ""}}};

// The generator word: a registered tool in the high half. https://github.com/KhronosGroup/SPIRV-Headers (spir-v.xml)
struct GeneratorRow {
  uint32_t tool;
  const char* name;
};
constexpr std::array<GeneratorRow, 7> generators{{{0, ""},
                                                  {6, "Khronos LLVM/SPIR-V translator"},
                                                  {7, "Khronos SPIR-V Tools assembler"},
                                                  {14, "spiregg (DXC)"},
                                                  {17, "Khronos SPIR-V Tools linker"},
                                                  {21, "clspv"},
                                                  {43, "LLVM SPIR-V backend"}}};

std::string generator_name(uint32_t word) {
  std::string name = "tool " + std::to_string(word >> 16);
  for (const GeneratorRow& row : generators)
    if (row.tool == word >> 16)
      name = row.name;
  if ((word & 0xffff) == 0xffff)
    name += name.empty() ? "AMDGCN flavour" : ", AMDGCN flavour";
  return name.empty() ? "unknown" : name;
}

std::string enumerant(spirv::OperandKind kind, uint32_t value) {
  auto found = spirv::find_enumerant(kind, value);
  return found ? std::string(found->name) : std::to_string(value);
}

Json describe_globals(const spirv::ModuleIndex& index) {
  Json globals = Json::array();
  spirv::LayoutOf layout(index);
  for (const spirv::Variable& variable : index.variables()) {
    // What can be linked to is named by its linkage; OpName is for the rest.
    std::string linkage, name(index.name(variable.id));
    for (const spirv::Linkage& row : index.linkage()) {
      if (row.id != variable.id)
        continue;
      linkage = enumerant(spirv::OperandKind::LinkageType, static_cast<uint32_t>(row.type));
      name = row.name;
    }
    // The pointee is the last operand of OpTypePointer; an untyped pointer's variable has its size elsewhere: unknown.
    auto pointer = index.find(variable.type);
    Json size = nullptr;
    if (pointer && pointer->opcode == spv::Op::OpTypePointer)
      if (auto known = layout(pointer->word(3)))
        size = known->size;
    globals.push_back(
        {{"name", name.empty() ? "%" + std::to_string(variable.id) : name},
         {"storage", enumerant(spirv::OperandKind::StorageClass, static_cast<uint32_t>(variable.storage))},
         {"size", size},
         {"linkage", linkage.empty() ? Json(nullptr) : Json(linkage)},
         {"initialized", variable.initializer != 0}});
  }
  return globals;
}

Result<Json> describe_kernel(const spirv::ModuleIndex& index, const spirv::EntryPoint& entry) {
  std::string name(entry.name);
  const spirv::Function* function = index.find_function(entry.function);
  if (!function)
    return Error{ErrorCode::invalid_module, "kernel '" + name + "' has no function"};
  auto in_kernel = [&](Error error) { return std::move(error).context("kernel '" + name + "'"); };
  auto arguments = index.arguments(*function);
  if (!arguments)
    return in_kernel(arguments.error());
  Json list = Json::array();
  for (const spirv::Argument& argument : *arguments) {
    const KindRow& row = kinds.at(static_cast<size_t>(argument.kind));
    Json one{{"name", argument.name}, {"kind", row.kind}, {"size", argument.size}, {"offset", argument.offset}};
    if (*row.address_space)
      one["address_space"] = row.address_space;
    list.push_back(std::move(one));
  }
  auto reached = spirv::slice(index, std::array{name});
  if (!reached)
    return in_kernel(reached.error());
  return Json{{"name", name},
              {"demangled", demangled(name)},
              {"arguments", std::move(list)},
              {"function_words", function->end - function->first},
              {"slice_words", reached->size()}};
}

} // namespace

Result<std::vector<std::string>> kernel_names(std::span<const uint32_t> words) {
  KILN_ASSIGN(auto index, spirv::ModuleIndex::build(words));
  std::vector<std::string> names;
  for (const spirv::EntryPoint& entry : index.entry_points())
    names.emplace_back(entry.name);
  return names;
}

Result<Json> describe_module(ByteView bytes) {
  KILN_ASSIGN(auto words, spirv::load_words(bytes));
  KILN_ASSIGN(auto index, spirv::ModuleIndex::build(words));
  const spirv::Header& header = index.module().header();
  Json capabilities = Json::array(), extensions = Json::array(), sets = Json::array(), predicates = Json::array(),
       kernels = Json::array();
  for (spv::Capability capability : index.capabilities())
    capabilities.push_back(spirv::capability_name(capability));
  for (std::string_view extension : index.extensions())
    extensions.push_back(extension);
  for (std::string_view import : index.imports())
    sets.push_back(import);
  for (const spirv::Predicate& predicate : index.predicates())
    predicates.push_back(predicate.name);
  for (const spirv::EntryPoint& entry : index.entry_points()) {
    KILN_ASSIGN(Json kernel, describe_kernel(index, entry));
    kernels.push_back(std::move(kernel));
  }
  return Json{
      {"version", std::to_string(header.version >> 16 & 0xff) + "." + std::to_string(header.version >> 8 & 0xff)},
      {"generator", header.generator},
      {"generator_name", generator_name(header.generator)},
      {"bytes", bytes.size()},
      {"functions", index.functions().size()},
      {"capabilities", std::move(capabilities)},
      {"extensions", std::move(extensions)},
      {"instruction_sets", std::move(sets)},
      {"predicates", std::move(predicates)},
      {"globals", describe_globals(index)},
      {"kernels", std::move(kernels)}};
}

} // namespace kiln::tool
