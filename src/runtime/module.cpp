// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/module.h"

#include "codeobj/fatbin.h"
#include "runtime/log.h"

#include <cstdlib>

namespace kiln::runtime {
namespace {

// Read each time, not once: programs and tests set it before they load a module.
bool force_spirv() {
  const char* text = std::getenv("HIP_FORCE_SPIRV_CODEOBJECT");
  return text && *text && std::string_view(text) != "0";
}

} // namespace

Result<std::shared_ptr<Module>> Module::load(ByteView bytes, Keep keep, Toolchain toolchain,
                                             std::vector<ManagedVariable> managed) {
  KILN_ASSIGN(ModuleSource source, ModuleSource::load(bytes, keep));
  return std::shared_ptr<Module>(new Module(std::move(source), toolchain, std::move(managed)));
}

Result<std::shared_ptr<Module>> Module::load_at(const void* image, Toolchain toolchain) {
  KILN_ASSIGN(ByteView bytes, codeobj::image_at(image));
  return load(bytes, Keep::copy, toolchain);
}

Result<std::shared_ptr<Module>> Module::load_wrapper(const void* wrapper, Keep keep, Toolchain toolchain,
                                                     std::vector<ManagedVariable> managed) {
  KILN_ASSIGN(ByteView bytes, codeobj::fat_binary_of(wrapper));
  return load(bytes, keep, toolchain, std::move(managed));
}

Result<const spirv::ModuleIndex*> Module::index() {
  std::call_once(index_once_, [&] {
    auto build = [&]() -> Result<spirv::ModuleIndex> {
      KILN_ASSIGN(words_, spirv::load_words(source_.spirv()));
      return spirv::ModuleIndex::build(words_);
    };
    index_.emplace(build());
  });
  if (!index_->ok())
    return index_->error();
  return &**index_;
}

Result<std::shared_ptr<Program>> Module::program(DeviceContext& context) {
  PerDevice* place = nullptr;
  {
    std::lock_guard lock(devices_mutex_);
    auto& entry = devices_[&context];
    if (!entry)
      entry = std::make_unique<PerDevice>();
    place = entry.get();
  }
  std::lock_guard lock(place->mutex);
  if (!place->program) {
    auto make = [&]() -> Result<std::shared_ptr<Program>> {
      KILN_ASSIGN(Choice choice, source_.choose(context.info(), force_spirv()));
      log(LogLevel::debug, context.info().id + " takes '" + choice.id + "' of a module with " + source_.contents());
      const spirv::ModuleIndex* spirv_index = nullptr;
      if (choice.spirv) {
        KILN_ASSIGN(spirv_index, index());
      }
      return std::make_shared<Program>(spirv_index, managed_, choice, context, toolchain_);
    };
    place->program.emplace(make());
    if (!place->program->ok())
      log(LogLevel::error, place->program->error().message);
  }
  return *place->program;
}

Result<const LoadedKernel*> Module::kernel(DeviceContext& context, const std::string& name) {
  KILN_ASSIGN(std::shared_ptr<Program> program, this->program(context));
  return program->kernel(name);
}

Result<device::Executable::Symbol> Module::variable(DeviceContext& context, const std::string& name) {
  KILN_ASSIGN(std::shared_ptr<Program> program, this->program(context));
  return program->variable(name);
}

Result<std::vector<std::string>> Module::kernel_names() {
  std::vector<std::string> names;
  if (source_.spirv().empty())
    return names;
  KILN_ASSIGN(const spirv::ModuleIndex* spirv_index, index());
  for (const spirv::EntryPoint& entry : spirv_index->entry_points())
    names.emplace_back(entry.name);
  return names;
}

void Module::unload(const DeviceContext& context) {
  std::unique_ptr<PerDevice> old;
  std::lock_guard lock(devices_mutex_);
  if (auto found = devices_.find(&context); found != devices_.end()) {
    old = std::move(found->second);
    devices_.erase(found);
  }
}

} // namespace kiln::runtime
