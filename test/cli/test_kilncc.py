# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kilncc: what it builds, that plain clang builds the same device module, and how it fails."""
import subprocess
import unittest

from support import KILNCC, KilnTest, PREFIX, PROGRAM, bundle_entries, run


class Kilncc(KilnTest):
    def setUp(self):
        super().setUp()
        self.source = self.folder / "app.hip"
        self.source.write_text(PROGRAM)

    def kilncc(self, *arguments, **options):
        return run(KILNCC, *arguments, cwd=self.folder, **options)

    def test_one_step_and_two(self):
        self.assert_works(self.kilncc("app.hip", "-o", "app"))
        self.assertEqual(run(self.folder / "app").out, "hello\n")
        self.assert_works(self.kilncc("-c", "app.hip", "-o", "app.o"))
        self.assert_works(self.kilncc("app.o", "-o", "two"))
        self.assertEqual(run(self.folder / "two").out, "hello\n")

    def test_both_faces_of_the_runtime(self):
        """<kiln/kiln.h> beside HIP needs no option; a library that is not used is not asked for."""
        self.source.write_text("""
#include <hip/hip_runtime.h>
#include <kiln/kiln.h>
#include <cstdio>
__global__ void seven(int* p) { *p = 7; }
int main() {
  size_t count = 0;
  int *p, value = 0;
  if (kiln_device_count(&count) != KILN_OK || hipMalloc(&p, sizeof(int)) != hipSuccess) return 1;
  seven<<<1, 1>>>(p);
  if (hipMemcpy(&value, p, sizeof(int), hipMemcpyDeviceToHost) != hipSuccess) return 1;
  std::printf("%zu %d\\n", count, value);
}
""")
        self.assert_works(self.kilncc("app.hip", "-o", "app"))
        done = run(self.folder / "app", env={"KILN_DEVICES": "host"})
        self.assert_works(done)
        self.assertEqual(done.out, "1 7\n")
        needed = lambda name: subprocess.run(["readelf", "-d", self.folder / name], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertIn("[libkiln.so]", needed("app"))
        self.assertIn("[libkiln-hip.so]", needed("app"))
        self.source.write_text(PROGRAM)
        self.assert_works(self.kilncc("app.hip", "-o", "hip"))
        self.assertIn("[libkiln-hip.so]", needed("hip"))
        self.assertNotIn("[libkiln.so]", needed("hip"))

    def test_several_files(self):
        (self.folder / "main.hip").write_text("#include <cstdio>\nint other();\nint main() { std::printf(\"%d\\n\", other()); }\n")
        (self.folder / "other.hip").write_text("#include <hip/hip_runtime.h>\n__global__ void k(int* p) { *p = VALUE; }\nint other() { return VALUE; }\n")
        self.assert_works(self.kilncc("main.hip", "other.hip", "-DVALUE=7", "-O2", "-std=c++20", "-o", "app"))
        self.assertEqual(run(self.folder / "app").out, "7\n")

    def test_plain_clang_gives_the_same_module(self):
        self.assert_works(self.kilncc("--offload-device-only", "-O3", "app.hip", "-o", "ours"))
        done = run("clang-22", "-x", "hip", "--offload-device-only", "-O3", "--offload-arch=amdgcnspirv", f"--rocm-path={PREFIX}",
                   "-B", PREFIX / "lib/kiln", "app.hip", "-o", "plain", cwd=self.folder)
        self.assert_works(done)
        modules = [[data for entry, data in bundle_entries((self.folder / name).read_bytes()) if "spirv64" in entry]
                   for name in ("ours", "plain")]
        self.assertEqual(len(modules[0]), 1)
        self.assertEqual(modules[0], modules[1])

    def test_a_build_is_reproducible_and_holds_no_paths(self):
        import shutil
        other = self.folder / "elsewhere"
        other.mkdir()
        shutil.copy(self.source, other)
        self.assert_works(self.kilncc("--offload-device-only", "app.hip", "-o", "one"))
        self.assert_works(run(KILNCC, "--offload-device-only", "app.hip", "-o", "two", cwd=other))
        one, two = (self.folder / "one").read_bytes(), (other / "two").read_bytes()
        self.assertEqual(one, two)
        self.assertNotIn(str(self.folder).encode(), one)

    def test_what_would_run(self):
        done = self.kilncc("-###", "app.hip", "-o", "app")
        self.assertEqual(done.code, 0, done.err)
        for fragment in ("clang", "llvm-spirv", "hip"):
            self.assertIn(fragment, done.out + done.err)
        self.assertFalse((self.folder / "app").exists())

    def test_errors_in_the_source(self):
        self.source.write_text("__global__ void k(int* p) { *p = undeclared; }\n")
        done = self.kilncc("-c", "app.hip", "-o", "app.o")
        self.assertNotEqual(done.code, 0)
        self.assertIn("undeclared", done.err)
        self.assertFalse((self.folder / "app.o").exists())

    def test_relocatable_device_code_is_refused(self):
        done = self.kilncc("-fgpu-rdc", "-c", "app.hip", "-o", "app.o")
        self.assertNotEqual(done.code, 0)
        self.assertIn("-fgpu-rdc", done.err)
        self.assertEqual(len(done.err.splitlines()), 1, done.err)
        self.assertFalse((self.folder / "app.o").exists())

    def test_nothing_to_do(self):
        done = self.kilncc()
        self.assertNotEqual(done.code, 0)
        self.assertGreater(len(done.err), 10)
        done = self.kilncc("nothing.hip", "-o", "x")
        self.assertNotEqual(done.code, 0)
        self.assertIn("nothing.hip", done.err)

    def test_full_disk(self):
        done = self.kilncc("--offload-device-only", "app.hip", "-o", "/dev/full")
        self.assertNotEqual(done.code, 0)
        self.assertIn("No space left", done.err)


if __name__ == "__main__":
    unittest.main()
