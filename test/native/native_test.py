# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tour, compiled kernel by kernel for every target: is there an object for each, does its inline assembly show exactly
where its predicates say, and do metadata and kernel descriptors say what the source says? What is expected stands here, written
from the source by hand; LLVM's own tools read the objects."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

PREFIX = pathlib.Path(os.environ["KILN_PREFIX"])
KILN, TOUR = PREFIX / "bin/kiln", PREFIX / "bin/tour"
LLVM = pathlib.Path(os.environ.get("KILN_LLVM_BIN", "/usr/lib/llvm-22/bin"))

WAVE_64 = "gfx900 gfx906 gfx908 gfx90a gfx942 gfx950".split()
WAVE_32 = "gfx1030 gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1200 gfx1201 gfx1250 gfx12-generic".split()
AMD = WAVE_64 + WAVE_32
TARGETS = AMD + ["host", "sm_90"]
# What inline_assembly.hip guards: (instruction, the processors that its predicates name).
ASSEMBLY = {"v_add_u32": set(WAVE_64), "v_add_nc_u32": set(WAVE_32) - {"gfx1250", "gfx12-generic"}}

BUFFER, INT = ("global_buffer", 8), ("by_value", 4)
# Kernel: (arguments, bytes of static LDS, threads a block at most).
KERNELS = {
    "local_steps": ([BUFFER, INT, INT], 2 * 512 * 4, 1024),
    "global_step": ([BUFFER, INT, INT], 0, 1024),
    "black_scholes_kernel": ([BUFFER, BUFFER, BUFFER, INT, INT, BUFFER, INT], 0, 1024),
    "polynomial_kernel": ([BUFFER, BUFFER, INT], 0, 1024),
    "histogram_kernel": ([BUFFER, INT, BUFFER], 0, 1024),
    "assembly_kernel": ([BUFFER, BUFFER, BUFFER, BUFFER, INT], 0, 1024),
    "mandelbrot_kernel": ([BUFFER, INT, INT, INT], 0, 1024),
    "matmul_kernel": ([BUFFER, BUFFER, BUFFER, INT, INT, INT], 2 * 16 * 16 * 4, 16 * 16),
    "nbody_kernel": ([BUFFER, BUFFER, INT, INT], 128 * 16, 1024),
    "print_kernel": ([INT], 0, 1024),
    "tree_kernel": ([BUFFER, BUFFER, INT], 256 * 8, 1024),
    "shuffle_kernel": ([BUFFER, BUFFER, INT], 256 // 32 * 8, 1024),
    "saxpy_kernel": ([INT, BUFFER, BUFFER, BUFFER, INT], 0, 1024),
    "softmax_kernel": ([BUFFER, BUFFER, INT], 128 * 4, 1024),
}


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=300)
    if done.returncode or done.stderr:
        raise AssertionError(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def notes(path):
    """{key: value} of the one kernel in the metadata note, with "args": [(kind, size)] and "offsets"."""
    text = run(LLVM / "llvm-readelf", "--notes", path)
    found = dict(re.findall(r"(?m)^  (?:- )? *\.(\w+): +(\S+)$", text))
    found["target"] = re.search(r"(?m)^amdhsa\.target: +(\S+)$", text).group(1).strip("'")
    block = re.search(r"(?ms)^ *(?:- )?\.args:\n(.*?)^    \.\w", text)
    arguments = re.split(r"(?m)^      - ", block.group(1))[1:] if block else []
    fields = [dict(re.findall(r"(?m)^ *\.(\w+): +(\S+)$", argument)) for argument in arguments]
    found["args"] = [(field["value_kind"], int(field["size"])) for field in fields]
    found["offsets"] = [int(field["offset"]) for field in fields]
    return found


class Native(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="kiln-native-")
        cls.out = pathlib.Path(cls.folder.name)
        options = [option for name in KERNELS for option in ("--kernel", name)]
        run(KILN, "compile", TOUR, *options, "--arch", ",".join(TARGETS), "-j2", "-o", f"{cls.out}/")
        cls.files = {}
        for path in cls.out.iterdir():
            name = next((name for name in KERNELS if name in path.name), path.name)
            target = re.search(r"\.([^.]+)\.(?:co|so|ptx)$", path.name).group(1)
            cls.files[name, target] = path

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def each(self, targets, check):
        """check(kernel, target, path) runs tools, several at a time, and returns the function that judges what they said."""
        jobs = [(name, target, self.files[name, target]) for name in KERNELS for target in targets]
        with ThreadPoolExecutor(2) as pool:
            for (name, target, _), judge in zip(jobs, pool.map(lambda job: check(*job), jobs)):
                with self.subTest(kernel=name, target=target):
                    judge()

    def test_the_list_is_that_of_the_program(self):
        listed = run(KILN, "inspect", TOUR)
        self.assertEqual(sorted(re.findall(r"(?m)^ +\d+ +\d+ %  (\w+)\(", listed)), sorted(KERNELS))

    def test_an_object_for_every_kernel_and_target(self):
        self.assertEqual(set(self.files), {(name, target) for name in KERNELS for target in TARGETS})
        for (name, target), path in self.files.items():
            with self.subTest(kernel=name, target=target):
                content = path.read_bytes()
                if target == "sm_90":
                    self.assertIn(b".target sm_90", content)
                    self.assertRegex(content.decode(), rf"\.visible \.entry \w*{name}")
                else:
                    machine = {"host": 62}.get(target, 224)  # EM_X86_64, EM_AMDGPU
                    self.assertEqual((content[:4], content[16], content[18]), (b"\x7fELF", 3, machine))

    def test_metadata(self):
        def check(name, target, path):
            found = notes(path)
            arguments, lds, threads = KERNELS[name]

            def judge():
                visible = [argument for argument in found["args"] if not argument[0].startswith("hidden_")]
                self.assertEqual(visible, arguments)
                at, offsets = 0, []
                for _, size in arguments:
                    at = (at + size - 1) // size * size
                    offsets.append(at)
                    at += size
                self.assertEqual(found["offsets"][:len(arguments)], offsets)
                self.assertIn(name, found["name"])
                self.assertEqual(found["symbol"], found["name"] + ".kd")
                self.assertEqual(int(found["group_segment_fixed_size"]), lds)
                self.assertEqual(int(found["max_flat_workgroup_size"]), threads)
                self.assertEqual(int(found["wavefront_size"]), 64 if target in WAVE_64 else 32)
                self.assertEqual(found["target"], f"amdgcn-amd-amdhsa--{target}")
                self.assertEqual((found["vgpr_spill_count"], found["sgpr_spill_count"]), ("0", "0"))
                hidden = {kind for kind, _ in found["args"]} - {kind for kind, _ in arguments}
                self.assertEqual("hidden_printf_buffer" in hidden, name == "print_kernel")
            return judge
        self.each(AMD, check)

    def test_kernel_descriptors(self):
        def check(name, target, path):
            text = run(LLVM / "llvm-objdump", "-D", "-j", ".rodata", path)
            found = dict(re.findall(r"\.amdhsa_(\w+) (\d+)", text))
            size = int(notes(path)["kernarg_segment_size"])

            def judge():
                arguments, lds, _ = KERNELS[name]
                self.assertRegex(text, rf"\.amdhsa_kernel \w*{name}")
                self.assertEqual(int(found["group_segment_fixed_size"]), lds)
                self.assertEqual(int(found["kernarg_size"]), size)
                self.assertGreaterEqual(size, sum(bytes for _, bytes in arguments))
                # Wave 32 is a bit of the descriptor where there is a choice; gfx9 has 64 only.
                if target in WAVE_32:
                    self.assertEqual(found["wavefront_size32"], "1")
                else:
                    self.assertNotIn("wavefront_size32", found)
                self.assertEqual(int(found["private_segment_fixed_size"]) != 0, int(notes(path)["private_segment_fixed_size"]) != 0)
            return judge
        self.each(AMD, check)

    def test_launch_bounds_on_nvidia(self):
        for name, (_, _, threads) in KERNELS.items():
            with self.subTest(kernel=name):
                text = self.files[name, "sm_90"].read_text()
                sizes = re.search(r"\.maxntid ([0-9, ]+)", text).group(1).split(",")
                product = 1
                for size in sizes:
                    product *= int(size)
                self.assertEqual(product, threads)

    def assembly_of(self, target):
        path = self.files["assembly_kernel", target]
        return path.read_text() if target == "sm_90" else run(LLVM / "llvm-objdump", "-d", path)

    def test_inline_assembly_is_where_its_predicate_says(self):
        """The marker that the branch stores beside the sum tells the branch: 0 portable, 1 and 2 assembly. Portable code may
        use the same instruction, so the instruction alone does not."""
        for target in TARGETS:
            with self.subTest(target=target):
                text = self.assembly_of(target)
                wanted = [name for name, processors in ASSEMBLY.items() if target in processors]
                marker = {"v_add_u32": 1, "v_add_nc_u32": 2}[wanted[0]] if wanted else 0
                if target in AMD:
                    stored = {int(value) for value in re.findall(r"v_(?:dual_)?mov_b32(?:_e32)? v\d+, ([0-2])\b", text)}
                    self.assertIn(marker, stored, text)
                    self.assertFalse(stored & ({1, 2} - {marker}), text)
                elif target == "sm_90":
                    self.assertNotIn("v_add", text)
                    self.assertRegex(text, r"st\.global\.(?:b32|u32)\s+\[%rd\d+\], 0;")
                else:
                    self.assertNotIn("v_add", text)
                for name in wanted:
                    self.assertRegex(text, rf"\b{name}_e(?:32|64) ")
                for name in ASSEMBLY:
                    if name not in wanted and name == "v_add_u32" and target in WAVE_32:
                        self.assertNotIn(name + "_e", text)

    def test_an_unguarded_processor_gets_the_portable_branch_only(self):
        """The IR before code generation: no inline assembly at all, or the one text."""
        for target in TARGETS:
            with self.subTest(target=target):
                text = run(KILN, "compile", TOUR, "--kernel", "assembly_kernel", "--arch", target, "--emit-llvm", "-o", "-")
                found = re.findall(r'asm (?:sideeffect )?"(v_\w+) ', text)
                self.assertEqual(found, [name for name, processors in ASSEMBLY.items() if target in processors])


if __name__ == "__main__":
    sys.argv = sys.argv[:1] + ["-v"]
    unittest.main()
