# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the command-line tests share: running programs, judging their failures, and inputs made once per test file.

A failure is judged by one rule (KilnTest.assert_fails): the documented exit code, one line on standard error that starts
with "PROGRAM: error: " and holds one sentence, no crash, nothing of LLVM's bug reports.
"""
import contextlib
import os
import pathlib
import pty
import resource
import select
import shutil
import struct
import subprocess
import tempfile
import unittest

PREFIX = pathlib.Path(os.environ.get("KILN_PREFIX", pathlib.Path(__file__).resolve().parents[2] / "build/dev"))
SOURCE = pathlib.Path(os.environ.get("KILN_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
KILN = PREFIX / "bin/kiln"
KILNCC = PREFIX / "bin/kilncc"
LLVM_SPIRV = PREFIX / "lib/kiln/llvm-spirv"
LLVM_BIN = pathlib.Path("/usr/lib/llvm-22/bin")

PROGRAM = r"""
#include <hip/hip_runtime.h>
#include <cstdio>
struct Pair { int first; double second; };
__device__ int counter = 5;
__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void with_struct(Pair pair, double* out) { out[threadIdx.x] = pair.first * pair.second + counter; }
template <class T> __global__ void scale(T* data, T factor) { data[threadIdx.x] *= factor; }
template __global__ void scale<float>(float*, float);
template __global__ void scale<int>(int*, int);
__global__ void reverse(int* data) {
  __shared__ int tile[64];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[63 - threadIdx.x];
}
#ifndef NO_MAIN
int main() { std::puts("hello"); }
#endif
"""


class Done:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err


def run(*command, env=None, cwd=None, limits=None, timeout=300, stdin=None):
    """Runs a command with standard streams captured. limits: {resource.RLIMIT_X: bytes} of the child."""
    def restrict():
        for which, value in (limits or {}).items():
            resource.setrlimit(which, (value, value))
    environment = {key: value for key, value in os.environ.items() if not key.startswith("KILN_") and key != "NO_COLOR"}
    environment.update(env or {})
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
                          cwd=cwd, timeout=timeout, stdin=stdin or subprocess.DEVNULL, preexec_fn=restrict if limits else None)
    return Done(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))


def kiln(*arguments, **options):
    return run(KILN, *arguments, **options)


def run_on_terminal(*command, env=None):
    """Output and exit code of a command whose standard output and error are a terminal."""
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", **(env or {})}
    if env is None or "NO_COLOR" not in env:
        environment.pop("NO_COLOR", None)
    process = subprocess.Popen([str(part) for part in command], stdout=slave, stderr=slave, stdin=slave, env=environment)
    os.close(slave)
    out = b""
    while True:
        ready, _, _ = select.select([master], [], [], 60)
        if not ready:
            process.kill()
            break
        try:
            chunk = os.read(master, 65536)
        except OSError:  # EIO: the other side is closed
            break
        if not chunk:
            break
        out += chunk
    os.close(master)
    return process.wait(), out.decode(errors="replace")


@contextlib.contextmanager
def tiny_disk(kilobytes):
    """A file system of that size, or None where none can be mounted."""
    folder = tempfile.mkdtemp(prefix="kiln-full-")
    mounted = os.geteuid() == 0 and subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "kiln-test", folder],
                                                   stderr=subprocess.DEVNULL).returncode == 0
    try:
        yield pathlib.Path(folder) if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", folder], check=False)
        shutil.rmtree(folder, ignore_errors=True)


def bundle_entries(data):
    """[(id, bytes)] of an uncompressed Clang offload bundle; read here by hand, independent of the code under test."""
    assert data.startswith(b"__CLANG_OFFLOAD_BUNDLE__"), data[:24]
    (count,) = struct.unpack_from("<Q", data, 24)
    at, entries = 32, []
    for _ in range(count):
        offset, size, length = struct.unpack_from("<QQQ", data, at)
        entries.append((data[at + 24:at + 24 + length].decode(), data[offset:offset + size]))
        at += 24 + length
    return entries


def elf_header(data):
    """(type, machine) of an ELF file: ET_REL 1, ET_EXEC 2, ET_DYN 3; EM_X86_64 62, EM_AMDGPU 224."""
    assert data[:4] == b"\x7fELF", data[:4]
    return struct.unpack_from("<HH", data, 16)


def build_inputs(folder, names):
    """Makes the named inputs in `folder`: app (a program), app.o, app.hipfb (bundle), app.spv (its module)."""
    source = folder / "app.hip"
    source.write_text(PROGRAM)
    commands = {
        "app": [KILNCC, source, "-o", folder / "app"],
        "app.o": [KILNCC, "-c", source, "-o", folder / "app.o"],
        "app.so": [KILNCC, "-shared", "-fPIC", "-DNO_MAIN", source, "-o", folder / "app.so"],
        "app.hipfb": [KILNCC, "--offload-device-only", source, "-o", folder / "app.hipfb"],
        "packed.hipfb": [KILNCC, "--offload-device-only", "--offload-compress", source, "-o", folder / "packed.hipfb"],
    }
    for name in names:
        if name == "app.spv":
            if not (folder / "app.hipfb").exists():
                build_inputs(folder, ["app.hipfb"])
            modules = [data for entry, data in bundle_entries((folder / "app.hipfb").read_bytes()) if "spirv64" in entry]
            assert len(modules) == 1, modules
            (folder / name).write_bytes(modules[0])
            continue
        done = run(*commands[name])
        if done.code != 0:
            raise RuntimeError(f"making {name} failed ({done.code}): {done.err}")


class KilnTest(unittest.TestCase):
    inputs = ()  # what build_inputs makes before the first test
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls._shared = tempfile.TemporaryDirectory(prefix="kiln-cli-inputs-")
        cls.addClassCleanup(cls._shared.cleanup)
        cls.data = pathlib.Path(cls._shared.name)
        build_inputs(cls.data, cls.inputs)

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="kiln-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def assert_works(self, done):
        self.assertEqual(done.code, 0, f"standard error: {done.err}")
        self.assertEqual(done.err, "")

    def assert_fails(self, done, code, *fragments, program="kiln", count=1):
        """`count` errors of one sentence each, in them all `fragments`."""
        self.assertEqual(done.code, code, f"standard error: {done.err}")
        lines = done.err.splitlines()
        self.assertEqual(len(lines), count, f"expected {count} line(s) on standard error: {done.err!r}")
        for line in lines:
            self.assertTrue(line.startswith(f"{program}: error: "), line)
            self.assertGreater(len(line), len(f"{program}: error: ") + 10, line)
            self.assertNotIn("\033", line)
        for fragment in fragments:
            self.assertIn(fragment, done.err)
        for word in ("LLVM ERROR", "PLEASE submit", "Stack dump", "internal error", "terminate called"):
            self.assertNotIn(word, done.err)

    def assert_empty(self, folder):
        self.assertEqual(sorted(path.name for path in folder.iterdir()), [], "files were left behind")
