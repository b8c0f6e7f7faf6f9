// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One module on one device. Nothing is made before it is asked for, and each thing once: a kernel is sliced out of the
// module, looked up in the caches, compiled on a miss and loaded when it is first needed; the module's global variables
// are one image of their own, made when first referred to. A native code object is loaded whole.
#pragma once

#include "cache/chain.h"
#include "device/device.h"
#include "runtime/compiler.h"
#include "runtime/device_context.h"
#include "runtime/jit_log.h"
#include "runtime/module_source.h"
#include "spirv/index.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>

namespace kiln::runtime {

// A __managed__ variable: lives in memory that host and device both reach; the module has a pointer variable `name`
// that must hold its address.
struct ManagedVariable {
  std::string name;
  void* address = nullptr;
  uint64_t size = 0;
};

// What programs share: the way from SPIR-V to code.
struct Toolchain {
  Compiler& compiler;
  cache::Chain& caches;
  JitLog& jit_log;
};

struct LoadedKernel {
  device::Kernel* kernel = nullptr; // lives in an executable of the program
  const JitRecord* jit = nullptr;
  DeviceContext* context = nullptr;
};

// Thread-safe.
class Program {
public:
  Program(const spirv::ModuleIndex* index, const std::vector<ManagedVariable>& managed, Choice choice,
          DeviceContext& context, Toolchain toolchain)
      : index_(index), managed_(managed), choice_(choice), context_(context), toolchain_(toolchain) {}

  Result<const LoadedKernel*> kernel(const std::string& name);
  Result<device::Executable::Symbol> variable(const std::string& name);

private:
  struct Code {
    cache::EntryPtr entry;
    JitRecord record;
  };
  struct KernelSlot {
    std::once_flag once;
    std::optional<Result<LoadedKernel>> outcome;
    std::unique_ptr<device::Executable> executable;
  };

  Result<LoadedKernel> make_kernel(KernelSlot& slot, const std::string& name);
  Result<Code> make_code(const CompileJob& job);
  Result<void> load_shared(); // the native object, or the global variables
  Result<device::Executable*> shared();

  const spirv::ModuleIndex* index_; // null: native only
  const std::vector<ManagedVariable>& managed_;
  const Choice choice_;
  DeviceContext& context_;
  const Toolchain toolchain_;

  std::once_flag shared_once_;
  std::optional<Result<void>> shared_outcome_;
  std::unique_ptr<device::Executable> shared_executable_;
  const JitRecord* shared_record_ = nullptr;

  std::shared_mutex slots_mutex_; // guards the map, not the slots
  std::map<std::string, std::unique_ptr<KernelSlot>, std::less<>> slots_;
};

} // namespace kiln::runtime
