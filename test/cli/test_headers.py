# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""include/hip beside a program's own macros: whatever is not part of HIP's interface has a reserved spelling."""
import itertools
import string
import unittest

from support import KilnTest, PREFIX, run

HEADERS = """
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
#include <hip/hip_bf16.h>
#include <hip/hip_bfloat16.h>
#include <hip/hip_complex.h>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_ext.h>
#include <hip/hip_math_constants.h>
#include <hip/driver_types.h>
"""
# Calls that instantiate the templates and expand the macros.
USES = r"""
__global__ void kernel_(float* f32, int* i32, __half2* f16, __hip_bfloat16* b16, hipFloatComplex* c64, unsigned long long mask64) {
  namespace cg = cooperative_groups;
  atomicAdd(f32, 1.0f); atomicCAS(i32, 1, 2); atomicInc((unsigned*)i32, 3u); unsafeAtomicAdd(f32, 1.0f); atomicAdd(f16, *f16);
  *i32 += __shfl_down(*i32, 1) + __reduce_add_sync(mask64, *i32) + (int)__match_any(*i32) + __popc(7u) + __float2int_rd(*f32);
  *f32 += __shfl(*f32, 0) + __ldg(f32) + __ll2float_ru(*i32) + (float)__hfma2(*f16, *f16, *f16).x + (float)(*b16 * 2);
  *f32 += __fadd_rd(*f32, 1.0f) + __fmaf_rz(*f32, 2.0f, 3.0f);
  *c64 = hipCmulf(*c64, make_hipFloatComplex(1, 2));
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  *i32 += tile.shfl_up(*i32, 1) + (int)cg::coalesced_threads().ballot(1) + __syncthreads_count(1);
  float4 v4 = make_float4(1, 2, 3, 4); v4 += 2; v4 = v4 * v4; *f32 += v4.x;
}
void launch_(hipStream_t q0) {
  int* where_; (void)hipMalloc(&where_, 4);
  hipLaunchKernelGGL(kernel_, dim3(1), dim3(64), 0, q0, (float*)where_, where_, (__half2*)where_, (__hip_bfloat16*)where_, (hipFloatComplex*)where_, 1ull);
}
"""
# Names that programs define. x, y, z and w are members of HIP's vectors, dim3 and threadIdx: nothing can be done about these.
LETTERS = sorted(set(string.ascii_letters) - set("xyzw"))
WORDS = """NUM SIZE TYPE VALUE WIDTH HEIGHT BLOCK_SIZE TILE WARP THREADS BLOCKS GROUP Group Mask Other Parent Parameters Arguments
 accumulate address advice all_equal arguments attr attrib attribute attributes back banks base bits block blocks blockSize blockSizeLimit bound
 builtin byte_of_lane callback canAccessPeer combine compare condition config control count delta devPtr deviceId devicePtr dimBlocks distance
 dpitch dptr down dst dstDevice elementSizeBytes error event expression extra file first flags fname fn format free from function functionPtr
 gridSize group hfunc hi high hostPtr image imaginary index kernel kernelParams kind lane lanes lanes_ launch left len limit line lo low mask
 middle mode module ms nearest negative nth_lane number numBlocks numOptions offset old option options order ordinal other packed parameters pattern
 peerDeviceId pitch pointers predicate priority prop ptr rank rank_in raw rest result rows same seen self served sharedMemBytes shared_bytes
 spitch square src srcDevice start startEvent status stop stopEvent sum symbol symbolPtr text threads to total up userData values votes
 width height word words x0 x1 y0 y1 x_ y_ z_ op assign name_ scope suffix parameters always_inline unused noinline noreturn aligned vector_size
 nothrow visibility nodiscard property get kiln detail""".split()


class Headers(KilnTest):
    def syntax(self, source, *options):
        return run("clang-22", "-x", "hip", "--offload-arch=amdgcnspirv", f"--rocm-path={PREFIX}", "-B", PREFIX / "lib/kiln",
                   "-fsyntax-only", *options, source)

    def compile(self, *options):
        source = self.folder / "all.hip"
        source.write_text(HEADERS + USES)
        return self.syntax(source, "-Wall", "-Wextra", "-Wcuda-compat", *options)

    def test_names_that_a_program_defines(self):
        # Defined behind the compiler's and the C++ library's headers, which have names of their own that are not reserved.
        macros = self.folder / "macros.h"
        first = "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n#include <type_traits>\n"
        macros.write_text(first + "".join(f"#define {name} @\n" for name in itertools.chain(LETTERS, dict.fromkeys(WORDS))))
        source = self.folder / "clash.hip"
        source.write_text(f'#include "{macros}"\n{HEADERS}')
        for side, standard in (("--offload-host-only", "-std=c++11"), ("--offload-host-only", "-std=c++20"), ("--offload-device-only", "-std=c++17")):
            with self.subTest(side=side, standard=standard):
                self.assert_works(self.syntax(source, side, standard))

    def test_macros_of_the_command_line(self):
        # Not T, c, width and mask, which clang's and the C++ library's headers use themselves.
        for side in ("--offload-host-only", "--offload-device-only"):
            with self.subTest(side=side):
                self.assert_works(self.compile(side, "-DN=7", "-DI=1", "-DF=2", "-DA", "-DB", "-DM=3", "-DU=double", "-DR=4", "-DC", "-Dn=9",
                                               "-Di=3", "-Dlane=6", "-Dblock=1", "-Dgroup=2"))

    def test_templates_under_macros(self):
        # The same, with the macros still there where the templates are used.
        macros = "".join(f"#define {name} @\n" for name in itertools.chain(LETTERS, dict.fromkeys(WORDS)))
        source = self.folder / "uses.hip"
        source.write_text(HEADERS + macros + USES)
        for side in ("--offload-host-only", "--offload-device-only"):
            with self.subTest(side=side):
                self.assert_works(self.syntax(source, side))

    def test_no_warnings(self):
        for side in ("--offload-host-only", "--offload-device-only"):
            with self.subTest(side=side):
                self.assert_works(self.compile(side))

    def test_other_compilers_can_include_the_interface(self):
        source = self.folder / "api.cpp"
        for language, compiler in (("c", "gcc"), ("c++", "g++"), ("c", "clang-22"), ("c++", "clang-22")):
            with self.subTest(language=language, compiler=compiler):
                source.write_text("#define n @\n#define flags @\n#define ptr @\n#define dst @\n#include <hip/hip_runtime_api.h>\nint f(void) { return hipSuccess; }\n")
                self.assert_works(run(compiler, "-x", language, "-fsyntax-only", "-Wall", "-Wextra", "-I", PREFIX / "include", source))


if __name__ == "__main__":
    unittest.main()
