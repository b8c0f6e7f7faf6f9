#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs each fault of faults.hip: the process lives, HIP's error is right, and stderr says what happened and where."""
import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop(1)


class Faults(unittest.TestCase):
    def run_fault(self, name):
        done = subprocess.run([PROGRAM, name], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, f"the process died: {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done.stdout, done.stderr

    def check(self, name, out_has, err_has):
        out, err = self.run_fault(name)
        for text in out_has:
            self.assertIn(text, out, err)
        for text in err_has:
            self.assertIn(text, err, out)

    def test_trap(self):
        self.check("trap", ["finish: hipErrorLaunchFailure"], ["trap", "[2,0,0]", "[5,0,0]"])

    def test_null_store(self):
        self.check("null_store", ["finish: hipErrorLaunchFailure"], ["null_store", "0x"])

    def test_stack_overflow(self):
        self.check("stack_overflow", ["finish: hipErrorLaunchFailure"], ["stack"])

    def test_assert(self):
        out, err = self.run_fault("assert")
        self.assertIn("finish: hipErrorLaunchFailure", out)
        self.assertRegex(err, r"faults\.hip:\d+: .*failing_assert.*\[2,0,0\].*\[\d+,0,0\].*`value < limit && \"too large\"'")

    def test_divergent_barrier(self):
        self.check("divergent_barrier", ["finish: hipErrorLaunchFailure"], ["divergent_barrier", "barrier"])

    def test_amd_assembly(self):
        out, err = self.run_fault("amd_assembly")
        self.assertIn("other kernel: ok", out)
        self.assertNotIn("launch: hipSuccess", out)
        self.assertIn("amd_assembly", err)
        self.assertIn("v_mov_b32", err)
        self.assertIn("__builtin_amdgcn_processor_is", err)

    def test_pointer_to_barrier(self):
        out, err = self.run_fault("pointer_to_barrier")
        self.assertIn("launch: hipErrorNotSupported", out)
        self.assertIn("meet", err)
        self.assertIn("called through a pointer", err)
        self.assertNotIn("undefined symbol", err)

    def test_at_exit(self):
        out, err = self.run_fault("at_exit")
        self.assertIn("finish: hipErrorLaunchFailure", out)
        self.assertIn("at exit: hipErrorLaunchFailure", out)

    def test_fork(self):
        out, err = self.run_fault("fork")
        self.assertIn("child: hipErrorNotSupported, hipErrorNotSupported", out)
        self.assertIn("child's status: 0", out)
        self.assertIn("parent: hipSuccess", out)

    def test_streams_without_memory(self):
        out, err = self.run_fault("streams_without_memory")
        self.assertIn("stream: hipErrorOutOfMemory", out)
        self.assertIn("again: hipSuccess", out)

    def test_division(self):
        self.run_fault("division")


unittest.main()
