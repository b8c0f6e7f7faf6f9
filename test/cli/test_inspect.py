# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kiln inspect: every kind of file it takes, what it says about them, and damaged ones."""
import json
import subprocess
import unittest

from support import KilnTest, LLVM_BIN, build_inputs, bundle_entries, kiln

SAXPY, REVERSE, STRUCT = "_Z5saxpyifPKfPf", "_Z7reversePi", "_Z11with_struct4PairPd"


class Inspect(KilnTest):
    inputs = ("app", "app.o", "app.so", "app.hipfb", "packed.hipfb", "app.spv")

    def inspect(self, path):
        done = kiln("inspect", "--json", path)
        self.assert_works(done)
        return json.loads(done.out)

    def module(self, path):
        modules = [entry["module"] for fat in self.inspect(path)["bundles"] for entry in fat["entries"] if "module" in entry]
        self.assertEqual(len(modules), 1)
        return modules[0]

    def test_a_module(self):
        document = self.inspect(self.data / "app.spv")
        self.assertEqual(document["kind"], "SPIR-V module")
        module = self.module(self.data / "app.spv")
        self.assertEqual(module["version"], "1.6")
        self.assertEqual(module["bytes"], (self.data / "app.spv").stat().st_size)
        self.assertEqual(module["generator"] & 0xFFFF, 0xFFFF)
        self.assertTrue({"Addresses", "Kernel", "Linkage"} <= set(module["capabilities"]), module["capabilities"])
        self.assertEqual(module["predicates"], [])
        self.assertIn("counter", [variable["name"] for variable in module["globals"]])

    def test_kernels_and_arguments(self):
        kernels = {kernel["name"]: kernel for kernel in self.module(self.data / "app.spv")["kernels"]}
        self.assertEqual(sorted(kernels), sorted([SAXPY, STRUCT, REVERSE, "_Z5scaleIfEvPT_S0_", "_Z5scaleIiEvPT_S0_"]))
        layout = lambda kernel: [(a["kind"], a["size"], a["offset"]) for a in kernels[kernel]["arguments"]]
        self.assertEqual(layout(SAXPY), [("by_value", 4, 0), ("by_value", 4, 4), ("global_buffer", 8, 8), ("global_buffer", 8, 16)])
        self.assertEqual(layout(STRUCT), [("by_value", 16, 0), ("global_buffer", 8, 16)])
        for kernel in kernels.values():
            self.assertGreater(kernel["slice_words"], 20)
            self.assertLess(kernel["slice_words"] * 4, self.module(self.data / "app.spv")["bytes"])
            self.assertTrue(kernel["demangled"])
        self.assertTrue(kernels[SAXPY]["demangled"].startswith("saxpy("))

    def test_containers_hold_the_same_module(self):
        expected = self.module(self.data / "app.spv")
        for name, kind in (("app", "program"), ("app.o", "object"), ("app.hipfb", "offload bundle")):
            with self.subTest(name=name):
                self.assertEqual(self.inspect(self.data / name)["kind"], kind)
                self.assertEqual(self.module(self.data / name)["kernels"], expected["kernels"])
        self.assertEqual(self.inspect(self.data / "app.so")["kind"], "shared library")

    def test_bundle_entries(self):
        (bundle,) = self.inspect(self.data / "app.hipfb")["bundles"]
        expected = [(entry, len(data)) for entry, data in bundle_entries((self.data / "app.hipfb").read_bytes())]
        self.assertEqual([(entry["id"], entry["size"]) for entry in bundle["entries"]], expected)
        self.assertIsNone(bundle["compression"])

    def test_a_compressed_bundle(self):
        (bundle,) = self.inspect(self.data / "packed.hipfb")["bundles"]
        self.assertIn(bundle["compression"], ("zstd", "zlib"))
        self.assertEqual(bundle["stored_size"], (self.data / "packed.hipfb").stat().st_size)
        self.assertEqual(bundle["size"], (self.data / "app.hipfb").stat().st_size)
        self.assertEqual(self.module(self.data / "packed.hipfb")["kernels"], self.module(self.data / "app.spv")["kernels"])

    def test_an_archive(self):
        archive = self.folder / "libapp.a"
        subprocess.run([LLVM_BIN / "llvm-ar", "rcs", archive, self.data / "app.o"], check=True)
        document = self.inspect(archive)
        self.assertEqual(document["kind"], "archive")
        self.assertIn("app.o", document["bundles"][0]["where"])
        self.assertEqual(self.module(archive)["kernels"], self.module(self.data / "app.spv")["kernels"])

    def test_code_objects(self):
        self.assert_works(kiln("compile", self.data / "app.spv", "--arch", "gfx942,gfx1201,host", "-o", self.folder))
        for target, file in (("gfx942", "app.gfx942.co"), ("gfx1201", "app.gfx1201.co"), ("host", "app.host.so")):
            with self.subTest(target=target):
                (bundle,) = self.inspect(self.folder / file)["bundles"]
                code = bundle["entries"][0]["object"]
                self.assertIn(target, code["target"])
                kernels = {kernel["name"]: kernel for kernel in code["kernels"]}
                self.assertEqual(kernels[REVERSE]["lds"], 256)
                self.assertEqual(kernels[SAXPY]["lds"], 0)
                self.assertEqual([a["size"] for a in kernels[SAXPY]["arguments"]], [4, 4, 8, 8])
        kernels = {k["name"]: k for k in self.inspect(self.folder / "app.gfx942.co")["bundles"][0]["entries"][0]["object"]["kernels"]}
        self.assertEqual(kernels[SAXPY]["wave_size"], 64)
        self.assertGreater(kernels[SAXPY]["vgprs"], 0)
        self.assertEqual(kernels[SAXPY]["scratch"], 0)
        # The portable module's argument layout is the one that the compiled kernel has.
        portable = {k["name"]: k for k in self.module(self.data / "app.spv")["kernels"]}
        for name, kernel in kernels.items():
            self.assertEqual([(a["size"], a["offset"]) for a in portable[name]["arguments"]],
                             [(a["size"], a["offset"]) for a in kernel["arguments"]], name)

    def test_an_object_for_the_host_has_the_note(self):
        self.assert_works(kiln("compile", self.data / "app.spv", "--arch", "host", "-o", self.folder))
        self.assertEqual(self.inspect(self.folder / "app.host.so")["kind"], "host code object")
        # By another reader of ELF files: the owner and the type of AMD's code objects.
        listing = subprocess.run([LLVM_BIN / "llvm-readelf", "-n", self.folder / "app.host.so"], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertRegex(listing, r"AMDGPU\s+0x[0-9a-f]+\s+NT_AMDGPU_METADATA")
        self.assertIn(SAXPY, listing)

    def test_text_for_people(self):
        done = kiln("inspect", self.data / "app")
        self.assert_works(done)
        for fragment in ("program", "amdgcnspirv", "SPIR-V 1.6", "saxpy(int, float, float const*, float*)", "counter", "Kernel"):
            self.assertIn(fragment, done.out)

    def test_spirv_text(self):
        done = kiln("inspect", "--spirv-text", self.data / "app.spv")
        self.assert_works(done)
        for fragment in ("OpCapability Kernel", "OpEntryPoint Kernel", f'"{SAXPY}"', "OpFunctionEnd"):
            self.assertIn(fragment, done.out)

    def test_predicates(self):
        source = self.folder / "p.hip"
        source.write_text('#include <hip/hip_runtime.h>\n__global__ void k(int* p) {\n'
                          '  if (__builtin_amdgcn_processor_is("gfx950")) *p = 1; else *p = 2;\n}\n')
        from support import KILNCC, run
        self.assert_works(run(KILNCC, "--offload-device-only", source, "-o", self.folder / "p.hipfb"))
        self.assertEqual(self.module(self.folder / "p.hipfb")["predicates"], ["is.gfx950"])


class Damaged(KilnTest):
    inputs = ("app", "app.hipfb", "packed.hipfb", "app.spv")

    def test_truncated_files(self):
        for name in ("app.hipfb", "packed.hipfb", "app.spv", "app"):
            whole = (self.data / name).read_bytes()
            for part in (1, 8, 23, 31, 40, len(whole) // 2, len(whole) - 1):
                with self.subTest(name=name, part=part):
                    path = self.folder / "broken"
                    path.write_bytes(whole[:part])
                    done = kiln("inspect", path)
                    if done.code == 0:  # a program whose section table is cut off at the end is still whole enough
                        self.assertEqual((name, part), ("app", len(whole) - 1))
                        continue
                    self.assert_fails(done, 1, "broken")

    def test_flipped_bits(self):
        for name in ("app.hipfb", "packed.hipfb", "app.spv"):
            whole = (self.data / name).read_bytes()
            for index in range(0, 40 * 8, 11):
                with self.subTest(name=name, bit=index):
                    damaged = bytearray(whole)
                    damaged[index // 8] ^= 1 << index % 8
                    path = self.folder / "broken"
                    path.write_bytes(damaged)
                    done = kiln("inspect", "--json", path)
                    self.assertIn(done.code, (0, 1), done.err)
                    if done.code == 1:
                        self.assert_fails(done, 1)
                        self.assertEqual(done.out, "")
                    else:
                        json.loads(done.out)

    def test_files_without_device_code(self):
        self.assert_fails(kiln("inspect", "/bin/true"), 1, "no device code", "/bin/true")
        (self.folder / "x.txt").write_text("hello\n")
        self.assert_fails(kiln("inspect", self.folder / "x.txt"), 1, "x.txt")
        (self.folder / "empty").write_bytes(b"")
        self.assert_fails(kiln("inspect", self.folder / "empty"), 1, "empty")
        self.assert_fails(kiln("inspect", self.folder), 1, "Is a directory")
        self.assert_fails(kiln("inspect", self.folder / "nothing"), 1, "No such file")

    def test_json_on_a_full_disk(self):
        import subprocess
        from support import KILN
        with open("/dev/full", "wb") as full:
            done = subprocess.run([KILN, "inspect", "--json", self.data / "app.spv"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write to standard output", done.stderr)


if __name__ == "__main__":
    unittest.main()
