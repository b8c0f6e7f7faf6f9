# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kiln run: launching a kernel without host code, and every way to give it wrong arguments."""
import json
import struct
import unittest

from support import KILNCC, KilnTest, kiln, run

HOST = {"KILN_DEVICES": "host"}


class Run(KilnTest):
    inputs = ("app", "app.spv")

    def launch(self, kernel, *arguments, source="app.spv", options=(), **keywords):
        command = ["run", self.data / source, "--kernel", kernel, *options]
        for argument in arguments:
            command += ["--arg", argument]
        return kiln(*command, env=HOST, **keywords)

    def test_numbers(self):
        done = self.launch("saxpy", "i32:6", "f32:2", "buf:f32:8:iota", "buf:f32:8:fill=0.5:out", options=["--block", "8"])
        self.assert_works(done)
        expected = [2 * i + 0.5 if i < 6 else 0.5 for i in range(8)]
        shown = [float(word) for line in done.out.splitlines() if line.startswith("arg 3:") for word in line.split(":")[-1].split()]
        self.assertEqual(shown, expected)

    def test_a_program_as_input(self):
        done = self.launch("scale<int>", "buf:i32:4:iota:out", "i32:-3", source="app", options=["--block", "4"])
        self.assert_works(done)
        self.assertIn("0 -3 -6 -9", done.out)

    def test_files_in_and_out(self):
        (self.folder / "in").write_bytes(struct.pack("<64i", *range(64)))
        done = self.launch("reverse", f"buf:i32:64:file={self.folder}/in:outfile={self.folder}/out", options=["--block", "64"])
        self.assert_works(done)
        self.assertEqual(list(struct.unpack("<64i", (self.folder / "out").read_bytes())), list(range(63, -1, -1)))

    def test_an_object_for_the_host(self):
        self.assert_works(kiln("compile", self.data / "app.spv", "--arch", "host", "-o", self.folder))
        done = self.launch("saxpy", "i32:4", "f32:2", "buf:f32:4:iota", "buf:f32:4:fill=1:out", source=self.folder / "app.host.so",
                           options=["--block", "4"])
        self.assert_works(done)
        self.assertRegex(done.out, r"arg 3: 1(\.0)? 3(\.0)? 5(\.0)? 7(\.0)?")
        pair = struct.pack("<i4xd", 3, 2.5).hex()
        done = self.launch("with_struct", f"bytes:{pair}", "buf:f64:2:out", source=self.folder / "app.host.so", options=["--block", "2"])
        self.assert_works(done)
        self.assertIn("12.5 12.5", done.out)

    def test_shared_memory_of_kernels_in_one_object(self):
        """Each kernel has its own static size, and dynamic memory lies behind that of the kernel that runs."""
        source = self.folder / "lds.hip"
        source.write_text(r"""
#include <hip/hip_runtime.h>
extern __shared__ int dynamic[];
__device__ __attribute__((noinline)) void put(int* out, int n) {
  for (int i = 0; i < n; ++i) dynamic[i] = 100 + i;
  for (int i = 0; i < n; ++i) out[i] = dynamic[i];
}
extern "C" __global__ void none(int* out) { out[0] = 7; }
extern "C" __global__ void small(int* out, int n) {
  __shared__ int tile[16];
  for (int i = 0; i < 16; ++i) tile[i] = i;
  put(out, n);
  for (int i = 0; i < 16; ++i) out[n + i] = tile[i];
}
extern "C" __global__ void large(int* out, int n) {
  __shared__ int tile[8192];
  for (int i = 0; i < 8192; ++i) tile[i] = i;
  put(out, n);
  int sum = 0;
  for (int i = 0; i < 8192; ++i) sum += tile[i] == i;
  out[n] = sum;
}
extern "C" __global__ void other(int* out) {
  __shared__ int tile[10000];
  for (int i = 0; i < 10000; ++i) tile[i] = i;
  int sum = 0;
  for (int i = 0; i < 10000; ++i) sum += tile[i] == i;
  out[0] = sum;
}
""")
        self.assert_works(run(KILNCC, "--offload-device-only", "-O1", source, "-o", self.folder / "lds.hipfb"))
        self.assert_works(kiln("compile", self.folder / "lds.hipfb", "--arch", "host,gfx950", "-o", self.folder))
        def sizes(name):
            done = kiln("inspect", "--json", self.folder / name)
            self.assert_works(done)
            kernels = json.loads(done.out)["bundles"][0]["entries"][0]["object"]["kernels"]
            return {kernel["name"]: kernel["lds"] for kernel in kernels}
        self.assertEqual(sizes("lds.host.so"), {"none": 0, "small": 64, "large": 32768, "other": 40000})
        self.assertEqual(sizes("lds.host.so"), sizes("lds.gfx950.co"))
        # 40000 + 32768 bytes together would be more than the 65536 that there are.
        for file in ("lds.host.so", "lds.hipfb"):
            with self.subTest(file=file):
                launch = lambda kernel, *arguments, **options: self.launch(kernel, *arguments, source=self.folder / file, **options)
                for kernel, rest in (("small", " ".join(map(str, range(16)))), ("large", "8192")):
                    done = launch(kernel, f"buf:i32:{8 + len(rest.split())}:out", "i32:8", options=["--shared", "32"])
                    self.assert_works(done)
                    self.assertIn("arg 0: 100 101 102 103 104 105 106 107 " + rest + "\n", done.out)
                done = launch("other", "buf:i32:1:out")
                self.assert_works(done)
                self.assertIn("arg 0: 10000", done.out)
                done = launch("none", "buf:i32:1:out", options=["--shared", "65536"])
                self.assert_works(done)

    def test_a_structure_and_a_global(self):
        pair = struct.pack("<i4xd", 3, 2.5).hex()
        done = self.launch("with_struct", f"bytes:{pair}", "buf:f64:2:out", options=["--block", "2"])
        self.assert_works(done)
        self.assertIn("12.5 12.5", done.out)

    def test_wrong_arguments(self):
        cases = [
            (["i32:6"], ["takes 4 arguments", "1"]),
            (["i32:6", "f32:2", "buf:f32:8", "buf:f32:8", "i32:1"], ["takes 4 arguments", "5"]),
            (["i64:6", "f32:2", "buf:f32:8", "buf:f32:8"], ["argument 0", "4 bytes", "8"]),
            (["i32:6", "f64:2", "buf:f32:8", "buf:f32:8"], ["argument 1", "4 bytes", "8"]),
            (["i32:6", "f32:2", "f32:2", "buf:f32:8"], ["argument 2"]),
            (["i32:6", "buf:f32:8", "buf:f32:8", "buf:f32:8"], ["argument 1"]),
        ]
        for arguments, fragments in cases:
            with self.subTest(arguments=arguments):
                done = self.launch("saxpy", *arguments)
                self.assert_fails(done, 1, *fragments)
                self.assertEqual(done.out, "")

    def test_arguments_that_are_none(self):
        for argument, fragment in (("5", "none of TYPE:NUMBER"), ("i32:x", "not a number"), ("buf:f32", "buf:TYPE:COUNT"),
                                   ("bytes:abc", "even number")):
            with self.subTest(argument=argument):
                self.assert_fails(self.launch("saxpy", argument), 2, fragment)
        self.assert_fails(self.launch("saxpy", options=["--grid", "0"]), 2, "--grid")
        self.assert_fails(self.launch("saxpy", options=["--block", "1,2,3,4"]), 2, "--block")

    def test_a_missing_kernel(self):
        self.assert_fails(self.launch("saxpi"), 1, "no kernel 'saxpi'", "did you mean saxpy?")

    def test_a_device_that_is_not_there(self):
        self.assert_fails(self.launch("saxpy", "i32:1", "f32:1", "buf:f32:1", "buf:f32:1", options=["--device", "toaster"]), 1, "toaster")

    def test_a_block_that_is_too_big(self):
        done = self.launch("saxpy", "i32:1", "f32:1", "buf:f32:1", "buf:f32:1", options=["--block", "100000"])
        self.assert_fails(done, 1)

    def test_an_output_file_that_cannot_be(self):
        done = self.launch("reverse", "buf:i32:64:outfile=/dev/full", options=["--block", "64"])
        self.assert_fails(done, 1, "/dev/full", "No space left")

    def test_broken_modules(self):
        module = (self.data / "app.spv").read_bytes()
        for part in (3, 20, len(module) // 2, len(module) - 4):
            with self.subTest(part=part):
                (self.folder / "broken.spv").write_bytes(module[:part])
                self.assert_fails(kiln("run", self.folder / "broken.spv", "--kernel", "saxpy", env=HOST), 1)


if __name__ == "__main__":
    unittest.main()
