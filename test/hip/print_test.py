#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what print.hip prints: conversions as C's printf does them, and each work-item's messages in order."""
import subprocess
import sys

done = subprocess.run([sys.argv[1]], capture_output=True, text=True, timeout=120)
assert done.returncode == 0, done.stderr
lines = done.stdout.splitlines()
expected = [
    "int -1 2     3|4    |00005 +6",
    "unsigned 7 ff FF 0xff 10",
    "long -5000000000 -6000000000 18446744073709551615 abcdef0123",
    "float 1.500000 2.35 1.234568e+04 0.0001    3.142|",
    "char ok string literal      right|left  |cu",
    "percent % pointer 1",
    "star     42 2.718",
    "no arguments",
    "short -3 -4 size 99",
    "chosen zero",
]
# 2.345 is below its decimal spelling in binary: let C's rules decide.
expected[3] = "float %f %.2f %e %g %8.3f|" % (1.5, 2.345, 12345.678, 0.0001, 3.14159)
assert lines[: len(expected)] == expected, "\n".join(lines[: len(expected)])
rest = lines[len(expected):]
assert len(rest) == 3 * 40 * 4, len(rest)
for block in range(3):
    for thread in range(40):
        mine = [line for line in rest if line.startswith(f"block {block} thread {thread} ")]
        wanted = [f"block {block} thread {thread} {end}" for end in ("step 0", "step 1", "step 2", "last")]
        assert mine == wanted, mine
print("ok")
