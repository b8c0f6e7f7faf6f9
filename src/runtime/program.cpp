// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program.h"

#include "runtime/log.h"
#include "spirv/slice.h"

#include <algorithm>
#include <chrono>

namespace kiln::runtime {
namespace {

class Stopwatch {
public:
  [[nodiscard]] double ms() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
  }

private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

bool is_global(const spirv::Variable& variable) {
  return variable.storage == spv::StorageClass::CrossWorkgroup ||
         variable.storage == spv::StorageClass::UniformConstant;
}

} // namespace

Result<const LoadedKernel*> Program::kernel(const std::string& name) {
  KernelSlot* slot = nullptr;
  {
    std::shared_lock lock(slots_mutex_);
    if (auto found = slots_.find(name); found != slots_.end())
      slot = found->second.get();
  }
  if (!slot) {
    std::unique_lock lock(slots_mutex_);
    auto& place = slots_[name];
    if (!place)
      place = std::make_unique<KernelSlot>();
    slot = place.get();
  }
  std::call_once(slot->once, [&] { slot->outcome.emplace(make_kernel(*slot, name)); });
  if (!slot->outcome->ok())
    return slot->outcome->error();
  return &**slot->outcome;
}

Result<LoadedKernel> Program::make_kernel(KernelSlot& slot, const std::string& name) {
  if (!choice_.spirv) {
    KILN_ASSIGN(device::Executable * executable, shared());
    KILN_ASSIGN(device::Kernel * kernel, executable->kernel(name));
    return LoadedKernel{kernel, shared_record_, &context_};
  }
  if (!index_->find_entry_point(name))
    return Error{ErrorCode::not_found, "the module has no kernel '" + name + "'"};

  auto failed = [&](Error error) {
    error = std::move(error).context("kernel '" + name + "' for " + context_.info().id);
    log(LogLevel::error, error.message);
    return error;
  };
  Stopwatch whole;
  auto words = spirv::slice(*index_, std::span(&name, 1));
  if (!words)
    return failed(std::move(words.error()));
  CompileJob job;
  job.words = *words;
  job.kernel = name;
  auto code = make_code(job);
  if (!code)
    return failed(std::move(code.error()));
  code->record.compile_ms = whole.ms();

  Stopwatch load;
  auto executable = context_.device().load(code->entry->image, code->entry->metadata,
                                           [&](const std::string& symbol) -> Result<void*> {
                                             KILN_ASSIGN(device::Executable::Symbol global, variable(symbol));
                                             return global.address;
                                           });
  if (!executable)
    return failed(std::move(executable.error()));
  slot.executable = std::move(*executable);
  auto kernel = slot.executable->kernel(name);
  if (!kernel)
    return failed(std::move(kernel.error()));
  code->record.load_ms = load.ms();
  return LoadedKernel{*kernel, toolchain_.jit_log.add(std::move(code->record)), &context_};
}

// The code of a unit: from the caches, or from the compiler.
Result<Program::Code> Program::make_code(const CompileJob& unit) {
  CompileJob job = unit;
  job.target = context_.info().target;
  job.wave_size = context_.info().wave_size;
  KILN_ASSIGN(std::string build_id, toolchain_.compiler.build_id());
  cache::KeyFields fields;
  fields.unit = job.unit == KILN_UNIT_GLOBALS ? "globals" : "kernel";
  fields.kernel = job.kernel;
  fields.target = job.target;
  fields.wave_size = job.wave_size;
  fields.opt_level = job.opt_level;
  fields.compiler = std::move(build_id);
  fields.words = job.words;
  KILN_ASSIGN(cache::Chain::Found found,
              toolchain_.caches.get_or_make(cache::make_key(fields), [&] { return toolchain_.compiler.compile(job); }));
  Code code;
  code.entry = std::move(found.entry);
  code.record.kernel = job.kernel;
  code.record.device = context_.info().id;
  code.record.tier = found.tier.empty() ? "compiler" : found.tier;
  code.record.spirv_bytes = job.words.size_bytes();
  code.record.image_bytes = code.entry->image.size();
  return code;
}

Result<device::Executable*> Program::shared() {
  std::call_once(shared_once_, [&] {
    shared_outcome_ = load_shared();
    if (!*shared_outcome_) {
      Error& error = shared_outcome_->error();
      error = std::move(error).context((!choice_.spirv ? "code object for " : "global variables for ") +
                                       context_.info().id);
      log(LogLevel::error, error.message);
    }
  });
  if (!*shared_outcome_)
    return shared_outcome_->error();
  return shared_executable_.get();
}

Result<void> Program::load_shared() {
  const device::SymbolResolver none = [](const std::string& symbol) -> Result<void*> {
    return Error{ErrorCode::not_found, "the image refers to '" + symbol + "', which nothing defines"};
  };
  JitRecord record;
  Stopwatch load;
  if (!choice_.spirv) {
    record.device = context_.info().id;
    record.tier = "native";
    record.image_bytes = choice_.bytes.size();
    KILN_ASSIGN(ByteView metadata, codeobj::find_metadata_note(choice_.bytes));
    KILN_ASSIGN(shared_executable_, context_.device().load(choice_.bytes, metadata, none));
  } else {
    Stopwatch compile;
    KILN_ASSIGN(std::vector<uint32_t> words, spirv::slice_globals(*index_));
    CompileJob job;
    job.words = words;
    job.unit = KILN_UNIT_GLOBALS;
    KILN_ASSIGN(Code code, make_code(job));
    record = std::move(code.record);
    record.compile_ms = compile.ms();
    load = Stopwatch();
    KILN_ASSIGN(shared_executable_, context_.device().load(code.entry->image, code.entry->metadata, none));
  }
  for (const ManagedVariable& managed : managed_) {
    auto pointer = shared_executable_->variable(managed.name);
    if (!pointer) // no device code refers to it
      continue;
    KILN_TRY(context_.write(pointer->address, &managed.address, sizeof(managed.address)));
  }
  record.load_ms = load.ms();
  shared_record_ = toolchain_.jit_log.add(std::move(record));
  return {};
}

Result<device::Executable::Symbol> Program::variable(const std::string& name) {
  if (choice_.spirv && std::ranges::none_of(index_->variables(), is_global))
    return Error{ErrorCode::not_found, "the module has no global variable '" + name + "'"};
  KILN_ASSIGN(device::Executable * executable, shared());
  return executable->variable(name);
}

} // namespace kiln::runtime
