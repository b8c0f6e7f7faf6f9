# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kiln compile: what it writes, how files are called, and how every failure ends."""
import resource
import unittest

from support import KilnTest, elf_header, kiln, tiny_disk

ALL = ("gfx900 gfx906 gfx908 gfx90a gfx942 gfx950 gfx1030 gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1200 "
       "gfx1201").split()


class Outputs(KilnTest):
    inputs = ("app", "app.spv")

    def compile(self, *arguments, source="app.spv", **options):
        return kiln("compile", self.data / source, *arguments, **options)

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def test_one_file_for_each_family(self):
        done = self.compile("--arch", "gfx942,host", "--arch", "sm_90", "-o", self.folder)
        self.assert_works(done)
        self.assertEqual(self.names(), ["app.gfx942.co", "app.host.so", "app.sm_90.ptx"])
        self.assertEqual(elf_header((self.folder / "app.gfx942.co").read_bytes()), (3, 224))
        self.assertEqual(elf_header((self.folder / "app.host.so").read_bytes())[0], 3)
        ptx = (self.folder / "app.sm_90.ptx").read_text()
        self.assertIn(".target sm_90", ptx)
        self.assertIn("_Z5saxpyifPKfPf", ptx)
        size = (self.folder / "app.gfx942.co").stat().st_size
        self.assertRegex(done.out, rf"(?m)^gfx942 +{size} +[0-9.]+ +.*app\.gfx942\.co$")

    def test_all_architectures(self):
        self.assert_works(self.compile("--arch", "all", "-o", self.folder / "new" / "folder"))
        self.assertEqual(sorted(p.name for p in (self.folder / "new/folder").iterdir()), sorted(f"app.{a}.co" for a in ALL))

    def test_a_file_name_when_there_is_one_output(self):
        self.assert_works(self.compile("--arch", "gfx1201", "-o", self.folder / "x.elf"))
        self.assertEqual(self.names(), ["x.elf"])

    def test_kinds_of_output(self):
        for flag, name, fragment in (("-S", "app.gfx942.s", b"s_endpgm"), ("--emit-llvm", "app.gfx942.ll", b"amdgpu_kernel")):
            self.assert_works(self.compile(flag, "--arch", "gfx942", "-o", f"{self.folder}/"))
            self.assertIn(fragment, (self.folder / name).read_bytes())
        self.assert_works(self.compile("-c", "--arch", "gfx942", "-o", self.folder))
        self.assertEqual(elf_header((self.folder / "app.gfx942.o").read_bytes()), (1, 224))

    def test_standard_output(self):
        done = self.compile("-S", "--arch", "gfx942", "-o", "-")
        self.assert_works(done)
        self.assertIn("s_endpgm", done.out)
        self.assertNotIn("bytes", done.out.splitlines()[0])

    def test_kernels_by_the_names_people_write(self):
        self.assert_works(self.compile("--arch", "gfx942,gfx1201", "--kernel", "saxpy", "--kernel", "scale<float>", "-o", self.folder))
        self.assertEqual(self.names(), ["app._Z5saxpyifPKfPf.gfx1201.co", "app._Z5saxpyifPKfPf.gfx942.co",
                                        "app._Z5scaleIfEvPT_S0_.gfx1201.co", "app._Z5scaleIfEvPT_S0_.gfx942.co"])
        self.assertNotIn(b"reverse", (self.folder / "app._Z5saxpyifPKfPf.gfx942.co").read_bytes())

    def test_a_program_gives_what_its_module_gives(self):
        self.assert_works(self.compile("--arch", "gfx942", "-o", self.folder / "from_program", source="app"))
        self.assert_works(self.compile("--arch", "gfx942", "-o", self.folder / "from_module"))
        self.assertEqual(elf_header((self.folder / "from_program").read_bytes()), (3, 224))
        self.assertIn(b"_Z5saxpyifPKfPf.kd", (self.folder / "from_program").read_bytes())

    def test_options_reach_the_compiler(self):
        for wave in ("32", "64"):
            self.assert_works(self.compile("-S", "--wave", wave, "--arch", "gfx1201", "-o", self.folder / wave))
            self.assertIn(f".amdhsa_wavefront_size32 {int(wave == '32')}", (self.folder / wave).read_text())
        for version in ("5", "6"):
            self.assert_works(self.compile("--code-object-version", version, "--arch", "gfx942", "-o", self.folder / version))
            # EI_ABIVERSION: 3 is code object version 5, 4 is 6.
            self.assertEqual((self.folder / version).read_bytes()[8], int(version) - 2)

    def test_settings_in_a_file_name(self):
        self.assert_works(self.compile("--arch", "gfx942:sramecc+:xnack-", "-o", self.folder))
        self.assertEqual(self.names(), ["app.gfx942-sramecc+-xnack-.co"])

    def test_help_lists_architectures(self):
        done = kiln("compile", "--arch", "help")
        self.assert_works(done)
        listed = done.out.split()
        for arch in [*ALL, "gfx1250", "gfx12-generic", "host", "sm_90"]:
            self.assertIn(arch, listed)


