// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C interface of libkiln-compiler.so over jit::compile. Nothing is thrown across it and nothing ends the process.
#include "jit/build_id.h"
#include "jit/compile.h"

#include <kiln/compiler.h>

#include <exception>
#include <new>

namespace {

using namespace kiln;

// What the caller gets a pointer to, with the storage behind its pointers.
struct Owned : kiln_compile_result {
  target::Image storage;
  std::string text;
};

kiln_compile_status status_of(ErrorCode code) {
  switch (code) {
  case ErrorCode::invalid_module:
    return KILN_COMPILE_INVALID_MODULE;
  case ErrorCode::unsupported:
    return KILN_COMPILE_UNSUPPORTED;
  case ErrorCode::not_found:
    return KILN_COMPILE_NOT_FOUND;
  case ErrorCode::invalid_argument:
    return KILN_COMPILE_INVALID_ARGUMENT;
  default:
    return KILN_COMPILE_FAILED;
  }
}

void fill(Owned& owned, kiln_compile_status status) {
  owned.status = status;
  owned.message = owned.text.c_str();
  owned.image = reinterpret_cast<const uint8_t*>(owned.storage.bytes.data());
  owned.image_size = owned.storage.bytes.size();
  owned.metadata = reinterpret_cast<const uint8_t*>(owned.storage.metadata.data());
  owned.metadata_size = owned.storage.metadata.size();
}

Result<jit::Request> read_request(const kiln_compile_request* request) {
  auto refuse = [](const char* why) { return Error{ErrorCode::invalid_argument, why}; };
  if (!request || request->struct_size < sizeof(kiln_compile_request))
    return refuse("the compile request is missing or of an older version of kiln/compiler.h");
  if (!request->words || request->word_count == 0)
    return refuse("the compile request has no SPIR-V words");
  if (!request->target)
    return refuse("the compile request names no target");
  if (request->unit > KILN_UNIT_MODULE || request->output > KILN_OUTPUT_LLVM_IR)
    return refuse("the compile request asks for an unknown unit or output");
  if (request->unit == KILN_UNIT_KERNEL && (!request->kernel || !*request->kernel))
    return refuse("the compile request names no kernel");
  if (request->opt_level > 3)
    return refuse("the optimisation level must be 0, 1, 2 or 3");
  static constexpr jit::Unit units[] = {jit::Unit::kernel, jit::Unit::globals, jit::Unit::module};
  static constexpr target::Output outputs[] = {target::Output::image, target::Output::object, target::Output::assembly,
                                               target::Output::llvm_ir};
  jit::Request result;
  result.words = {request->words, request->word_count};
  result.kernel = request->kernel ? request->kernel : "";
  result.unit = units[request->unit];
  result.target = request->target;
  result.codegen.wave_size = request->wave_size;
  result.codegen.opt_level = request->opt_level;
  result.codegen.code_object_version = request->code_object_version ? request->code_object_version : 5;
  result.codegen.output = outputs[request->output];
  return result;
}

Result<target::Image> compile(const kiln_compile_request* request) {
  KILN_ASSIGN(jit::Request parsed, read_request(request));
  return jit::compile(parsed);
}

// Given out when there is no memory for anything else; never freed.
kiln_compile_result out_of_memory{KILN_COMPILE_FAILED, "out of memory while compiling", nullptr, 0, nullptr, 0};

} // namespace

kiln_compile_result* kiln_compile(const kiln_compile_request* request) {
  try {
    auto owned = std::make_unique<Owned>();
    auto image = compile(request);
    if (image)
      owned->storage = std::move(*image);
    else
      owned->text = std::move(image.error().message);
    fill(*owned, image ? KILN_COMPILE_OK : status_of(image.error().code));
    return owned.release();
  } catch (const std::exception&) { // only allocation throws here
    return &out_of_memory;
  }
}

void kiln_compile_result_free(kiln_compile_result* result) {
  if (result != &out_of_memory)
    delete static_cast<Owned*>(result);
}

const char* kiln_compiler_build_id(void) {
  static const std::string id = [] {
    auto found = jit::compiler_build_id();
    // Without an id nothing may be taken from a cache: an empty one says so.
    return found ? *found : std::string();
  }();
  return id.c_str();
}

const char* const* kiln_compiler_targets(void) {
  static const std::vector<const char*> names = [] {
    std::vector<const char*> pointers;
    for (const std::string& name : target::known_targets())
      pointers.push_back(name.c_str());
    pointers.push_back(nullptr);
    return pointers;
  }();
  return names.data();
}
