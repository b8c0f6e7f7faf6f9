// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/file.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kiln {
namespace {

class Descriptor {
public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0)
      ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }
  // Closing can report a delayed write error (NFS, quotas), so a writer closes by hand and looks.
  [[nodiscard]] bool close() {
    int fd = std::exchange(fd_, -1);
    return ::close(fd) == 0;
  }

private:
  int fd_;
};

Error io_error(const char* action, const std::filesystem::path& path) {
  return Error{errno == ENOENT ? ErrorCode::not_found : ErrorCode::io,
               std::string("cannot ") + action + " '" + path.string() + "': " + std::strerror(errno)};
}

} // namespace

Result<Bytes> read_file(const std::filesystem::path& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0)
    return io_error("open", path);
  struct stat info{};
  if (::fstat(file.get(), &info) != 0)
    return io_error("read", path);
  if (S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    return io_error("read", path);
  }
  Bytes content(static_cast<size_t>(info.st_size > 0 ? info.st_size : 0));
  size_t done = 0;
  // Pipes and /proc files report size 0, so read until the end rather than up to the size.
  for (;;) {
    if (done == content.size())
      content.resize(content.size() + 65536);
    ssize_t got = ::read(file.get(), content.data() + done, content.size() - done);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return io_error("read", path);
    if (got == 0)
      break;
    done += static_cast<size_t>(got);
  }
  content.resize(done);
  return content;
}

Result<void> write_file(const std::filesystem::path& path, ByteView content) {
  // Devices and pipes (/dev/stdout, /dev/full) are written in place: a rename would replace them.
  std::error_code ignored;
  bool in_place = std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored);
  std::string name = in_place ? path.string() : path.string() + ".tmpXXXXXX";
  Descriptor file(in_place ? ::open(name.c_str(), O_WRONLY | O_CLOEXEC) : ::mkostemp(name.data(), O_CLOEXEC));
  if (file.get() < 0)
    return io_error("create", path);
  auto fail = [&]() -> Error {
    Error error = io_error("write", path);
    if (!in_place)
      ::unlink(name.c_str());
    return error;
  };
  for (size_t done = 0; done < content.size();) {
    ssize_t put = ::write(file.get(), content.data() + done, content.size() - done);
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      return fail();
    done += static_cast<size_t>(put);
  }
  if (!in_place) {
    mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(file.get(), 0666 & ~mask) != 0)
      return fail();
  }
  if (!file.close())
    return fail();
  if (!in_place && ::rename(name.c_str(), path.c_str()) != 0)
    return fail();
  return {};
}

Result<std::filesystem::path> install_prefix(const void* symbol) {
  Dl_info info{};
  if (::dladdr(symbol, &info) == 0 || info.dli_fname == nullptr)
    return Error{ErrorCode::not_found,
                 "cannot find where Kiln is installed: the dynamic linker does not know its library"};
  std::error_code failure;
  auto file = std::filesystem::canonical(info.dli_fname, failure);
  // A program started through PATH has a dli_fname without a folder.
  if (failure)
    file = std::filesystem::canonical("/proc/self/exe", failure);
  if (failure)
    return Error{ErrorCode::not_found, "cannot find where Kiln is installed: " + failure.message()};
  for (auto folder = file.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
    if (std::filesystem::exists(folder / "share/hip/version", failure))
      return folder;
  return Error{ErrorCode::not_found,
               "cannot find Kiln's files (share/hip/version) in any folder above '" + file.string() + "'"};
}

} // namespace kiln