class Failures(KilnTest):
    inputs = ("app.spv",)

    def compile(self, *arguments, source="app.spv", **options):
        return kiln("compile", self.data / source, *arguments, **options)

    def test_an_unknown_architecture_does_not_stop_the_others(self):
        done = self.compile("--arch", "gfx941x,gfx942", "-o", self.folder)
        self.assert_fails(done, 1, "gfx941x")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["app.gfx942.co"])

    def test_every_unknown_architecture_is_named(self):
        done = self.compile("--arch", "gfx0,sm_1,alpha", "-o", self.folder)
        self.assert_fails(done, 1, "gfx0", "sm_1", "alpha", count=3)
        self.assert_empty(self.folder)

    def test_a_missing_kernel(self):
        done = self.compile("--arch", "gfx942", "--kernel", "saxpi", "-o", self.folder)
        self.assert_fails(done, 1, "no kernel 'saxpi'", "did you mean saxpy?")
        self.assert_empty(self.folder)

    def test_an_ambiguous_kernel(self):
        done = self.compile("--arch", "gfx942", "--kernel", "scale", "-o", self.folder)
        self.assert_fails(done, 1, "'scale' could be", "_Z5scaleIfEvPT_S0_", "_Z5scaleIiEvPT_S0_")
        self.assert_empty(self.folder)

    def test_truncated_modules(self):
        module = (self.data / "app.spv").read_bytes()
        broken = self.folder / "broken.spv"
        out = self.folder / "out"
        out.mkdir()
        lengths = [1, 3, 4, 19, 20, 22, 24] + [len(module) * k // 16 // 4 * 4 for k in range(1, 16)] + [len(module) - 4, len(module) - 2]
        for length in lengths:
            with self.subTest(length=length):
                for leftover in out.iterdir():
                    leftover.unlink()
                broken.write_bytes(module[:length])
                done = kiln("compile", broken, "--arch", "gfx942", "-o", out)
                self.assert_fails(done, 1)
                self.assert_empty(out)

    def test_flipped_bits(self):
        """One bit wrong: an error of one sentence, or (an arithmetic opcode became another) code; never a crash."""
        module = (self.data / "app.spv").read_bytes()
        broken = self.folder / "broken.spv"
        out = self.folder / "out"
        state, errors = 12345, 0
        for _ in range(48):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            bit = (state >> 20) % (len(module) * 8)
            with self.subTest(bit=bit):
                damaged = bytearray(module)
                damaged[bit // 8] ^= 1 << bit % 8
                broken.write_bytes(damaged)
                done = kiln("compile", broken, "--arch", "gfx942", "-o", out, timeout=120)
                self.assertIn(done.code, (0, 1), f"bit {bit}: {done.err}")
                if done.code == 1:
                    errors += 1
                    self.assert_fails(done, 1)
                    self.assertFalse(out.exists() and any(out.iterdir()))
                else:
                    self.assertEqual(elf_header(out.read_bytes()), (3, 224))
                    out.unlink()
        self.assertGreater(errors, 10, "hardly any flip was noticed: is the module read at all?")

    def test_foreign_files(self):
        logical = (b"\x03\x02\x23\x07\x00\x00\x01\x00\x00\x00\x00\x00\x05\x00\x00\x00\x00\x00\x00\x00"  # a Vulkan shader's
                   b"\x11\x00\x02\x00\x01\x00\x00\x00\x0e\x00\x03\x00\x00\x00\x00\x00\x01\x00\x00\x00")  # Shader, Logical GLSL450
        foreign = {"picture.spv": b"\x89PNG\r\n\x1a\n" + bytes(64), "text.spv": b"; SPIR-V\nOpCapability Kernel\n", "empty.spv": b"",
                   "bitcode.spv": b"BC\xc0\xde" + bytes(60), "shader.spv": logical}
        for name, content in foreign.items():
            with self.subTest(name=name):
                path = self.folder / name
                path.write_bytes(content)
                out = self.folder / "out"
                self.assert_fails(kiln("compile", path, "--arch", "gfx942", "-o", out), 1)
                self.assertFalse(out.exists())
        self.assert_fails(kiln("compile", "/bin/true", "--arch", "gfx942", "-o", self.folder / "out"), 1, "/bin/true")

    def test_a_missing_input(self):
        self.assert_fails(self.compile("--arch", "gfx942", "-o", self.folder / "x", source="nothing.spv"), 1,
                          "nothing.spv", "No such file")

    def test_full_device(self):
        self.assert_fails(self.compile("--arch", "gfx942", "-o", "/dev/full"), 1, "/dev/full", "No space left")

    def test_full_disk(self):
        with tiny_disk(4) as disk:
            if disk is None:
                self.skipTest("cannot mount a file system here; test_file_size_limit covers the same path")
            done = self.compile("--arch", "gfx942,gfx1201", "-o", disk)
            self.assert_fails(done, 1, "No space left", count=2)
            self.assert_empty(disk)

    def test_file_size_limit(self):
        done = self.compile("--arch", "gfx942", "-o", self.folder, limits={resource.RLIMIT_FSIZE: 1024})
        self.assert_fails(done, 1, "File too large")
        self.assert_empty(self.folder)

    def test_a_full_disk_under_the_table(self):
        with open("/dev/full", "wb") as full:
            import subprocess
            from support import KILN
            done = subprocess.run([KILN, "compile", self.data / "app.spv", "--arch", "gfx942", "-o", self.folder],
                                  stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write to standard output", done.stderr)

    def test_an_output_that_cannot_be(self):
        (self.folder / "file").write_text("kept")
        self.assert_fails(self.compile("--arch", "gfx942,gfx950", "-o", self.folder / "file"), 1, "not a folder")
        self.assert_fails(self.compile("--arch", "gfx942", "-o", f"{self.folder}/file/sub/"), 1, "cannot create the folder")
        self.assertEqual((self.folder / "file").read_text(), "kept")

    def test_bad_command_lines(self):
        module = self.data / "app.spv"
        for arguments in ([], [module], [module, "--arch", "gfx942"], [module, "-o", self.folder], [module, "--arch", ",", "-o", "x"],
                          [module, "--arch", "gfx942", "-S", "-c", "-o", "x"], [module, "--arch", "gfx942", "--wave", "48", "-o", "x"],
                          [module, "--arch", "gfx942", "-O", "9", "-o", "x"], [module, "--arch", "gfx942", "-j", "0", "-o", "x"],
                          [module, "--arch", "gfx942", "--code-object-version", "4", "-o", "x"],
                          [module, "--arch", "gfx942", "-o", "x", "--no-such-option"], [module, "second", "--arch", "gfx942", "-o", "x"]):
            with self.subTest(arguments=arguments):
                self.assert_fails(kiln("compile", *arguments, cwd=self.folder), 2, "kiln compile --help")
                self.assert_empty(self.folder)


if __name__ == "__main__":
    unittest.main()
