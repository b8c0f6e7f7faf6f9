// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codeobj/elf.h"
#include "codeobj/fatbin.h"
#include "codeobj/kernel_metadata.h"
#include "codeobj/test_files.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <sys/mman.h>
#include <unistd.h>

namespace kiln::codeobj {
namespace {

using testing::HasSubstr;

TEST(Elf, NamesTheTargetOfACodeObject) {
  for (const char* arch : {"gfx900", "gfx90a:sramecc+:xnack-", "gfx942", "gfx950", "gfx1100", "gfx1201", "gfx1250",
                           "gfx9-4-generic", "gfx12-generic", "gfx942:xnack+"}) {
    auto elf = Elf::parse(code_object(arch));
    ASSERT_TRUE(elf.ok()) << elf.error().message;
    EXPECT_EQ(amd_target(*elf), arch);
    EXPECT_EQ(elf->size(), code_object(arch).size());
  }
}

TEST(Elf, ReadsSectionsSymbolsAndNotes) {
  auto elf = Elf::parse(code_object("gfx942"));
  ASSERT_TRUE(elf.ok());
  ASSERT_NE(elf->find_section(".text"), nullptr);
  EXPECT_GT(elf->find_section(".text")->data.size(), 100u);
  std::vector<std::string> names;
  for (const ElfSymbol& symbol : elf->symbols())
    names.emplace_back(symbol.name);
  EXPECT_THAT(names, testing::IsSupersetOf({"saxpy", "saxpy.kd", "other", "other.kd"}));
  ASSERT_FALSE(elf->notes().empty());
  EXPECT_EQ(elf->notes()[0].name, "AMDGPU");
}

// Expected numbers are those of llvm-readelf --notes on the same object.
TEST(KernelMetadata, ReadsWhatLlvmWrote) {
  auto note = find_metadata_note(code_object("gfx942"));
  ASSERT_TRUE(note.ok()) << note.error().message;
  auto metadata = parse_metadata(*note);
  ASSERT_TRUE(metadata.ok()) << metadata.error().message;
  EXPECT_EQ(metadata->target, "amdgcn-amd-amdhsa--gfx942");
  ASSERT_EQ(metadata->kernels.size(), 2u);
  const KernelMetadata* saxpy = metadata->find("saxpy");
  ASSERT_NE(saxpy, nullptr);
  EXPECT_EQ(saxpy->symbol, "saxpy.kd");
  ASSERT_GE(saxpy->arguments.size(), 4u);
  EXPECT_EQ(saxpy->arguments[1].value_kind, "global_buffer");
  EXPECT_EQ(saxpy->arguments[1].offset, 8u);
  EXPECT_EQ(saxpy->arguments[3].offset, 20u);
  EXPECT_EQ(saxpy->arguments[3].size, 4u);
  EXPECT_EQ(saxpy->wave_size, 64u);
  EXPECT_EQ(saxpy->max_block_size, 1024u);
  const KernelMetadata* other = metadata->find("other");
  EXPECT_EQ(other->group_size, 256u);
  EXPECT_EQ(other->max_block_size, 256u);
  EXPECT_EQ(other->arguments[0].size, 16u);
  EXPECT_EQ(metadata->find("nothing"), nullptr);
}

TEST(KernelMetadata, SurvivesARoundTrip) {
  auto first = parse_metadata(*find_metadata_note(code_object("gfx1100")));
  ASSERT_TRUE(first.ok());
  Bytes packed = write_metadata(*first);
  auto second = parse_metadata(packed);
  ASSERT_TRUE(second.ok()) << second.error().message;
  EXPECT_EQ(write_metadata(*second), packed);
  EXPECT_EQ(second->kernels[0].arguments.size(), first->kernels[0].arguments.size());
  EXPECT_EQ(second->kernels[1].vgprs, first->kernels[1].vgprs);
  EXPECT_EQ(second->kernels[1].sgprs, first->kernels[1].sgprs);
}

TEST(KernelMetadata, RefusesDamage) {
  EXPECT_FALSE(parse_metadata({}).ok());
  EXPECT_FALSE(parse_metadata(as_bytes("hello")).ok());
  Bytes deep(1 << 20, std::byte(0x91)); // arrays of one array each
  auto result = parse_metadata(deep);
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().message, HasSubstr("nested"));
  Bytes whole = write_metadata(*parse_metadata(*find_metadata_note(code_object("gfx942"))));
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(parse_metadata(ByteView(whole).first(size)).ok());
  std::mt19937 random(3);
  for (int round = 0; round < 5000; ++round) {
    Bytes damaged = whole;
    damaged[random() % damaged.size()] ^= std::byte(1u << (random() % 8));
    (void)parse_metadata(damaged).ok();
  }
}

TEST(Elf, SurvivesTruncationAndBitFlips) {
  const Bytes& file = code_object("gfx942");
  auto use = [](ByteView bytes) {
    auto elf = Elf::parse(bytes);
    if (!elf)
      return;
    (void)elf->symbols();
    (void)elf->notes();
    (void)amd_target(*elf);
    (void)elf->size();
    (void)find_fat_binaries(bytes).ok();
    if (auto note = find_metadata_note(bytes))
      (void)parse_metadata(*note).ok();
  };
  for (size_t size = 0; size < file.size(); size += size < 1000 ? 1 : 37)
    use(ByteView(file).first(size));
  std::mt19937 random(7);
  for (int round = 0; round < 5000; ++round) {
    Bytes damaged = file;
    for (int flips = 0; flips < 3; ++flips)
      damaged[random() % (round % 2 ? 512 : damaged.size())] ^= std::byte(1u << (random() % 8));
    use(damaged);
  }
}

// The least that clang wants to know of HIP to compile a kernel's stub for the host.
constexpr const char* host_source = R"(
struct dim3 { unsigned x, y, z; };
extern "C" int hipLaunchKernel(const void*, dim3, dim3, void**, unsigned long, void*);
extern "C" int __hipPopCallConfiguration(dim3*, dim3*, unsigned long*, void**);
__attribute__((global)) void k(int* p) {}
)";

