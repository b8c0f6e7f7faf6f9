#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random HIP kernels against a lockstep interpreter: divergent control flow, loops with breaks, arithmetic, LDS,
atomics and cross-lane operations. Every seed is one kernel.

  generate.py emit FIRST COUNT FILE.hip               the program of seeds FIRST .. FIRST+COUNT-1
  generate.py check FIRST COUNT PROGRAM --wave 32     runs it; compares with what the interpreter computes
  generate.py sweep FIRST COUNT --kilncc PATH         emit, compile and check at -O0 and -O3, waves of 32 and 64
"""
import argparse
import os
import random
import struct
import subprocess
import sys
import tempfile

from expressions import PRELUDE
from statements import INPUTS, SUMS, Kernel

BLOCKS = 2

HEAD = """\
#include <hip/hip_runtime.h>
#include <cstdio>
#include <vector>
typedef unsigned long long u64;
"""

HOST = """
template <class F> static void run(FILE* file, F kernel, unsigned block, unsigned words, unsigned uniform) {
  const unsigned lanes = %(blocks)d * block;
  std::vector<unsigned> in(%(inputs)d), own(lanes), out(lanes * words), sums(%(sums)d);
  for (unsigned k = 0; k < in.size(); ++k)
    in[k] = (k + 1) * 2654435761u ^ k << 7;
  for (unsigned k = 0; k < lanes; ++k)
    own[k] = 0x1000 + k;
  unsigned *d_in, *d_own, *d_out, *d_sums;
  hipMalloc(&d_in, in.size() * 4);
  hipMalloc(&d_own, lanes * 4);
  hipMalloc(&d_out, out.size() * 4);
  hipMalloc(&d_sums, sums.size() * 4);
  hipMemcpy(d_in, in.data(), in.size() * 4, hipMemcpyHostToDevice);
  hipMemcpy(d_own, own.data(), lanes * 4, hipMemcpyHostToDevice);
  hipMemset(d_sums, 0, sums.size() * 4);
  kernel<<<%(blocks)d, block>>>(d_out, d_in, d_own, d_sums, uniform);
  hipError_t error = hipDeviceSynchronize();
  if (error != hipSuccess)
    std::fprintf(stderr, "%%s\\n", hipGetErrorString(error));
  hipMemcpy(out.data(), d_out, out.size() * 4, hipMemcpyDeviceToHost);
  hipMemcpy(own.data(), d_own, lanes * 4, hipMemcpyDeviceToHost);
  hipMemcpy(sums.data(), d_sums, sums.size() * 4, hipMemcpyDeviceToHost);
  for (auto* part : {&out, &own, &sums})
    std::fwrite(part->data(), 4, part->size(), file);
  hipFree(d_in);
  hipFree(d_own);
  hipFree(d_out);
  hipFree(d_sums);
}

int main(int, char** argv) {
  FILE* file = std::fopen(argv[1], "wb");
  if (!file)
    return 2;
%(calls)s
  return std::fclose(file);
}
"""


def kernels(first, count):
    return [Kernel(random.Random(seed), f"kernel{seed}") for seed in range(first, first + count)]


def emit(first, count, path):
    batch = kernels(first, count)
    calls = "\n".join(f"  run(file, {k.name}, {k.block}u, {k.words}u, {k.uniform}u);" for k in batch)
    with open(path, "w") as file:
        file.write(HEAD + PRELUDE)
        for kernel in batch:
            file.write("\n" + "\n".join(kernel.lines) + "\n")
        file.write(HOST % dict(blocks=BLOCKS, inputs=INPUTS, sums=3 * SUMS, calls=calls))


def expected(kernel, wave):
    """(what it is, word) in the order in which the program writes them."""
    inputs = [((k + 1) * 2654435761 & 0xFFFFFFFF) ^ k << 7 for k in range(INPUTS)]
    sums, own, words = [0] * (3 * SUMS), [], []
    for block in range(BLOCKS):
        lanes = kernel.run(block, wave, inputs, sums)
        own += [(f"own of block {block} thread {t}", word) for t, word in enumerate(kernel.own)]
        words += [(f"{name} of block {block} thread {t}", word) for t, lane in enumerate(lanes)
                  for name, word in zip(kernel.names, lane)]
    return words + own + [(f"sum {k}", word) for k, word in enumerate(sums)]


def check(first, count, program, wave, label=""):
    """The seeds that differ."""
    with tempfile.NamedTemporaryFile() as output:
        run = subprocess.run([program, output.name], env=dict(os.environ, KILN_HOST_WAVE=str(wave)), timeout=600)
        data = output.read()
    if run.returncode:
        print(f"{label}{program} ended with {run.returncode}")
    wrong, offset = [], 0
    for seed, kernel in zip(range(first, first + count), kernels(first, count)):
        want = expected(kernel, wave)
        got = struct.unpack_from(f"<{len(want)}I", data, offset) if offset + 4 * len(want) <= len(data) else None
        offset += 4 * len(want)
        if got is None:
            print(f"{label}seed {seed}: no result")
            wrong.append(seed)
            continue
        bad = [(what, word, value) for (what, word), value in zip(want, got) if word != value]
        if bad:
            what, word, value = bad[0]
            print(f"{label}seed {seed} (wave {wave}): {len(bad)} of {len(want)} words differ; first {what}: "
                  f"got {value:#x}, expected {word:#x}")
            wrong.append(seed)
    return wrong


def sweep(first, count, kilncc):
    wrong = set()
    with tempfile.TemporaryDirectory() as folder:
        for start in range(first, first + count, 25):
            some = min(25, first + count - start)
            source = os.path.join(folder, "program.hip")
            emit(start, some, source)
            for level in ("-O0", "-O3"):
                program = os.path.join(folder, "program" + level)
                subprocess.run([kilncc, level, "-ffp-contract=off", "-w", source, "-o", program], check=True)
                for wave in (32, 64):
                    wrong |= set(check(start, some, program, wave, f"{level}: "))
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["emit", "check", "sweep"])
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("file", nargs="?")
    parser.add_argument("--wave", type=int, default=32)
    parser.add_argument("--kilncc", default="kilncc")
    arguments = parser.parse_args()
    if arguments.what == "emit":
        emit(arguments.first, arguments.count, arguments.file)
        return 0
    if arguments.what == "check":
        wrong = check(arguments.first, arguments.count, arguments.file, arguments.wave)
    else:
        wrong = sweep(arguments.first, arguments.count, arguments.kilncc)
    print(f"{len(wrong)} of {arguments.count} seeds differ" + (f": {sorted(wrong)}" if wrong else ""))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
