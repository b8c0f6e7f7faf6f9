// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/compile.h"

#include "spirv/index.h"
#include "spirv/slice.h"
#include "target/contain.h"
#include "translate/reader.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <optional>

namespace kiln::jit {
namespace {

std::string describe(const Request& request) {
  switch (request.unit) {
  case Unit::kernel:
    return "kernel '" + request.kernel + "'";
  case Unit::globals:
    return "the module's global variables";
  case Unit::module:
    break;
  }
  return "the module";
}

// The part of the module that is compiled: also a whole module, only smaller.
Result<std::vector<uint32_t>> select(const Request& request) {
  KILN_ASSIGN(spirv::ModuleIndex index, spirv::ModuleIndex::build(request.words));
  if (request.unit == Unit::globals)
    return spirv::slice_globals(index);
  if (!index.find_entry_point(request.kernel)) {
    std::string message = "the module has no kernel '" + request.kernel + "'";
    const auto& kernels = index.entry_points();
    for (size_t i = 0; i < std::min<size_t>(kernels.size(), 5); ++i)
      message += (i ? ", '" : "; it has '") + std::string(kernels[i].name) + "'";
    return Error{ErrorCode::not_found, message + (kernels.size() > 5 ? ", ..." : "")};
  }
  return spirv::slice(index, std::span(&request.kernel, 1));
}

Result<target::Image> compile_on(const target::Backend& back_end, const Request& request) {
  std::vector<uint32_t> part;
  std::span<const uint32_t> words = request.words;
  if (request.unit != Unit::module) {
    KILN_ASSIGN(part, select(request));
    words = part;
  }
  llvm::LLVMContext context;
  translate::ReadOptions options;
  options.triple = back_end.triple();
  options.data_layout = back_end.data_layout();
  options.address_spaces = back_end.address_spaces();
  options.decide_predicate = [&](std::string_view name) { return std::optional(back_end.predicate(name)); };
  auto module = translate::read(words, context, options);
  if (!module)
    return std::move(module.error()).context(describe(request));
  target::CodegenOptions codegen = request.codegen;
  codegen.define_globals = request.unit != Unit::kernel;
  return back_end.compile(std::move(*module), codegen);
}

} // namespace

Result<target::Image> compile(const Request& request) {
  KILN_ASSIGN(target::TargetId id, target::parse_target(request.target));
  KILN_ASSIGN(target::Backend * back_end, target::backend(id));
  // The outermost containment: a crash in the reader, or in taking down what a contained crash left behind, ends here.
  std::optional<Result<target::Image>> result;
  KILN_TRY(target::contain("compiling " + describe(request) + " for " + id.name(), [&]() -> Result<void> {
    result = compile_on(*back_end, request);
    return {};
  }));
  return std::move(*result);
}

} // namespace kiln::jit
