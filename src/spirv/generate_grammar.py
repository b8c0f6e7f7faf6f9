#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns Khronos' machine-readable grammar plus our additions into C++ tables.

usage: generate_grammar.py HEADERS_DIR EXTRA_JSON KILN_INC OUT_DIR

HEADERS_DIR holds spirv.core.grammar.json and extinst.*.grammar.json. EXTRA_JSON holds what is newer than these files, or
wrong in them, in the same form. Writes OUT_DIR/operand_kinds.inc (the kinds of operands, for an enum) and
OUT_DIR/grammar_tables.inc (static arrays, included once by grammar.cpp).
"""
import json
import pathlib
import re
import sys

# Extended instruction sets whose operands are not all ids must have a table; the others get one for their names.
EXT_INST_FILES = {
    "OpenCL.std": "opencl.std.100",
    "GLSL.std.450": "glsl.std.450",
    "OpenCL.DebugInfo.100": "opencl.debuginfo.100",
    "DebugInfo": "debuginfo",
    "NonSemantic.Shader.DebugInfo.100": "nonsemantic.shader.debuginfo.100",
    "NonSemantic.DebugPrintf": "nonsemantic.debugprintf",
}
QUANTIFIERS = {None: "one", "?": "optional", "*": "any"}


def number(value):
    return int(value, 0) if isinstance(value, str) else value


def merge(core, extra):
    """Our instructions replace those of the same opcode; our enumerants come first, so that their names win."""
    ours = {i["opcode"] for i in extra["instructions"]}
    core["instructions"] = [i for i in core["instructions"] if i["opcode"] not in ours] + extra["instructions"]
    kinds = {k["kind"]: k for k in core["operand_kinds"]}
    for kind in extra["operand_kinds"]:
        if kind["kind"] in kinds:
            old = kinds[kind["kind"]]
            old["enumerants"] = kind["enumerants"] + old.get("enumerants", [])
        else:
            core["operand_kinds"].append(kind)


class Tables:
    def __init__(self, core):
        self.kinds = [k for k in core["operand_kinds"]]
        self.kind_names = {k["kind"] for k in self.kinds}
        self.specs, self.spec_index = [], {}

    def operands(self, operands):
        """The place of a list of operands in the shared array of operand specifications."""
        rows = []
        for operand in operands:
            kind = operand["kind"]
            if kind not in self.kind_names:  # an enum of a debug information set: one literal word
                kind = "LiteralInteger"
            rows.append((kind, QUANTIFIERS[operand.get("quantifier")]))
        key = tuple(rows)
        if key not in self.spec_index:
            self.spec_index[key] = len(self.specs)
            self.specs.extend(rows)
        return self.spec_index[key], len(rows)


def c_string(text):
    return json.dumps(text)


def main():
    headers, extra_path, kiln_path, out = map(pathlib.Path, sys.argv[1:5])
    core = json.loads((headers / "spirv.core.grammar.json").read_text())
    extra = json.loads(extra_path.read_text())
    merge(core, extra)
    tables = Tables(core)

    lines_enum, lines_kind = [], []
    count = 0
    for kind in tables.kinds:
        values = sorted(((number(e["value"]), e) for e in kind.get("enumerants", [])), key=lambda pair: pair[0])
        for value, enumerant in values:
            first, n = tables.operands(enumerant.get("parameters", []))
            lines_enum.append(f'{{{value}u, {c_string(enumerant["enumerant"])}, {first}, {n}}},')
        lines_kind.append(f'{{{c_string(kind["kind"])}, Category::{kind["category"].lower()}, {count}, {len(values)}}},')
        count += len(values)

    capability_values = {e["enumerant"]: number(e["value"])
                         for k in tables.kinds if k["kind"] == "Capability" for e in k["enumerants"]}
    instructions, seen = [], set()
    for instruction in core["instructions"]:
        if instruction["opcode"] not in seen:  # later ones are aliases of the same opcode
            seen.add(instruction["opcode"])
            instructions.append(instruction)
    instructions.sort(key=lambda i: i["opcode"])

    capabilities, extensions, lines_op = [], [], []
    index = [0] * (instructions[-1]["opcode"] + 1)
    for position, instruction in enumerate(instructions):
        operands = instruction.get("operands", [])
        first, n = tables.operands(operands)
        has_type = any(o["kind"] == "IdResultType" for o in operands)
        has_result = any(o["kind"] == "IdResult" for o in operands)
        caps = [capability_values[c] for c in instruction.get("capabilities", [])]
        exts = instruction.get("extensions", [])
        lines_op.append(
            f'{{{instruction["opcode"]}, {c_string(instruction["opname"])}, {first}, {n}, {str(has_type).lower()}, '
            f'{str(has_result).lower()}, {len(capabilities)}, {len(caps)}, {len(extensions)}, {len(exts)}}},')
        capabilities += caps
        extensions += exts
        index[instruction["opcode"]] = position + 1

    sets = {}
    for name, file in EXT_INST_FILES.items():
        sets[name] = json.loads((headers / f"extinst.{file}.grammar.json").read_text())["instructions"]
    for name, same in extra["ext_inst_same_as"].items():
        sets[name] = sets[same]
    for name, rows in extra["ext_inst_sets"].items():
        sets[name] = [{"opcode": n, "opname": row, "operands": [{"kind": "IdRef", "quantifier": "*"}]}
                      for n, row in enumerate(rows)]
    kiln = re.findall(r"^KILN_INSTRUCTION\(\s*(\d+),\s*(\w+)", kiln_path.read_text(), re.M)
    sets["NonSemantic.Kiln.1"] = [{"opcode": int(n), "opname": row, "operands": [{"kind": "IdRef", "quantifier": "*"}]}
                                  for n, row in kiln]
    lines_ext, lines_set = [], []
    for name, rows in sets.items():
        lines_set.append(f"{{{c_string(name)}, {len(lines_ext)}, {len(rows)}}},")
        for row in sorted(rows, key=lambda r: r["opcode"]):
            first, n = tables.operands(row.get("operands", []))
            lines_ext.append(f'{{{row["opcode"]}u, {c_string(row["opname"])}, {first}, {n}}},')

    def array(type_, name, lines):
        return [f"constexpr {type_} {name}[] = {{", *lines, "};"]

    text = ["// Generated by generate_grammar.py. Do not edit."]
    text += array("OperandSpec", "operand_specs", [f"{{OperandKind::{k}, Quantifier::{q}}}," for k, q in tables.specs])
    text += array("uint16_t", "capabilities", [f"{c}," for c in capabilities])
    text += array("std::string_view", "extensions", [f"{c_string(e)}," for e in extensions])
    text += array("EnumerantRow", "enumerants", lines_enum)
    text += array("KindRow", "kinds", lines_kind)
    text += array("OpcodeRow", "opcodes", lines_op)
    text += array("uint16_t", "opcode_index", [f"{i}," for i in index])
    text += array("EnumerantRow", "ext_insts", lines_ext)
    text += array("SetRow", "ext_inst_sets", lines_set)
    out.mkdir(parents=True, exist_ok=True)
    (out / "grammar_tables.inc").write_text("\n".join(text) + "\n")
    (out / "operand_kinds.inc").write_text("// Generated by generate_grammar.py. Do not edit.\n" +
                                           "".join(f'{k["kind"]},\n' for k in tables.kinds))


main()
