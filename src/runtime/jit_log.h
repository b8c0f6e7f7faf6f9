// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What became of each unit that had to be made ready in this process: how long it took and where the code came from.
// The public API reads it (kiln_jit_find), KILN_LOG=info prints it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace kiln::runtime {

struct JitRecord {
  std::string kernel;    // "" for a module's global variables
  std::string device;    // DeviceInfo::id
  std::string tier;      // "compiler", "native", or the name of the cache tier that had it
  double compile_ms = 0; // finding or making the code: slicing, hashing, cache look-ups, compilation
  double load_ms = 0;    // loading it on the device
  uint64_t spirv_bytes = 0;
  uint64_t image_bytes = 0;
};

// Thread-safe. Records stay where they are.
class JitLog {
public:
  const JitRecord* add(JitRecord record);
  [[nodiscard]] std::vector<const JitRecord*> all() const;
  // The latest record of `kernel`, on `device` unless that is empty; null if there is none.
  [[nodiscard]] const JitRecord* find(const std::string& kernel, const std::string& device) const;

private:
  mutable std::mutex mutex_; // guards records_
  std::vector<std::unique_ptr<const JitRecord>> records_;
};

} // namespace kiln::runtime
