// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/jit_log.h"

#include "runtime/log.h"

#include <cstdio>

namespace kiln::runtime {

const JitRecord* JitLog::add(JitRecord record) {
  if (log_enabled(LogLevel::info)) {
    char line[512];
    std::snprintf(line, sizeof(line), "%s for %s: %s, code %.2f ms, load %.2f ms, SPIR-V %llu bytes, image %llu bytes",
                  record.kernel.empty() ? "global variables" : record.kernel.c_str(), record.device.c_str(),
                  record.tier.c_str(), record.compile_ms, record.load_ms, (unsigned long long)record.spirv_bytes,
                  (unsigned long long)record.image_bytes);
    log(LogLevel::info, line);
  }
  std::lock_guard lock(mutex_);
  records_.push_back(std::make_unique<const JitRecord>(std::move(record)));
  return records_.back().get();
}

std::vector<const JitRecord*> JitLog::all() const {
  std::lock_guard lock(mutex_);
  std::vector<const JitRecord*> pointers;
  for (const auto& record : records_)
    pointers.push_back(record.get());
  return pointers;
}

const JitRecord* JitLog::find(const std::string& kernel, const std::string& device) const {
  std::lock_guard lock(mutex_);
  for (auto record = records_.rbegin(); record != records_.rend(); ++record)
    if ((*record)->kernel == kernel && (device.empty() || (*record)->device == device))
      return record->get();
  return nullptr;
}

} // namespace kiln::runtime
