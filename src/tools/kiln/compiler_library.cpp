// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/kiln/compiler_library.h"

#include "support/file.h"

#include <cstdlib>
#include <dlfcn.h>
#include <string>

namespace kiln::tool {
namespace {

template <class Function> bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

} // namespace

Result<const CompilerLibrary*> compiler_library() {
  static CompilerLibrary loaded;
  if (loaded.compile)
    return &loaded;
  // KILN_COMPILER names another one, as it does for the runtime.
  std::filesystem::path path;
  if (const char* chosen = std::getenv("KILN_COMPILER"); chosen && *chosen) {
    path = chosen;
  } else {
    KILN_ASSIGN(auto prefix, install_prefix(reinterpret_cast<const void*>(&compiler_library)));
    path = prefix / "lib/libkiln-compiler.so";
  }
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* reason = ::dlerror();
    return Error{ErrorCode::not_found, "cannot load the compiler: " + std::string(reason ? reason : path.string())};
  }
  CompilerLibrary found;
  if (!find(library, "kiln_compile", found.compile) || !find(library, "kiln_compile_result_free", found.free_result) ||
      !find(library, "kiln_compiler_targets", found.targets) ||
      !find(library, "kiln_compiler_build_id", found.build_id))
    return Error{ErrorCode::not_found, "'" + path.string() + "' is not Kiln's compiler, or of another version"};
  loaded = found;
  return &loaded;
}

} // namespace kiln::tool
