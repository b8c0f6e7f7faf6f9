# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""AMD's device library as ahead-of-time clang 22 wants it.

Debian's rocm-device-libs (5.2) lacks what tells newer targets and code object version 6 apart: oclc_isa_version_950.bc,
oclc_abi_version_600.bc and the like. Each holds one constant, so the peer of a benchmark gets a folder with Debian's files
and the missing constants beside them. A prefix that has them already is used as it is.
"""
import pathlib
import re
import subprocess

from common import BenchError, find_tool

DEBIAN = pathlib.Path("/usr/lib/x86_64-linux-gnu/amdgcn/bitcode")


def isa_number(target):
    """gfx90a -> 9010, gfx942 -> 9402, gfx1201 -> 12001: major, minor, stepping (hexadecimal)."""
    major, minor, stepping = re.fullmatch(r"gfx(\d+)(\d)([0-9a-f])", target).groups()
    return int(major) * 1000 + int(minor) * 100 + int(stepping, 16)


def complete(prefix, targets, folder):
    """A folder for --rocm-device-lib-path that serves all targets: the prefix's own, or `folder`, which is filled."""
    # name -> (Debian's file of the same kind, its value, the wanted value)
    wanted = {f"oclc_isa_version_{target[3:]}.bc": ("oclc_isa_version_900.bc", 9000, isa_number(target)) for target in targets}
    wanted["oclc_abi_version_600.bc"] = ("oclc_abi_version_500.bc", 500, 600)
    own = prefix / "amdgcn/bitcode"
    if all((own / name).exists() for name in [*wanted, "ocml.bc"]):
        return own
    if not (DEBIAN / "ocml.bc").exists():
        raise BenchError(f"'{DEBIAN}' has no ocml.bc: install rocm-device-libs")
    for file in DEBIAN.glob("*.bc"):
        (folder / file.name).symlink_to(file)
    assembler = find_tool("llvm-as-22", "/usr/lib/llvm-22/bin/llvm-as")
    disassembler = find_tool("llvm-dis-22", "/usr/lib/llvm-22/bin/llvm-dis")
    for name, (model, value, new_value) in wanted.items():
        if (folder / name).exists():
            continue
        text = subprocess.run([disassembler, str(DEBIAN / model), "-o", "-"], stdout=subprocess.PIPE, text=True, check=True).stdout
        if text.count(f"constant i32 {value},") != 1:
            raise BenchError(f"'{DEBIAN / model}' does not hold the constant {value}")
        text = text.replace(f"constant i32 {value},", f"constant i32 {new_value},")
        subprocess.run([assembler, "-", "-o", str(folder / name)], input=text, text=True, check=True)
    return folder
