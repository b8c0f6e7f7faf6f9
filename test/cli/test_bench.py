# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/bench: the list, its errors, and a short flatness run whose figures must fit together."""
import json
import unittest

from support import KilnTest, PREFIX, PROGRAM, SOURCE, run

BENCH = SOURCE / "scripts/bench"


class Bench(KilnTest):
    def test_list_and_help(self):
        done = run(BENCH)
        self.assert_works(done)
        self.assertIn("flatness", done.out)
        self.assertIn("--json", run(BENCH, "flatness", "--help").out)

    def test_bad_command_lines(self):
        self.assert_fails(run(BENCH, "no-such-bench"), 2, "flatness", program="bench")
        self.assertEqual(run(BENCH, "flatness", "--counts", "17").code, 2)
        self.assert_fails(run(BENCH, "flatness", "--prefix", self.folder), 1, "no built Kiln", program="bench")

    def test_flatness(self):
        source, out = self.folder / "app.hip", self.folder / "out.json"
        source.write_text(PROGRAM)
        done = run(BENCH, "flatness", "--prefix", PREFIX, "--source", source, "--counts", "1,15", "--runs", "1", "--json", out)
        self.assertEqual(done.code, 0, done.err)
        document = json.loads(out.read_text())
        self.assertEqual(document["bench"], "flatness")
        (figures,) = document["sources"]
        for key in ("time_ratio", "bytes_ratio", "bytes_zstd_ratio"):
            self.assertGreater(document[key], 0)
            self.assertAlmostEqual(document[key], figures[key], places=2)
        peer, kiln = figures["peer"]["15"], figures["kiln"]
        self.assertAlmostEqual(figures["bytes_ratio"], peer["bytes"] / kiln["bytes"], places=2)
        self.assertGreater(peer["bytes"], 10 * figures["peer"]["1"]["bytes"])
        self.assertLess(peer["bytes_zstd"], peer["bytes"])
        self.assertIn("--offload-arch=gfx1201", peer["command"])
        self.assertIn("--offload-arch=amdgcnspirv", kiln["command"])
        self.assertIn("clang", document["versions"]["clang"])

    def test_a_source_that_does_not_compile(self):
        source = self.folder / "bad.hip"
        source.write_text("int x = ;\n")
        done = run(BENCH, "flatness", "--prefix", PREFIX, "--source", source, "--counts", "1", "--runs", "1", "--json", self.folder / "j")
        self.assertEqual(done.code, 1)
        self.assertIn("bench: error: ", done.err)
        self.assertFalse((self.folder / "j").exists())


if __name__ == "__main__":
    unittest.main()
