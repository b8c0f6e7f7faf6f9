// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/host/executable.h"

#include "codeobj/elf.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

namespace kiln::device::host {

namespace {

// What generated code may call without saying so: libm, the compiler's helpers (half, 128-bit integers), memcpy.
void provide_libraries() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (const char* name : {"libc.so.6", "libm.so.6", "libgcc_s.so.1"})
      dlopen(name, RTLD_NOW | RTLD_GLOBAL);
  });
}

// dlopen takes a path it has seen for the library it knows, and descriptor numbers come again. So every load spells its
// path in another way: the bits of a counter as "/" or "/./".
std::string unique_path(int descriptor) {
  static std::atomic<uint64_t> counter;
  std::string path = "/proc/self/fd";
  for (uint64_t bits = ++counter; bits; bits >>= 1)
    path += bits & 1 ? "/." : "/";
  return path + "/" + std::to_string(descriptor);
}

} // namespace

HostKernel::HostKernel(codeobj::KernelMetadata metadata, const host_abi::KernelDescriptor& descriptor)
    : metadata_(std::move(metadata)), descriptor_(descriptor) {
  for (const codeobj::KernelArgument& argument : metadata_.arguments)
    if (!argument.hidden())
      explicit_size_ = std::max(explicit_size_, argument.offset + argument.size);
}

HostExecutable::~HostExecutable() {
  if (library_)
    dlclose(library_);
}

Result<std::unique_ptr<Executable>> HostExecutable::load(ByteView image, ByteView metadata,
                                                         const SymbolResolver& resolve, uint32_t wave_size) {
  std::unique_ptr<HostExecutable> self(new HostExecutable);
  KILN_TRY(self->open(image));
  KILN_TRY(self->fill_slots(image, resolve));
  if (metadata.empty()) {
    KILN_ASSIGN(metadata, codeobj::find_metadata_note(image));
  }
  KILN_TRY(self->add_kernels(metadata, wave_size));
  return std::unique_ptr<Executable>(std::move(self));
}

Result<void> HostExecutable::open(ByteView image) {
  provide_libraries();
  int descriptor = memfd_create("kiln-kernel", MFD_CLOEXEC);
  if (descriptor < 0)
    return Error{ErrorCode::io,
                 std::string("loading a host image: cannot make a file in memory: ") + std::strerror(errno)};
  for (size_t done = 0; done < image.size();) {
    ssize_t put = write(descriptor, image.data() + done, image.size() - done);
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0) {
      int problem = errno;
      close(descriptor);
      return Error{ErrorCode::io, std::string("loading a host image: ") + std::strerror(problem)};
    }
    done += size_t(put);
  }
  library_ = dlopen(unique_path(descriptor).c_str(), RTLD_NOW | RTLD_LOCAL);
  close(descriptor); // the mapping stays
  if (!library_)
    return Error{ErrorCode::invalid_module, std::string("the host image cannot be loaded: ") + dlerror()};
  return {};
}

Result<void> HostExecutable::fill_slots(ByteView image, const SymbolResolver& resolve) {
  KILN_ASSIGN(codeobj::Elf elf, codeobj::Elf::parse(image));
  constexpr uint8_t object = 1;
  for (const codeobj::ElfSymbol& symbol : elf.symbols()) {
    if (symbol.type != object || symbol.section == 0 || symbol.binding == 0)
      continue;
    std::string name(symbol.name);
    if (!symbol.name.starts_with(host_abi::slot_prefix)) {
      variables_[name] = symbol.size;
      continue;
    }
    std::string variable = name.substr(std::strlen(host_abi::slot_prefix));
    void* slot = dlsym(library_, name.c_str());
    if (!slot)
      continue;
    if (!resolve)
      return Error{ErrorCode::not_found, "the image refers to the variable '" + variable +
                                             "', and nobody says where it is; compile the module as one unit"};
    KILN_ASSIGN(void* address, resolve(variable));
    std::memcpy(slot, &address, sizeof(address));
  }
  return {};
}

Result<void> HostExecutable::add_kernels(ByteView metadata, uint32_t wave_size) {
  KILN_ASSIGN(codeobj::ImageMetadata parsed, codeobj::parse_metadata(metadata));
  for (codeobj::KernelMetadata& kernel : parsed.kernels) {
    std::string name = kernel.name;
    const auto* descriptor =
        static_cast<const host_abi::KernelDescriptor*>(dlsym(library_, (host_abi::kernel_prefix + name).c_str()));
    if (!descriptor)
      return Error{ErrorCode::invalid_module, "the image has metadata for kernel '" + name + "' but not the kernel"};
    if (descriptor->version != host_abi::version)
      return Error{ErrorCode::invalid_module, "kernel '" + name + "' was compiled for version " +
                                                  std::to_string(descriptor->version) +
                                                  " of the host interface, and this is version " +
                                                  std::to_string(host_abi::version) + "; compile it again"};
    if (descriptor->wave_size != wave_size)
      return Error{ErrorCode::invalid_module, "kernel '" + name + "' was compiled for waves of " +
                                                  std::to_string(descriptor->wave_size) +
                                                  ", and the device has waves of " + std::to_string(wave_size)};
    kernels_[name] = std::make_unique<HostKernel>(std::move(kernel), *descriptor);
  }
  return {};
}

Result<Kernel*> HostExecutable::kernel(const std::string& name) {
  auto found = kernels_.find(name);
  if (found == kernels_.end())
    return Error{ErrorCode::not_found, "the image has no kernel '" + name + "'"};
  return static_cast<Kernel*>(found->second.get());
}

Result<Executable::Symbol> HostExecutable::variable(const std::string& name) {
  auto found = variables_.find(name);
  void* address = found == variables_.end() ? nullptr : dlsym(library_, name.c_str());
  if (!address)
    return Error{ErrorCode::not_found, "the image has no variable '" + name + "'"};
  return Symbol{address, found->second};
}

} // namespace kiln::device::host
