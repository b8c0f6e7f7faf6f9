# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kiln devices: what is usable here, and why the rest is not."""
import json
import os
import unittest

from support import KILN, KilnTest, kiln, run


class Devices(KilnTest):
    def test_the_host_is_always_there(self):
        done = kiln("devices", env={"KILN_DEVICES": "host"})
        self.assert_works(done)
        lines = done.out.splitlines()
        self.assertRegex(lines[0], r"^id +name +target +wave +cores +memory")
        self.assertRegex(lines[1], r"^host ")

    def test_json(self):
        done = kiln("devices", "--json", env={"KILN_DEVICES": "host"})
        self.assert_works(done)
        document = json.loads(done.out)
        self.assertEqual(sorted(document), ["devices", "unusable"])
        (host,) = document["devices"]
        self.assertEqual((host["id"], host["kind"]), ("host", "host"))
        self.assertIn(host["wave_size"], (32, 64))
        self.assertEqual(host["compute_units"], len(os.sched_getaffinity(0)))
        self.assertGreater(host["global_memory"], 2**20)
        self.assertTrue(host["name"])

    def test_the_wave_size_can_be_chosen(self):
        for wave in (32, 64):
            done = kiln("devices", "--json", env={"KILN_DEVICES": "host", "KILN_HOST_WAVE": str(wave)})
            self.assertEqual(json.loads(done.out)["devices"][0]["wave_size"], wave)

    def test_what_is_not_usable_has_a_reason(self):
        done = kiln("devices", "--json")
        self.assert_works(done)
        for entry in json.loads(done.out)["unusable"]:
            self.assertTrue(entry["id"])
            self.assertGreater(len(entry["reason"]), 10)

    def test_a_selection_of_nothing_known(self):
        done = kiln("devices", env={"KILN_DEVICES": "toaster"})
        self.assert_fails(done, 1, "toaster")

    def test_no_llvm_is_loaded(self):
        done = run(KILN, "devices", env={"LD_DEBUG": "files"})
        self.assertEqual(done.code, 0)
        self.assertIn("libkiln.so", done.err)
        self.assertNotIn("libLLVM", done.err)
        self.assertNotIn("libkiln-compiler", done.err)


if __name__ == "__main__":
    unittest.main()
