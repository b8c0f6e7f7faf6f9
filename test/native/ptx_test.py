# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs NVIDIA's assembler over the PTX of the programs given on the command line. Ends with code 77
(skipped) and says so loudly where ptxas is not installed."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

KILN = pathlib.Path(os.environ["KILN_PREFIX"]) / "bin/kiln"
TARGETS = ["sm_70", "sm_80", "sm_90", "sm_100"]


def find_ptxas():
    named = os.environ.get("KILN_PTXAS")
    for candidate in [named] if named else [shutil.which("ptxas"), "/usr/local/cuda/bin/ptxas"]:
        if candidate and os.access(candidate, os.X_OK):
            return candidate
    return None


def assemble(ptxas, path):
    target = re.search(r"(?m)^\.target (sm_\w+)", path.read_text()).group(1)
    done = subprocess.run([ptxas, f"-arch={target}", path, "-o", "/dev/null"], capture_output=True, text=True, timeout=300)
    if target == "sm_70" and "'sm_70' is not defined" in done.stderr:
        # CUDA 13 has no sm_70 any more: the same text as for the next one.
        path.write_text(re.sub(r"(?m)^\.target sm_70", ".target sm_75", path.read_text()))
        return assemble(ptxas, path)
    said = (done.stderr + done.stdout).strip()
    return f"{path.name}: {said}" if done.returncode or said else None


def main():
    ptxas = find_ptxas()
    if not ptxas:
        print("*" * 100)
        print("SKIPPED: ptxas is not here, so NO PTX WAS CHECKED. Install the CUDA toolkit or set KILN_PTXAS.")
        print("*" * 100)
        return 77
    failures, count = [], 0
    with tempfile.TemporaryDirectory(prefix="kiln-ptx-") as name:
        out = pathlib.Path(name)
        for program in sys.argv[1:]:
            done = subprocess.run([KILN, "compile", program, "--arch", ",".join(TARGETS), "-j2", "-o", f"{out}/"],
                                  capture_output=True, text=True, timeout=600)
            for line in done.stderr.splitlines():
                failures.append(f"{program}: {line}")
        paths = sorted(out.glob("*.ptx"))
        with ThreadPoolExecutor(2) as pool:
            for said in pool.map(lambda path: assemble(ptxas, path), paths):
                count += 1
                if said:
                    failures.append(said)
    for failure in failures:
        print(failure)
    print(f"{count} files of PTX, {len(failures)} failures, {ptxas}")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
