#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device build time and bytes: clang ahead of time for 1..16 AMD targets against one portable module.

Both sides are the same clang with the same headers, flags and sources, building the device side only:
  peer  clang -x hip --offload-device-only -O3 --offload-arch=A --offload-arch=B ... (a bundle of N code objects)
  kiln  clang -x hip --offload-device-only -O3 --offload-arch=amdgcnspirv            (a bundle of one SPIR-V module)
Both use the prefix's device library: Debian's, with the constants of newer targets and Kiln's much smaller printf, which
is to the peer's advantage. clang 22's driver runs its jobs one after the other on both sides, so wall times are comparable as they are; CPU time
(of all child processes) is reported beside. Figures are medians over --runs runs, the two sides interleaved.

Bytes: "raw" is the device code in the bundle (the sum of its code objects, or the module), without the container's
padding; "fatbin" is the bundle's file; "zstd" is that file through zstd -19, on both sides.
Sources: the files of examples/tour (built one by one, sums are shown) and bench/flatness/large.hip.

JSON: time_ratio, bytes_ratio and bytes_zstd_ratio are peer (15 targets) / kiln, geometric means over the sources;
each source's own are in "sources". extra_target is what a 16th target adds on both sides.
"""
import argparse
import math
import pathlib
import shlex
import statistics
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from common import BenchError, ROOT, Run, commit, find_prefix, find_tool, first_line, guarded, machine, print_table, write_json

# The AMD targets of PyTorch's build, in the order in which the curve adds them; the 16th was not there when it was made.
TARGETS = ["gfx942", "gfx90a", "gfx1100", "gfx950", "gfx1201", "gfx906", "gfx908", "gfx1030", "gfx900", "gfx1101", "gfx1102",
           "gfx1103", "gfx1150", "gfx1151", "gfx1200", "gfx1250"]
COUNTS = [1, 2, 4, 8, 15, 16]
REFERENCE = 15
ZSTD_LEVEL = 19


def bundle_entries(path):
    """id -> size of each device entry of an uncompressed Clang offload bundle."""
    data = path.read_bytes()
    if not data.startswith(b"__CLANG_OFFLOAD_BUNDLE__"):
        raise BenchError(f"'{path}' is not an offload bundle")
    (count,) = struct.unpack_from("<Q", data, 24)
    entries, at = {}, 32
    for _ in range(count):
        offset, size, length = struct.unpack_from("<QQQ", data, at)
        name = data[at + 24:at + 24 + length].decode()
        at += 24 + length
        if offset + size > len(data):
            raise BenchError(f"'{path}' is truncated")
        if not name.startswith("host"):
            entries[name] = size
    return entries


class Side:
    """One way to build one source: a number of targets with clang, or once with Kiln."""

    def __init__(self, options, source, targets):
        self.targets = targets
        self.files = source["files"]
        self.base = [options.clang, "-x", "hip", "--offload-device-only", f"-O{options.opt}", f"--rocm-path={options.prefix}"]
        if targets == ["amdgcnspirv"]:
            self.base += ["-B", f"{options.prefix}/lib/kiln"]
        self.base += [f"--offload-arch={target}" for target in targets]
        self.base += ["--gpu-bundle-output", *options.flag]
        self.walls, self.cpus = [], []

    def command(self, file, output):
        return [*self.base, "-c", str(file), "-o", str(output)]

    def measure(self, folder):
        wall = cpu = 0.0
        for index, file in enumerate(self.files):
            run = Run(self.command(file, folder / f"{index}.hipfb"))
            wall += run.wall
            cpu += run.cpu
        self.walls.append(wall)
        self.cpus.append(cpu)

    def weigh(self, folder, zstd):
        self.raw = self.fatbin = self.packed = 0
        for index, _ in enumerate(self.files):
            bundle = folder / f"{index}.hipfb"
            entries = bundle_entries(bundle)
            if len(entries) != len(self.targets) or 0 in entries.values():
                raise BenchError(f"expected code for {', '.join(self.targets)} in the bundle, found {entries}")
            self.raw += sum(entries.values())
            self.fatbin += bundle.stat().st_size
            packed = subprocess.run([zstd, f"-{ZSTD_LEVEL}", "-q", "-c", str(bundle)], stdout=subprocess.PIPE, check=True)
            self.packed += len(packed.stdout)

    def figures(self):
        return {"targets": len(self.targets), "wall_s": round(statistics.median(self.walls), 4),
                "cpu_s": round(statistics.median(self.cpus), 4), "wall_runs_s": [round(w, 4) for w in self.walls],
                "bytes": self.raw, "bytes_fatbin": self.fatbin, "bytes_zstd": self.packed,
                "command": shlex.join(self.command(self.files[0], "OUT"))}


def measure_source(options, source):
    sides = {count: Side(options, source, TARGETS[:count]) for count in options.counts}
    kiln = Side(options, source, ["amdgcnspirv"])
    with tempfile.TemporaryDirectory(prefix="kiln-flatness-") as name:
        folder = pathlib.Path(name)
        for run in range(options.runs):
            for label, side in [*sides.items(), ("kiln", kiln)]:
                print(f"\r{source['name']}: run {run + 1}/{options.runs}, {label} ...   ", end="", file=sys.stderr, flush=True)
                side.measure(folder)
                if run == 0:  # every run gives the same bytes
                    side.weigh(folder, options.zstd)
        print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
    return {"name": source["name"], "files": [str(f.relative_to(ROOT)) if f.is_relative_to(ROOT) else str(f) for f in source["files"]],
            "peer": {str(count): side.figures() for count, side in sides.items()}, "kiln": kiln.figures()}


def ratios(result):
    peer, kiln = result["peer"].get(str(REFERENCE)), result["kiln"]
    if peer is None:
        return
    result["time_ratio"] = round(peer["wall_s"] / kiln["wall_s"], 3)
    result["cpu_ratio"] = round(peer["cpu_s"] / kiln["cpu_s"], 3)
    result["bytes_ratio"] = round(peer["bytes"] / kiln["bytes"], 3)
    result["bytes_fatbin_ratio"] = round(peer["bytes_fatbin"] / kiln["bytes_fatbin"], 3)
    result["bytes_zstd_ratio"] = round(peer["bytes_zstd"] / kiln["bytes_zstd"], 3)
    if more := result["peer"].get(str(REFERENCE + 1)):
        result["extra_target"] = {"peer_wall_s": round(more["wall_s"] - peer["wall_s"], 4),
                                  "peer_bytes": more["bytes"] - peer["bytes"],
                                  "kiln": "nothing is built: the same module serves it"}


def show(result):
    kiln = result["kiln"]
    rows = []
    slowest = max([side["wall_s"] for side in result["peer"].values()] + [kiln["wall_s"]])
    for label, side in [(f"clang, {c} target{'s' * (c != '1')}", s) for c, s in result["peer"].items()] + [("kiln, once", kiln)]:
        bar = "#" * max(1, round(30 * side["wall_s"] / slowest))
        against = ("", "", "") if side is kiln else tuple(
            f"{side[key] / kiln[key]:.2f}x" for key in ("wall_s", "bytes", "bytes_zstd"))
        rows.append([label, f"{side['wall_s']:.3f}", f"{side['cpu_s']:.3f}", side["bytes"], side["bytes_fatbin"],
                     side["bytes_zstd"], *against, bar])
    print(f"{result['name']} ({len(result['files'])} file{'s' * (len(result['files']) != 1)})")
    print_table(["", "wall s", "CPU s", "bytes", "fatbin", "zstd", "time", "bytes", "zstd", "wall"], rows, "<>>>>>>>><")
    print()


def sources(options):
    if options.source:
        files = [pathlib.Path(f).resolve() for f in options.source]
        return [{"name": file.stem, "files": [file]} for file in files]
    tour = sorted((ROOT / "examples/tour").glob("*.hip"))
    if not tour:
        raise BenchError("examples/tour has no .hip files")
    return [{"name": "tour", "files": tour}, {"name": "large", "files": [ROOT / "bench/flatness/large.hip"]}]


def parse():
    parser = argparse.ArgumentParser(prog="scripts/bench flatness", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE", help="write all figures to FILE ('-': standard output)")
    parser.add_argument("--prefix", help="a built or installed Kiln (default: KILN_PREFIX, build/release, build/dev)")
    parser.add_argument("--runs", type=int, default=3, help="runs of which the median is taken (default 3)")
    parser.add_argument("--counts", default=",".join(map(str, COUNTS)), help="points of the curve (default %(default)s)")
    parser.add_argument("--quick", action="store_true", help="one run, 1 and 15 targets only")
    parser.add_argument("--source", action="append", metavar="FILE", help="measure FILE instead (repeatable)")
    parser.add_argument("--flag", action="append", default=[], help="one more compiler flag for both sides (repeatable)")
    parser.add_argument("--opt", default="3", choices=["0", "1", "2", "3"], help="optimisation level (default 3)")
    options = parser.parse_args()
    if options.quick:
        options.runs, options.counts = 1, f"1,{REFERENCE}"
    try:
        options.counts = sorted({int(count) for count in options.counts.split(",")})
    except ValueError:
        parser.error(f"--counts takes numbers, not '{options.counts}'")
    if options.runs < 1 or not options.counts or not all(1 <= c <= len(TARGETS) for c in options.counts):
        parser.error(f"--runs is at least 1, --counts are from 1 to {len(TARGETS)}")
    return options


def main():
    options = parse()
    options.prefix = find_prefix(options.prefix)
    options.clang = find_tool("clang-22")
    options.zstd = find_tool("zstd")
    document = {"bench": "flatness"}
    results = []
    for source in sources(options):
        result = measure_source(options, source)
        ratios(result)
        show(result)
        results.append(result)
    if all("time_ratio" in result for result in results):
        for key in ("time_ratio", "bytes_ratio", "bytes_zstd_ratio", "cpu_ratio", "bytes_fatbin_ratio"):
            document[key] = round(math.exp(statistics.fmean(math.log(r[key]) for r in results)), 3)
        print(f"{REFERENCE} targets against once, geometric mean over {', '.join(r['name'] for r in results)}: "
              f"time {document['time_ratio']}x (CPU {document['cpu_ratio']}x), bytes {document['bytes_ratio']}x, "
              f"zstd -{ZSTD_LEVEL} {document['bytes_zstd_ratio']}x")
        for result in results:
            if extra := result.get("extra_target"):
                print(f"{result['name']}: a 16th target adds {extra['peer_wall_s']:.3f} s and {extra['peer_bytes']} bytes to "
                      "clang's, nothing to Kiln's (the same module serves it)")
    document |= {"sources": results, "targets": TARGETS[:REFERENCE], "extra": TARGETS[REFERENCE:], "runs": options.runs,
                 "statistic": "median", "zstd_level": ZSTD_LEVEL, "jobs": "one at a time on both sides",
                 "versions": {"clang": first_line([options.clang, "--version"]), "zstd": first_line([options.zstd, "--version"]),
                              "kiln": commit()}, "machine": machine()}
    write_json(options.json, document)
    return 0


if __name__ == "__main__":
    guarded(main)