Bytes embedding_object(const std::string& more) {
  // The section as clang lays it out, two bundles aligned to 4096, from the assembler: no HIP header needed.
  return make_file(std::string("for a in gfx942 gfx1100; do clang-22 -x hip -nogpulib -nogpuinc --offload-device-only "
                               "--offload-arch=$a -O2 kernel.hip -o $a.fb || exit 1; done; "
                               "printf '.section .hip_fatbin,\"a\",@progbits\\n.p2align 12\\n.incbin \"gfx942.fb\"\\n"
                               ".p2align 12\\n.incbin \"gfx1100.fb\"\\n.p2align 12\\n' > embed.s && "
                               "clang-22 -c embed.s -o embed_with_a_long_name.o && ") +
                   more);
}

TEST(FatBinaries, AreFoundInObjectsLibrariesAndArchives) {
  for (const char* more :
       {"cp embed_with_a_long_name.o OUT", "clang-22 -shared -nostdlib embed_with_a_long_name.o -o OUT",
        "echo hello > text && ar rc OUT text embed_with_a_long_name.o"}) {
    Bytes file = embedding_object(more);
    auto found = find_fat_binaries(file);
    ASSERT_TRUE(found.ok()) << found.error().message;
    ASSERT_EQ(found->size(), 2u) << more;
    auto first = Bundle::open((*found)[0].bytes), second = Bundle::open((*found)[1].bytes);
    ASSERT_TRUE(first.ok() && second.ok());
    EXPECT_EQ(first->entries().back().target, "gfx942");
    EXPECT_EQ(second->entries().back().target, "gfx1100");
    EXPECT_THAT((*found)[0].where, HasSubstr(".hip_fatbin+0x0"));
    if (std::string(more).starts_with("echo"))
      EXPECT_THAT((*found)[1].where, HasSubstr("(embed_with_a_long_name.o)"));
  }
}

TEST(FatBinaries, AreFoundInClangsOwnHostObjects) {
  Bytes file =
      make_file("clang-22 -x hip -nogpulib -nogpuinc --offload-arch=gfx942 --offload-arch=gfx1100 -O2 -c in -o OUT",
                as_bytes(host_source));
  auto found = find_fat_binaries(file);
  ASSERT_TRUE(found.ok()) << found.error().message;
  ASSERT_EQ(found->size(), 1u);
  auto bundle = Bundle::open((*found)[0].bytes);
  ASSERT_TRUE(bundle.ok());
  EXPECT_EQ(bundle->entries().size(), 3u);
}

TEST(FatBinaries, NoneIsNoError) {
  Bytes file = make_file("printf 'int x;' > a.c && clang-22 -c a.c -o OUT");
  auto found = find_fat_binaries(file);
  ASSERT_TRUE(found.ok());
  EXPECT_TRUE(found->empty());
  EXPECT_FALSE(find_fat_binaries(as_bytes("plain text")).ok());
}

TEST(FatBinaries, ArchivesSurviveTruncation) {
  Bytes file = embedding_object("ar rc OUT embed_with_a_long_name.o");
  for (size_t size = 0; size < file.size(); size += size < 300 ? 1 : 211)
    (void)find_fat_binaries(ByteView(file).first(size)).ok();
}

TEST(ProcessImage, TakesItsSizeFromTheImage) {
  Bytes bundle = bundle_file(""), packed = bundle_file("-compress");
  for (const Bytes* image :
       std::initializer_list<const Bytes*>{&bundle, &packed, &spirv_object(), &code_object("gfx942")}) {
    Bytes memory = *image;
    memory.resize(memory.size() + 5000, std::byte(0x7f));
    FatBinaryWrapper wrapper{0x48495046, 1, memory.data(), nullptr};
    auto found = fat_binary_of(&wrapper);
    ASSERT_TRUE(found.ok()) << found.error().message;
    EXPECT_EQ(found->size(), image->size());
  }
  FatBinaryWrapper external{0x4B504948, 1, bundle.data(), nullptr};
  EXPECT_EQ(fat_binary_of(&external).error().code, ErrorCode::unsupported);
  EXPECT_FALSE(fat_binary_of(nullptr).ok());
  EXPECT_FALSE(image_at(reinterpret_cast<const void*>(64)).ok());
}

TEST(ProcessImage, NeverReadsPastTheMap) {
  // A bundle that claims more than is mapped, at the very end of a page that is followed by none.
  auto page = size_t(sysconf(_SC_PAGESIZE));
  auto* memory =
      static_cast<std::byte*>(mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  ASSERT_EQ(mprotect(memory + page, page, PROT_NONE), 0);
  Bytes bundle = bundle_file("");
  for (size_t there : {size_t(3), size_t(24), size_t(40), size_t(200), size_t(1000)}) {
    std::byte* at = memory + page - there;
    std::memcpy(at, bundle.data(), there);
    EXPECT_EQ(readable_bytes(at), there);
    EXPECT_FALSE(image_at(at).ok());
  }
  munmap(memory, 2 * page);
  static const int in_this_program = 5;
  EXPECT_GE(readable_bytes(&in_this_program), sizeof(int));
}

} // namespace
} // namespace kiln::codeobj
