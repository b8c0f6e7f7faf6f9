// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// lld takes paths. The input is a memfd and the output a pipe, both named through /proc/self/fd, so that a compilation
// needs no writable folder and leaves nothing behind. (lld writes a regular file by renaming a temporary one beside it;
// what is not a regular file it writes in place.)
#include "target/link.h"

#include "target/contain.h"

#include <lld/Common/CommonLinkerContext.h>
#include <lld/Common/Driver.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/raw_ostream.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

LLD_HAS_DRIVER(elf)

namespace kiln::target {
namespace {

class Descriptor {
public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  void close() {
    if (fd_ >= 0)
      ::close(std::exchange(fd_, -1));
  }
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

private:
  int fd_;
};

Error system_error(const char* what) {
  return Error{ErrorCode::io, std::string("linking: ") + what + ": " + std::strerror(errno)};
}

Result<Descriptor> memory_file(ByteView content) {
  Descriptor file(::memfd_create("kiln-object", MFD_CLOEXEC));
  if (file.get() < 0)
    return system_error("cannot make a file in memory");
  for (size_t done = 0; done < content.size();) {
    ssize_t put = ::write(file.get(), content.data() + done, content.size() - done);
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      return system_error("cannot fill a file in memory");
    done += static_cast<size_t>(put);
  }
  return file;
}

std::mutex& lld_lock() {
  static std::mutex lock;
  return lock;
}

} // namespace

Result<Bytes> link_shared(ByteView object, std::span<const std::string> arguments) {
  KILN_ASSIGN(Descriptor input, memory_file(object));
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return system_error("cannot make a pipe");
  Descriptor read_end(ends[0]), write_end(ends[1]);

  Bytes image;
  std::thread reader([&] {
    std::vector<std::byte> part(65536);
    for (;;) {
      ssize_t got = ::read(read_end.get(), part.data(), part.size());
      if (got < 0 && errno == EINTR)
        continue;
      if (got <= 0)
        return;
      image.insert(image.end(), part.begin(), part.begin() + got);
    }
  });

  std::vector<std::string> texts{"ld.lld", "-shared", "--threads=1"};
  texts.insert(texts.end(), arguments.begin(), arguments.end());
  texts.insert(texts.end(), {"-o", write_end.path(), input.path()});
  std::vector<const char*> pointers;
  for (const std::string& text : texts)
    pointers.push_back(text.c_str());

  llvm::SmallString<256> messages;
  bool linked = false;
  Result<void> outcome;
  {
    std::lock_guard guard(lld_lock());
    outcome = contain("linking", [&]() -> Result<void> {
      llvm::raw_svector_ostream stream(messages);
      linked = lld::elf::link(pointers, stream, stream, /*exitEarly=*/false, /*disableOutput=*/false);
      return {};
    });
    auto cleaned = contain("ending the linker", []() -> Result<void> {
      lld::CommonLinkerContext::destroy();
      return {};
    });
    if (outcome.ok() && !cleaned.ok())
      outcome = std::move(cleaned);
  }
  write_end.close();
  reader.join();
  if (!outcome || !linked) {
    std::string text =
        messages.empty() ? (outcome.ok() ? "unknown reason" : outcome.error().message) : messages.str().trim().str();
    for (char& c : text)
      if (c == '\n')
        c = ' ';
    return Error{ErrorCode::compile_failed, "linking the machine code failed: " + text};
  }
  return image;
}

} // namespace kiln::target
