# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Golden tests: RUN lines with the tools of the build and FileCheck."""
import os
import lit.formats

config.name = "kiln"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".hip", ".spvasm", ".test"]
config.test_source_root = os.path.dirname(__file__)
prefix = config.kiln_prefix
config.environment["PATH"] = os.pathsep.join([prefix + "/bin", config.llvm_tools, os.environ["PATH"]])
config.substitutions += [
    ("%llvm-spirv", prefix + "/lib/kiln/llvm-spirv"),
    ("%prefix", prefix),
    ("%clang", "clang-22"),
]
