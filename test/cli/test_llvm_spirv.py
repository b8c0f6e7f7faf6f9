# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""llvm-spirv, the program that clang calls for amdgcnspirv: both directions, and every way to give it something wrong."""
import resource
import subprocess
import unittest

from support import KilnTest, LLVM_BIN, LLVM_SPIRV, run, run_on_terminal, tiny_disk

# What clang 22 passes, apart from input and output.
CLANG_OPTIONS = ("--spirv-max-version=1.6 --spirv-ext=+all --spirv-allow-unknown-intrinsics --spirv-lower-const-expr "
                 "--spirv-preserve-auxdata --spirv-debug-info-version=nonsemantic-shader-200").split()

MODULE = """
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"
define spir_kernel void @twice(ptr addrspace(1) %p) addrspace(4) {
  %v = load i32, ptr addrspace(1) %p, align 4
  %w = shl i32 %v, 1
  store i32 %w, ptr addrspace(1) %p, align 4
  ret void
}
"""


class LlvmSpirv(KilnTest):
    def setUp(self):
        super().setUp()
        (self.folder / "in.ll").write_text(MODULE)
        subprocess.run([LLVM_BIN / "llvm-as", self.folder / "in.ll", "-o", self.folder / "in.bc"], check=True)
        self.bitcode = self.folder / "in.bc"
        self.out = self.folder / "out.spv"

    def translate(self, *arguments, **options):
        return run(LLVM_SPIRV, *arguments, **options)

    def only_inputs_left(self, *more):
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), sorted(["in.bc", "in.ll", *more]))

    def test_as_clang_calls_it(self):
        self.assert_works(self.translate(*CLANG_OPTIONS, self.bitcode, "-o", self.out))
        words = self.out.read_bytes()
        self.assertEqual(words[:8], b"\x03\x02\x23\x07\x00\x06\x01\x00")
        self.assertEqual(words[8:10], b"\xff\xff")

    def test_there_and_back(self):
        self.assert_works(self.translate(self.bitcode, "-o", self.out))
        back = self.folder / "back.bc"
        self.assert_works(self.translate("-r", self.out, "-o", back))
        listing = subprocess.run([LLVM_BIN / "llvm-dis", back, "-o", "-"], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertIn("spir_kernel void @twice(ptr addrspace(1)", listing)
        self.assertRegex(listing, r"shl i32 %\w+, 1")

    def test_text(self):
        self.assert_works(self.translate(self.bitcode, "-o", self.out))
        text = self.folder / "out.txt"
        self.assert_works(self.translate("--to-text", self.out, "-o", text))
        self.assertIn("twice", text.read_text())

    def test_damaged_bitcode(self):
        whole = self.bitcode.read_bytes()
        for part in (1, 3, 4, 16, len(whole) // 2, len(whole) - 4):
            with self.subTest(part=part):
                self.bitcode.write_bytes(whole[:part])
                self.assert_fails(self.translate(self.bitcode, "-o", self.out), 1, program="llvm-spirv")
                self.only_inputs_left()

    def test_damaged_spirv(self):
        self.assert_works(self.translate(self.bitcode, "-o", self.out))
        whole = self.out.read_bytes()
        back = self.folder / "back.bc"
        for part in (0, 4, 19, 22, len(whole) // 8 * 4, len(whole) - 4):
            with self.subTest(part=part):
                self.out.write_bytes(whole[:part])
                self.assert_fails(self.translate("-r", self.out, "-o", back), 1, program="llvm-spirv")
                self.only_inputs_left("out.spv")
        for bit in range(0, len(whole) * 8, len(whole) * 8 // 60 | 1):
            with self.subTest(bit=bit):
                damaged = bytearray(whole)
                damaged[bit // 8] ^= 1 << bit % 8
                self.out.write_bytes(damaged)
                done = self.translate("-r", self.out, "-o", back)
                self.assertIn(done.code, (0, 1), done.err)
                if done.code:
                    self.assert_fails(done, 1, program="llvm-spirv")
                    self.only_inputs_left("out.spv")
                else:
                    subprocess.run([LLVM_BIN / "opt", "-passes=verify", "-disable-output", back], check=True)
                    back.unlink()

    def test_what_is_no_module(self):
        self.assert_works(self.translate(self.bitcode, "-o", self.out))
        spirv, other, back = self.out, self.folder / "other", self.folder / "back.bc"
        for content, fragment in ((b"", "empty"), (b"\x7fELF\x02\x01\x01\x00" + bytes(64), "neither LLVM bitcode nor LLVM IR"),
                                  (b"int main() {}\n", "line 1"), (b"hello", "line 1"), (spirv.read_bytes(), "-r reads SPIR-V")):
            with self.subTest(content=content[:8], way="there"):
                other.write_bytes(content)
                self.assert_fails(self.translate(other, "-o", back), 1, fragment, program="llvm-spirv")
                self.only_inputs_left("out.spv", "other")
        for content, fragment in ((b"", "empty"), (b"\x7fELF\x02\x01\x01\x00" + bytes(64), "magic number"), (b"hello", "not a SPIR-V module"),
                                  (self.bitcode.read_bytes(), "LLVM bitcode")):
            for way in ("-r", "--to-text"):
                with self.subTest(content=content[:8], way=way):
                    other.write_bytes(content)
                    self.assert_fails(self.translate(way, other, "-o", back), 1, fragment, program="llvm-spirv")
                    self.only_inputs_left("out.spv", "other")
        # Through a pipe, as nothing came in.
        self.assert_fails(self.translate("-", "-o", back), 1, "empty", program="llvm-spirv")

    def test_a_header_alone_is_no_module(self):
        self.assert_works(self.translate(self.bitcode, "-o", self.out))
        self.out.write_bytes(self.out.read_bytes()[:20])
        self.assert_fails(self.translate("-r", self.out, "-o", self.folder / "back.bc"), 1, "OpMemoryModel", program="llvm-spirv")

    def test_nothing_binary_goes_to_a_terminal(self):
        self.assert_works(self.translate(self.bitcode, "-o", self.out))
        for arguments in (["-r", self.out, "-o", "-"], [self.bitcode, "-o", "-"]):
            with self.subTest(arguments=arguments):
                code, out = run_on_terminal(LLVM_SPIRV, *arguments)
                self.assertEqual(code, 1)
                self.assertRegex(out, r"^llvm-spirv: error: .*terminal.*-o FILE[^\n]*\r?\n$")
        code, out = run_on_terminal("sh", "-c", f"{LLVM_SPIRV} -r < {self.out}")
        self.assertEqual(code, 1)
        self.assertIn("terminal", out)
        self.assertNotIn("BC", out)
        code, out = run_on_terminal(LLVM_SPIRV, "-r", "--emit-llvm-text", self.out, "-o", "-")
        self.assertEqual(code, 0)
        self.assertIn("@twice", out)
        self.assertTrue(self.translate("-r", self.out, "-o", "-").out.startswith("BC"))

    def test_file_size_limit(self):
        done = self.translate(self.bitcode, "-o", self.out, limits={resource.RLIMIT_FSIZE: 64})
        self.assert_fails(done, 1, "File too large", program="llvm-spirv")
        self.only_inputs_left()

    def test_full_disk(self):
        self.assert_fails(self.translate(self.bitcode, "-o", "/dev/full"), 1, "No space left", program="llvm-spirv")
        self.only_inputs_left()
        with tiny_disk(4) as disk:
            if disk:
                (disk / "filler").write_bytes(bytes(4096))
                self.assert_fails(self.translate(self.bitcode, "-o", disk / "out.spv"), 1, "No space left", program="llvm-spirv")
                self.assertEqual([p.name for p in disk.iterdir()], ["filler"])

    def test_bad_command_lines(self):
        for arguments, fragment in (([self.bitcode, "-o", self.out, "--no-such-option"], "--no-such-option"), ([self.bitcode, self.bitcode, "-o", self.out], ""),
                                    ([self.folder / "nothing.bc", "-o", self.out], "nothing.bc")):
            with self.subTest(arguments=arguments):
                done = self.translate(*arguments)
                self.assertIn(done.code, (1, 2))
                self.assert_fails(done, done.code, fragment, program="llvm-spirv")
                self.only_inputs_left()


if __name__ == "__main__":
    unittest.main()
