// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All chapters' rows as one array indexed by opcode.
#include "translate/read_module.h"

#include <array>

namespace kiln::translate::reading {
namespace {

using Table = std::array<const Row*, 8192>;

Table make_table() {
  Table table{};
  for (Rows rows : {preamble_rows(), type_rows(), constant_rows(), global_rows(), structure_rows(), arithmetic_rows(),
                    relational_rows(), conversion_rows(), composite_rows(), memory_rows(), atomic_rows(),
                    control_rows(), call_rows(), assembly_rows(), extended_rows()})
    for (const Row& row : rows) {
      assert(!table[uint32_t(row.op)] && "an opcode has two rows");
      table[uint32_t(row.op)] = &row;
    }
  return table;
}

} // namespace

const Row* find_row(uint32_t opcode) {
  static const Table table = make_table();
  return opcode < table.size() ? table[opcode] : nullptr;
}

} // namespace kiln::translate::reading
