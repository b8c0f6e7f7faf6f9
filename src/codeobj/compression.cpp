// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codeobj/compression.h"

#include <algorithm>
#include <memory>
#include <zlib.h>
#include <zstd.h>

namespace kiln::codeobj {
namespace {

Error damaged(std::string_view what) {
  return {ErrorCode::invalid_module, "damaged compressed data: " + std::string(what)};
}

// Makes room for more output: doubles, so that memory follows what is really there and not what a header claims.
bool grow(Bytes& out, uint64_t used, uint64_t limit) {
  if (used < out.size())
    return true;
  if (out.size() >= limit)
    return false;
  out.resize(size_t(std::min<uint64_t>(limit, std::max<uint64_t>(out.size() * 2, 64 * 1024))));
  return true;
}

Error too_large(uint64_t limit) {
  return damaged("it expands to more than " + std::to_string(limit) + " bytes");
}

Result<Decompressed> decompress_zstd(ByteView input, uint64_t limit) {
  std::unique_ptr<ZSTD_DCtx, size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
  if (!context)
    return Error{ErrorCode::out_of_memory, "no memory for decompression"};
  Decompressed result;
  uint64_t used = 0;
  ZSTD_inBuffer in{input.data(), input.size(), 0};
  for (;;) {
    bool room = grow(result.bytes, used, limit);
    std::byte spare; // a frame that is exactly as long as the limit still has to end
    ZSTD_outBuffer out{room ? result.bytes.data() + used : &spare, room ? result.bytes.size() - size_t(used) : 1, 0};
    size_t before = in.pos;
    size_t left = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_isError(left))
      return damaged(ZSTD_getErrorName(left));
    if (!room && out.pos != 0)
      return too_large(limit);
    used += out.pos;
    if (left == 0)
      break;
    if (in.pos == in.size && out.pos < out.size)
      return damaged("it ends early");
    if (in.pos == before && out.pos == 0)
      return damaged("no progress");
  }
  result.bytes.resize(size_t(used));
  result.consumed = in.pos;
  return result;
}

Result<Decompressed> decompress_zlib(ByteView input, uint64_t limit) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK)
    return Error{ErrorCode::out_of_memory, "no memory for decompression"};
  std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, &inflateEnd);
  Decompressed result;
  uint64_t used = 0, taken = 0;
  constexpr uint64_t step = 1 << 30; // zlib counts in unsigned int
  for (;;) {
    bool room = grow(result.bytes, used, limit);
    std::byte spare;
    uint64_t space = room ? std::min<uint64_t>(result.bytes.size() - used, step) : 1;
    uint64_t available = std::min<uint64_t>(input.size() - taken, step);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(input.data() + taken));
    stream.avail_in = uInt(available);
    stream.next_out = reinterpret_cast<Bytef*>(room ? result.bytes.data() + used : &spare);
    stream.avail_out = uInt(space);
    int status = inflate(&stream, Z_NO_FLUSH);
    uint64_t written = space - stream.avail_out;
    if (!room && written != 0)
      return too_large(limit);
    used += written;
    taken += available - stream.avail_in;
    if (status == Z_STREAM_END)
      break;
    if (status == Z_BUF_ERROR || (status == Z_OK && taken == input.size() && stream.avail_out != 0))
      return damaged("it ends early");
    if (status != Z_OK)
      return damaged(stream.msg ? stream.msg : "not a zlib stream");
  }
  result.bytes.resize(size_t(used));
  result.consumed = taken;
  return result;
}

} // namespace

Result<Decompressed> decompress(ByteView input, Compression method, uint64_t limit) {
  return method == Compression::zstd ? decompress_zstd(input, limit) : decompress_zlib(input, limit);
}

Result<Bytes> compress(ByteView input, Compression method, int level) {
  if (method == Compression::zstd) {
    Bytes out(ZSTD_compressBound(input.size()));
    size_t size = ZSTD_compress(out.data(), out.size(), input.data(), input.size(), level);
    if (ZSTD_isError(size))
      return Error{ErrorCode::out_of_memory, std::string("zstd: ") + ZSTD_getErrorName(size)};
    out.resize(size);
    return out;
  }
  uLongf size = compressBound(uLong(input.size()));
  Bytes out(size);
  int status = compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(input.data()),
                         uLong(input.size()), level == 0 ? Z_DEFAULT_COMPRESSION : level);
  if (status != Z_OK)
    return Error{ErrorCode::out_of_memory, "zlib could not compress"};
  out.resize(size);
  return out;
}

} // namespace kiln::codeobj
