# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kiln run: launching a kernel without host code, and every way to give it wrong arguments."""
import struct
import unittest

from support import KilnTest, kiln

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
