# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The installation as a ROCm tree for stock clang that compiles ahead of time: --rocm-path is all that it needs."""
import unittest

from support import KilnTest, PREFIX, run

# Calls of ocml, of ockl, and of what Kiln adds to both.
SOURCE = r"""
#include <hip/hip_runtime.h>
__global__ void k(float* f, double* d) {
  f[threadIdx.x] = sinf(f[threadIdx.x]) + __fadd_rd(f[0], f[1]) + __fmaf_rz(f[1], f[2], f[3]);
  d[0] = pow(d[1], d[2]) + __dsqrt_ru(d[3]);
  d[4] = (double)wall_clock64();
  if (threadIdx.x == 3) printf("%f\n", d[0]);
}
"""


class PlainClang(KilnTest):
    def test_no_word_from_the_compiler(self):
        """Above all none about different data layouts of the device library's files."""
        source = self.folder / "q.hip"
        source.write_text(SOURCE)
        for arch in ("gfx906", "gfx950", "gfx1201", "gfx9-4-generic"):
            with self.subTest(arch=arch):
                done = run("clang-22", "-x", "hip", f"--offload-arch={arch}", f"--rocm-path={PREFIX}", "-O2", "-c", source, "-o", self.folder / "q.o")
                self.assert_works(done)
                self.assertEqual(done.out, "")


if __name__ == "__main__":
    unittest.main()
