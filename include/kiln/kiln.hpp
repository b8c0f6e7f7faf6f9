// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++20 over kiln.h: handles that clean up after themselves, errors as exceptions of one type, arguments by value.
//
//   kiln::Device device = kiln::Device::get(0);
//   kiln::Module module = kiln::Module::load(bytes);
//   kiln::Buffer<float> x(device, 1024);
//   kiln::Stream stream(device);
//   stream.launch(module.kernel(device, "saxpy"), {4}, {256}, 2.0f, x.data(), 1024);
//   stream.synchronize();
#pragma once

#include <kiln/kiln.h>

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

namespace kiln {

class Failure : public std::runtime_error {
public:
  explicit Failure(kiln_status status)
      : std::runtime_error(std::string(kiln_status_name(status)) + ": " + kiln_last_error_message()), status_(status) {}
  [[nodiscard]] kiln_status status() const { return status_; }

private:
  kiln_status status_;
};

inline void check(kiln_status status) {
  if (status != KILN_OK)
    throw Failure(status);
}

// Not owned: lives as long as the process.
class Device {
public:
  [[nodiscard]] static size_t count() {
    size_t count = 0;
    check(kiln_device_count(&count));
    return count;
  }
  [[nodiscard]] static Device get(size_t index) {
    kiln_device* device = nullptr;
    check(kiln_device_get(index, &device));
    return Device(device);
  }
  [[nodiscard]] kiln_device_info info() const {
    kiln_device_info info{};
    info.struct_size = sizeof(info);
    check(kiln_device_get_info(device_, &info));
    return info;
  }
  void synchronize() const { check(kiln_device_synchronize(device_)); }
  [[nodiscard]] kiln_device* handle() const { return device_; }

private:
  explicit Device(kiln_device* device) : device_(device) {}
  kiln_device* device_;
};

// `count` elements of T in a device's memory.
template <class T> class Buffer {
public:
  Buffer(Device device, size_t count, kiln_memory_kind kind = KILN_MEMORY_DEVICE) : device_(device), count_(count) {
    void* address = nullptr;
    check(kiln_memory_allocate(device.handle(), count * sizeof(T), kind, &address));
    memory_.reset(static_cast<T*>(address));
  }
  [[nodiscard]] T* data() const { return memory_.get(); }
  [[nodiscard]] size_t size() const { return count_; }
  void upload(std::span<const T> from) {
    check_fits(from.size());
    check(kiln_memory_copy(device_.handle(), data(), from.data(), from.size_bytes()));
  }
  void download(std::span<T> to) const {
    check_fits(to.size());
    check(kiln_memory_copy(device_.handle(), to.data(), data(), to.size_bytes()));
  }

private:
  struct Free {
    void operator()(T* address) const { (void)kiln_memory_free(address); }
  };
  void check_fits(size_t elements) const {
    if (elements > count_)
      throw std::out_of_range("more elements than the kiln::Buffer has");
  }
  Device device_;
  size_t count_;
  std::unique_ptr<T, Free> memory_;
};

// Not owned: lives as long as its module.
class Kernel {
public:
  explicit Kernel(kiln_kernel* kernel) : kernel_(kernel) {}
  [[nodiscard]] kiln_kernel_info info() const {
    kiln_kernel_info info{};
    info.struct_size = sizeof(info);
    check(kiln_kernel_get_info(kernel_, &info));
    return info;
  }
  [[nodiscard]] kiln_kernel* handle() const { return kernel_; }

private:
  kiln_kernel* kernel_;
};

class Module {
public:
  [[nodiscard]] static Module load(std::span<const std::byte> bytes) {
    kiln_module* module = nullptr;
    check(kiln_module_load(bytes.data(), bytes.size(), &module));
    return Module(module);
  }
  [[nodiscard]] static Module load_file(const std::string& path) {
    kiln_module* module = nullptr;
    check(kiln_module_load_file(path.c_str(), &module));
    return Module(module);
  }
  [[nodiscard]] Kernel kernel(Device device, const std::string& name) const {
    kiln_kernel* kernel = nullptr;
    check(kiln_kernel_get(module_.get(), device.handle(), name.c_str(), &kernel));
    return Kernel(kernel);
  }
  [[nodiscard]] kiln_module* handle() const { return module_.get(); }

private:
  explicit Module(kiln_module* module) : module_(module) {}
  struct Release {
    void operator()(kiln_module* module) const { kiln_module_release(module); }
  };
  std::unique_ptr<kiln_module, Release> module_;
};

class Event {
public:
  Event() {
    kiln_event* event = nullptr;
    check(kiln_event_create(&event));
    event_.reset(event);
  }
  void wait() const { check(kiln_event_wait(event_.get())); }
  [[nodiscard]] double milliseconds_since(const Event& start) const {
    double ms = 0;
    check(kiln_event_elapsed(start.handle(), handle(), &ms));
    return ms;
  }
  [[nodiscard]] kiln_event* handle() const { return event_.get(); }

private:
  struct Destroy {
    void operator()(kiln_event* event) const { kiln_event_destroy(event); }
  };
  std::unique_ptr<kiln_event, Destroy> event_;
};

class Stream {
public:
  explicit Stream(Device device, uint32_t flags = KILN_STREAM_DEFAULT) {
    kiln_stream* stream = nullptr;
    check(kiln_stream_create(device.handle(), flags, &stream));
    stream_.reset(stream);
  }
  // The arguments' types must have the sizes of the kernel's parameters: they are copied byte by byte.
  template <class... Arguments> void launch(Kernel kernel, kiln_dim3 grid, kiln_dim3 block, Arguments... arguments) {
    if (kernel.info().argument_count != sizeof...(arguments))
      throw std::invalid_argument("the kernel takes another number of arguments");
    void* values[sizeof...(arguments) + 1] = {static_cast<void*>(&arguments)..., nullptr};
    kiln_launch_config config{};
    config.struct_size = sizeof(config);
    auto whole = [](kiln_dim3 d) { return kiln_dim3{d.x, d.y ? d.y : 1, d.z ? d.z : 1}; }; // {256} means 256 x 1 x 1
    config.grid = whole(grid);
    config.block = whole(block);
    check(kiln_launch_values(stream_.get(), kernel.handle(), &config, values));
  }
  void record(const Event& event) { check(kiln_event_record(event.handle(), stream_.get())); }
  void wait_for(const Event& event) { check(kiln_stream_wait_event(stream_.get(), event.handle())); }
  void synchronize() const { check(kiln_stream_synchronize(stream_.get())); }
  [[nodiscard]] kiln_stream* handle() const { return stream_.get(); }

private:
  struct Destroy {
    void operator()(kiln_stream* stream) const { kiln_stream_destroy(stream); }
  };
  std::unique_ptr<kiln_stream, Destroy> stream_;
};

} // namespace kiln
