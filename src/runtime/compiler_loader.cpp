// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compiler.h"
#include "runtime/log.h"
#include "support/file.h"

#include <chrono>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <mutex>
#include <optional>

namespace kiln::runtime {
namespace {

constexpr const char* library_name = "libkiln-compiler.so";

// Any object of this library: its address tells where the library lies.
const char anchor = 0;

struct StatusRow {
  kiln_compile_status status;
  ErrorCode code;
};
constexpr StatusRow status_rows[] = {
    {KILN_COMPILE_INVALID_MODULE, ErrorCode::invalid_module},
    {KILN_COMPILE_UNSUPPORTED, ErrorCode::unsupported},
    {KILN_COMPILE_NOT_FOUND, ErrorCode::not_found},
    {KILN_COMPILE_FAILED, ErrorCode::compile_failed},
    {KILN_COMPILE_INVALID_ARGUMENT, ErrorCode::invalid_argument},
};

ErrorCode code_of(kiln_compile_status status) {
  for (const StatusRow& row : status_rows)
    if (row.status == status)
      return row.code;
  return ErrorCode::compile_failed;
}

struct Library {
  decltype(&kiln_compile) compile = nullptr;
  decltype(&kiln_compile_result_free) free_result = nullptr;
  std::string build_id;
};

std::vector<std::filesystem::path> candidates() {
  if (const char* chosen = std::getenv("KILN_COMPILER"); chosen && *chosen)
    return {chosen};
  std::vector<std::filesystem::path> paths;
  Dl_info info{};
  if (dladdr(&anchor, &info) && info.dli_fname) {
    std::error_code ignored;
    const auto here = std::filesystem::weakly_canonical(info.dli_fname, ignored).parent_path();
    paths.push_back(here / library_name);
    paths.push_back(here.parent_path() / "lib" / library_name);
  }
  if (paths.empty())
    paths.emplace_back(library_name); // the dynamic linker's own search
  return paths;
}

Result<Library> open_library() {
  std::string tried;
  for (const auto& path : candidates()) {
    std::error_code ignored;
    if (path.has_parent_path() && !std::filesystem::exists(path, ignored)) {
      tried += (tried.empty() ? "" : ", ") + path.string() + " (no such file)";
      continue;
    }
    // RTLD_LOCAL: LLVM's symbols must not mix with another LLVM in the program (Mesa, PyTorch).
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
      const char* reason = dlerror();
      tried += (tried.empty() ? "" : ", ") + path.string() + " (" + (reason ? reason : "unknown reason") + ")";
      continue;
    }
    Library library;
    library.compile = reinterpret_cast<decltype(library.compile)>(dlsym(handle, "kiln_compile"));
    library.free_result = reinterpret_cast<decltype(library.free_result)>(dlsym(handle, "kiln_compile_result_free"));
    auto* build_id = reinterpret_cast<decltype(&kiln_compiler_build_id)>(dlsym(handle, "kiln_compiler_build_id"));
    if (!library.compile || !library.free_result || !build_id) {
      dlclose(handle);
      tried += (tried.empty() ? "" : ", ") + path.string() + " (not Kiln's compiler)";
      continue;
    }
    library.build_id = build_id();
    return library; // never closed: LLVM keeps state that outlives us
  }
  return Error{ErrorCode::compile_failed, "kiln's compiler cannot be loaded; tried " + tried +
                                              "; set KILN_COMPILER to the path of " + library_name};
}

class CompilerLoader final : public Compiler {
public:
  Result<std::string> build_id() override {
    KILN_ASSIGN(const Library* library, load());
    return library->build_id;
  }

  Result<cache::Entry> compile(const CompileJob& job) override {
    KILN_ASSIGN(const Library* library, load());
    kiln_compile_request request{};
    request.struct_size = sizeof(request);
    request.words = job.words.data();
    request.word_count = job.words.size();
    request.kernel = job.unit == KILN_UNIT_KERNEL ? job.kernel.c_str() : nullptr;
    request.target = job.target.c_str();
    request.unit = job.unit;
    request.output = KILN_OUTPUT_IMAGE;
    request.wave_size = job.wave_size;
    request.opt_level = job.opt_level;
    const std::unique_ptr<kiln_compile_result, decltype(library->free_result)> result(library->compile(&request),
                                                                                      library->free_result);
    if (result->status != KILN_COMPILE_OK)
      return Error{code_of(result->status), result->message};
    auto bytes = [](const uint8_t* data, size_t size) {
      const auto* first = reinterpret_cast<const std::byte*>(data);
      return Bytes(first, first + size);
    };
    return cache::Entry{bytes(result->image, result->image_size), bytes(result->metadata, result->metadata_size)};
  }

private:
  Result<const Library*> load() {
    std::lock_guard lock(mutex_);
    if (!library_) {
      const auto start = std::chrono::steady_clock::now();
      library_ = open_library(); // a failure is kept too: the file will not appear while we run
      const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
      if (library_->ok())
        log(LogLevel::info, "loaded the compiler in " + std::to_string(ms.count()).substr(0, 5) + " ms");
    }
    if (!library_->ok())
      return library_->error();
    return &**library_;
  }

  std::mutex mutex_; // guards library_ until it is set
  std::optional<Result<Library>> library_;
};

} // namespace

std::unique_ptr<Compiler> make_compiler_loader() {
  return std::make_unique<CompilerLoader>();
}

} // namespace kiln::runtime
