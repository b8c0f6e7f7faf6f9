// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Public C API: modules, kernels, and what their compilation cost.
#include "runtime/api_internal.h"
#include "runtime/registry.h"
#include "support/file.h"

using namespace kiln;
using namespace kiln::runtime;

namespace {

kiln_status give_module(Result<std::shared_ptr<Module>> loaded, kiln_module** module) {
  auto handle = std::make_unique<kiln_module>();
  KILN_API_ASSIGN(handle->module, std::move(loaded));
  KILN_API_ASSIGN(handle->kernel_names, handle->module->kernel_names());
  *module = handle.release();
  return KILN_OK;
}

std::vector<const codeobj::KernelArgument*> explicit_arguments(const codeobj::KernelMetadata& kernel) {
  std::vector<const codeobj::KernelArgument*> arguments;
  for (const codeobj::KernelArgument& argument : kernel.arguments)
    if (!argument.hidden())
      arguments.push_back(&argument);
  return arguments;
}

kiln_status give_record(const JitRecord* from, kiln_jit_record* record) {
  if (!from)
    return fail(Error{ErrorCode::not_found, "no such kernel was made ready in this process"});
  kiln_jit_record to{};
  to.kernel = from->kernel.c_str();
  to.device = from->device.c_str();
  to.tier = from->tier.c_str();
  to.code_ms = from->compile_ms;
  to.load_ms = from->load_ms;
  to.spirv_bytes = from->spirv_bytes;
  to.image_bytes = from->image_bytes;
  return give(to, record);
}

} // namespace

kiln_status kiln_module_load(const void* bytes, size_t size, kiln_module** module) {
  if (!bytes || !module)
    return invalid("bytes or module is NULL");
  const ByteView view(static_cast<const std::byte*>(bytes), size);
  return give_module(Module::load(view, Keep::copy, Runtime::instance().toolchain()), module);
}

kiln_status kiln_module_load_file(const char* path, kiln_module** module) {
  if (!path || !module)
    return invalid("path or module is NULL");
  KILN_API_ASSIGN(Bytes bytes, read_file(path));
  return give_module(Module::load(bytes, Keep::copy, Runtime::instance().toolchain()), module);
}

kiln_status kiln_module_load_fat_binary(const void* wrapper, kiln_module** module) {
  if (!wrapper || !module)
    return invalid("wrapper or module is NULL");
  return give_module(Module::load_wrapper(wrapper, Keep::copy, Runtime::instance().toolchain()), module);
}

void kiln_module_release(kiln_module* module) {
  const std::unique_ptr<kiln_module> owner(module);
}

kiln_status kiln_module_kernel_count(kiln_module* module, size_t* count) {
  if (!module || !count)
    return invalid("module or count is NULL");
  *count = module->kernel_names.size();
  return KILN_OK;
}

kiln_status kiln_module_kernel_name(kiln_module* module, size_t index, const char** name) {
  if (!module || !name || index >= module->kernel_names.size())
    return invalid("module or name is NULL, or index is not below kiln_module_kernel_count");
  *name = module->kernel_names[index].c_str();
  return KILN_OK;
}

kiln_status kiln_module_variable(kiln_module* module, kiln_device* device, const char* name, void** address,
                                 size_t* size) {
  if (!module || !device || !name || !address || !size)
    return invalid("an argument is NULL");
  KILN_API_ASSIGN(device::Executable::Symbol symbol, module->module->variable(*unwrap(device), name));
  *address = symbol.address;
  *size = symbol.size;
  return KILN_OK;
}

kiln_status kiln_kernel_get(kiln_module* module, kiln_device* device, const char* name, kiln_kernel** kernel) {
  if (!module || !device || !name || !kernel)
    return invalid("an argument is NULL");
  KILN_API_ASSIGN(const LoadedKernel* loaded, module->module->kernel(*unwrap(device), name));
  *kernel = reinterpret_cast<kiln_kernel*>(const_cast<LoadedKernel*>(loaded));
  return KILN_OK;
}

kiln_status kiln_kernel_get_info(kiln_kernel* kernel, kiln_kernel_info* info) {
  if (!kernel)
    return invalid("kernel is NULL");
  const codeobj::KernelMetadata& from = unwrap(kernel)->kernel->metadata();
  const auto arguments = explicit_arguments(from);
  kiln_kernel_info to{};
  to.name = from.name.c_str();
  to.argument_count = arguments.size();
  for (const auto* argument : arguments)
    to.arguments_size = std::max<size_t>(to.arguments_size, size_t(argument->offset) + argument->size);
  to.static_local_memory = from.group_size;
  to.private_memory = from.private_size;
  to.max_threads_per_block = from.max_block_size;
  to.wave_size = from.wave_size;
  to.vector_registers = from.vgprs;
  to.scalar_registers = from.sgprs;
  return give(to, info);
}

kiln_status kiln_kernel_argument(kiln_kernel* kernel, size_t index, kiln_argument_info* info) {
  if (!kernel)
    return invalid("kernel is NULL");
  const auto arguments = explicit_arguments(unwrap(kernel)->kernel->metadata());
  if (index >= arguments.size())
    return invalid("index is not below the kernel's argument_count");
  kiln_argument_info to{};
  to.name = arguments[index]->name.c_str();
  to.value_kind = arguments[index]->value_kind.c_str();
  to.address_space = arguments[index]->address_space.c_str();
  to.offset = arguments[index]->offset;
  to.size = arguments[index]->size;
  return give(to, info);
}

kiln_status kiln_kernel_occupancy(kiln_kernel* kernel, uint32_t block_size, uint32_t dynamic_local_memory,
                                  uint32_t* blocks) {
  if (!kernel || !blocks || block_size == 0)
    return invalid("kernel or blocks is NULL, or block_size is 0");
  const LoadedKernel& loaded = *unwrap(kernel);
  KILN_API_ASSIGN(*blocks, loaded.context->device().occupancy(*loaded.kernel, block_size, dynamic_local_memory));
  return KILN_OK;
}

kiln_status kiln_jit_count(size_t* count) {
  if (!count)
    return invalid("count is NULL");
  *count = Runtime::instance().jit_log().all().size();
  return KILN_OK;
}

kiln_status kiln_jit_get(size_t index, kiln_jit_record* record) {
  const auto records = Runtime::instance().jit_log().all();
  return give_record(index < records.size() ? records[index] : nullptr, record);
}

kiln_status kiln_jit_find(const char* kernel, const char* device, kiln_jit_record* record) {
  if (!kernel)
    return invalid("kernel is NULL");
  return give_record(Runtime::instance().jit_log().find(kernel, device ? device : ""), record);
}

kiln_status kiln_jit_find_function(const void* function, const char* device, kiln_jit_record* record) {
  const std::string name = Registry::instance().kernel_name(function);
  if (name.empty())
    return invalid("the address is not that of a __global__ function");
  return kiln_jit_find(name.c_str(), device, record);
}
