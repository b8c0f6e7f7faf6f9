# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What all subcommands of kiln share: help, version, exit codes, colours."""
import re
import unittest

from support import KILN, KilnTest, kiln, run_on_terminal


class Program(KilnTest):
    def test_help(self):
        done = kiln("--help")
        self.assert_works(done)
        for word in ("devices", "inspect", "compile", "run", "Exit codes"):
            self.assertIn(word, done.out)
        for command in ("devices", "inspect", "compile", "run"):
            done = kiln(command, "--help")
            self.assert_works(done)
            self.assertIn("Exit codes: 0", done.out)
            self.assertIn("--help", done.out)

    def test_help_as_a_command(self):
        self.assertEqual(kiln("help").out, kiln("--help").out)
        self.assertEqual(kiln("help", "run").out, kiln("run", "--help").out)
        self.assert_fails(kiln("help", "burn"), 2, "there is no command 'burn'")

    def test_an_unknown_command_is_named(self):
        self.assert_fails(kiln("burn"), 2, "there is no command 'burn'; the commands are devices, inspect, compile, run")

    def test_version(self):
        done = kiln("--version")
        self.assert_works(done)
        self.assertRegex(done.out, r"^kiln \d+\.\d+\.\d+\n$")

    def test_bad_command_lines(self):
        for arguments in ([], ["burn"], ["--no-such-option"], ["devices", "extra"], ["inspect"], ["run"]):
            with self.subTest(arguments=arguments):
                done = kiln(*arguments)
                self.assert_fails(done, 2, "--help")
                self.assertEqual(done.out, "")

    def test_colours_only_on_a_terminal(self):
        self.assertNotIn("\033", kiln("devices").out)
        code, shown = run_on_terminal(KILN, "devices")
        self.assertEqual(code, 0, shown)
        self.assertIn("\033[1m", shown)
        code, plain = run_on_terminal(KILN, "devices", env={"NO_COLOR": "1"})
        self.assertEqual(code, 0)
        self.assertNotIn("\033", plain)
        self.assertEqual(re.sub(r"\033\[[0-9;]*m", "", shown), plain)

    def test_names_cannot_drive_the_terminal(self):
        done = kiln("inspect", "no\033[31msuch\nfile")
        self.assert_fails(done, 1, r"no\x1b[31msuch\x0afile")


if __name__ == "__main__":
    unittest.main()
