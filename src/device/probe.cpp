// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/probe.h"

#include <dlfcn.h>

namespace kiln::device {

bool library_exists(const char* name) {
  void* handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (!handle)
    return false;
  dlclose(handle);
  return true;
}

} // namespace kiln::device
