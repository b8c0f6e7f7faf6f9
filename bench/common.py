# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the benchmarks share: running and timing commands, versions, the machine, tables, JSON. Standard library only."""
import json
import os
import pathlib
import platform
import resource
import shlex
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


class BenchError(Exception):
    """One sentence for a person; the benchmark ends with exit code 1."""


def find_prefix(given):
    """The folder in which Kiln is built or installed, with all that clang needs for both sides of a comparison."""
    candidates = [given] if given else [os.environ.get("KILN_PREFIX"), ROOT / "build/release", ROOT / "build/dev"]
    needed = ("share/hip/version", "lib/kiln/llvm-spirv", "amdgcn/bitcode/ockl.bc", "amdgcn/bitcode/oclc_abi_version_600.bc")
    for candidate in filter(None, candidates):
        prefix = pathlib.Path(candidate).resolve()
        if all((prefix / name).exists() for name in needed):
            return prefix
    raise BenchError(f"no built Kiln in {', '.join(str(c) for c in candidates if c)}: run scripts/build release, or give "
                     "--prefix FOLDER")


def find_tool(*names):
    for name in names:
        if path := shutil.which(name):
            return path
    raise BenchError(f"'{names[0]}' is not installed")


class Run:
    """One finished command: wall and CPU seconds (of the command and all that it started)."""

    def __init__(self, command, cwd=None):
        command = [str(part) for part in command]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        self.wall = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.cpu = (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)
        if done.returncode != 0:
            lines = [line for line in done.stdout.splitlines() if "error" in line.lower()] or done.stdout.splitlines()[-1:]
            raise BenchError(f"'{shlex.join(command)}' ended with {done.returncode}: {' | '.join(lines[:3])}")


def first_line(command):
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout.splitlines()[0]
    except (OSError, IndexError):
        return "unknown"


def machine():
    model = platform.machine()
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    return {"cpu": model, "cores": len(os.sched_getaffinity(0)), "system": platform.platform(),
            "load_at_start": round(os.getloadavg()[0], 2)}


def commit():
    return first_line(["git", "-C", str(ROOT), "rev-parse", "HEAD"])


def print_table(titles, rows, align):
    """align: one of '<' and '>' per column."""
    cells = [[str(cell) for cell in row] for row in [titles, *rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(titles))]
    for row in cells:
        print("  ".join(f"{cell:{align[i]}{widths[i]}}" for i, cell in enumerate(row)).rstrip())


def write_json(path, document):
    if not path:
        return
    text = json.dumps(document, indent=2) + "\n"
    if path == "-":
        sys.stdout.write(text)
        return
    # All or nothing, as everything that Kiln writes.
    temporary = f"{path}.tmp{os.getpid()}"
    try:
        with open(temporary, "w") as file:
            file.write(text)
        os.replace(temporary, path)
    except OSError as error:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise BenchError(f"cannot write '{path}': {error.strerror}") from error


def guarded(main):
    try:
        sys.exit(main())
    except BenchError as error:
        print(f"bench: error: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
