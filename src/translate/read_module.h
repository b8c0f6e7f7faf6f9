// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reader from the inside: what all read_*.cpp share.
//
// A module is read in this order, so that nothing is looked at before what it needs exists:
// - scan (read_scan.cpp): every instruction is bounds-checked once; ids, names, decorations, entry points are noted;
// - types in module order (read_types.cpp);
// - functions are declared, so that constants can hold their addresses (read_functions.cpp);
// - variables are created without initialisers, for the same reason (read_globals.cpp);
// - constants in module order, then the initialisers (read_constants.cpp);
// - Kiln's rows: attributes, metadata, linkage (docs/spirv-mapping.md section 7; read_rows.cpp);
// - bodies, block by block; an operand that is defined further down is a placeholder until it is met (read_body.cpp).
// An opcode is a Row: its name, its shape and its handlers. Each chapter's file lists its rows; read_dispatch.cpp joins
// them. Every id is checked at each use, every operand's type before an LLVM instruction is built from it: LLVM itself
// only asserts.
#pragma once

#include "spirv/id_map.h"
#include "spirv/opcodes.h"
#include "translate/op_table.h"
#include "translate/reader.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Attributes.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <vector>

namespace kiln::translate::reading {

class ModuleReader;
class FunctionReader;
struct Row;

// One instruction; all its words are inside the module, and there are at least Row::words of them.
struct Inst {
  const Row* row = nullptr;
  uint32_t offset = 0;
  std::span<const uint32_t> words;

  spv::Op op() const { return spv::Op(words[0] & 0xffff); }
  uint32_t count() const { return uint32_t(words.size()); }
  uint32_t operator[](uint32_t at) const { return words[at]; }
  std::span<const uint32_t> from(uint32_t at) const { return words.subspan(std::min<size_t>(at, words.size())); }
  uint32_t result() const; // 0: it has none
};

enum class Layout : uint8_t { plain, result, typed }; // no result id; result id first; result type, then result id

enum class Phase : uint8_t {
  skip,     // says nothing that LLVM IR could hold
  scan,     // its module handler runs during the scan
  type,     // its module handler runs in the phase of that name
  constant, // likewise
  variable, // likewise
  row,      // OpExtInst: Kiln rows outside of functions
  function, // OpFunction and its relatives give the module its structure
  parameter,
  function_end,
  label,
  block, // only inside of a block
};

using ModuleHandler = Result<void> (*)(ModuleReader&, const Inst&);
using BlockHandler = Result<void> (*)(FunctionReader&, const Inst&, uint32_t extra);

struct Row {
  spv::Op op;
  const char* name;
  uint16_t words; // at least that many
  Layout layout;
  Phase phase;
  ModuleHandler module = nullptr;
  BlockHandler block = nullptr;
  uint32_t extra = 0; // for the block handler: which member of its family
};
using Rows = std::span<const Row>;
const Row* find_row(uint32_t opcode); // nullptr: the reader does not know it

Rows preamble_rows(), type_rows(), constant_rows(), global_rows(), structure_rows(), arithmetic_rows(),
    relational_rows(), conversion_rows(), composite_rows(), memory_rows(), atomic_rows(), control_rows(), call_rows(),
    assembly_rows(), extended_rows();

enum class Kind : uint8_t { undefined, type, value, function, label, string, set, assembly, other };
enum class InstSet : uint8_t { unknown, kiln, opencl, ignored };

// What is known of one id.
struct Def {
  uint32_t offset = 0;        // of the defining instruction
  uint32_t function = 0;      // 1 + index of the function it is local to; 0: of the module
  uint32_t decorations = 0;   // 1 + index of its latest decoration
  uint32_t name = 0;          // offset of its OpName
  uint32_t global_row = 0;    // offset of its Kiln Global
  uint32_t extra = 0;         // function, predicate: index; set: InstSet; attribute: 1 + index
  uint32_t attribute_set = 0; // 1 + index
  Kind kind = Kind::undefined;
  bool poison = false;        // of an OpUndef: Kiln Poison lists it
  bool freeze = false;        // of an OpCopyObject: Kiln Freeze lists it
  bool predicate = false;     // an OpSpecConstantTrue/False that names a feature predicate without a decision
  bool metadata_self = false; // Kiln MDSelf
  bool placeholder = false;   // value stands for an instruction that is not read yet
  uint16_t depth = 0;         // of nested types, constants, metadata: LLVM walks them recursively
  llvm::Type* type = nullptr;
  llvm::Value* value = nullptr;
  llvm::Metadata* metadata = nullptr;
};

// How the function that SPIR-V calls differs from the function that LLVM has.
enum class Callee : uint8_t { plain, intrinsic, atomic_rmw, atomic_load, atomic_store, atomic_exchange };

struct FunctionInfo {
  uint32_t id = 0;
  uint32_t begin = 0; // offset of OpFunction
  uint32_t end = 0;   // offset of OpFunctionEnd
  bool has_body = false;
  uint32_t entry_point = 0;      // offset of its OpEntryPoint, which has the kernel's name; 0: it is not one
  bool exact_attributes = false; // a Kiln row gave them
  Callee callee = Callee::plain;
  llvm::AtomicRMWInst::BinOp atomic = llvm::AtomicRMWInst::BAD_BINOP;
  llvm::Function* function = nullptr; // none for Callee::atomic_*
  llvm::FunctionType* type = nullptr; // as SPIR-V has it
  std::vector<uint32_t> parameters;   // ids
};

class ModuleReader {
public:
  ModuleReader(std::span<const uint32_t> words, llvm::LLVMContext& context, const ReadOptions& options)
      : words(words), context(context), options(options) {}
  ~ModuleReader();
  Result<std::unique_ptr<llvm::Module>> run();

  // Errors about one instruction: "word 17, OpIAdd %5: what".
  Error malformed(const Inst& inst, std::string_view what) const;
  Error unsupported(const Inst& inst, std::string_view what) const;

  // Ids. find: nullptr unless some instruction defines it. slot: makes the entry (a decoration may come first).
  Def* find(uint32_t id) {
    Def& def = defs_[index_.get(id)]; // nothing at 0, and that has no offset
    return def.offset ? &def : nullptr;
  }
  Result<Def*> slot(const Inst& inst, uint32_t id);
  Inst at(uint32_t offset) const; // of an offset that the scan has passed
  spv::Op opcode(const Def& def) const { return spv::Op(words[def.offset] & 0xffff); }
  std::string describe(uint32_t id);
  bool fits(uint32_t offset) const { return offset < words.size(); }

  // Operands. All fail with the id and what was expected.
  Result<llvm::Type*> type(const Inst& inst, uint32_t id);       // any type
  Result<llvm::Type*> value_type(const Inst& inst, uint32_t id); // of values: not void, not a function
  Result<llvm::Type*> sized_type(const Inst& inst, uint32_t id);
  Result<llvm::FunctionType*> function_type(const Inst& inst, uint32_t id);
  Result<llvm::Constant*> constant(const Inst& inst, uint32_t id);
  Result<uint32_t> u32(const Inst& inst, uint32_t id); // the value of an OpConstant of a 32-bit integer
  Result<llvm::StringRef> string(const Inst& inst, uint32_t id);
  Result<llvm::StringRef> literal_string(const Inst& inst, uint32_t at, uint32_t* next = nullptr) const;
  Result<uint32_t> pointee(const Inst& inst, uint32_t pointer_value_id); // the type id that its pointer type names
  llvm::APInt literal(std::span<const uint32_t> words, unsigned width) const;

  // Decorations: the literal words of the first one of that kind, nothing if there is none.
  std::optional<std::span<const uint32_t>> decoration(const Def& def, spv::Decoration kind) const;
  Result<llvm::MaybeAlign> alignment(const Inst& inst, const Def& def) const;
  Result<llvm::MaybeAlign> to_alignment(const Inst& inst, uint64_t bytes) const;
  llvm::StringRef name(const Def& def) const;
  Result<void> define(const Inst& inst, llvm::Constant* constant, unsigned depth = 0);
  Result<void> set_depth(const Inst& inst, Def& def, unsigned depth, unsigned most) const;

  // Address space of a storage class, and the other way of the predicates.
  Result<unsigned> address_space(const Inst& inst, uint32_t storage_class) const;
  llvm::FunctionCallee predicate_function(uint32_t index);
  Result<llvm::Function*> intrinsic(const Inst& inst, llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Type*> overloads);
  llvm::SyncScope::ID scope(uint32_t spirv_scope) const { return scopes_[spirv_scope]; }

  std::span<const uint32_t> words;
  llvm::LLVMContext& context;
  const ReadOptions& options;
  std::unique_ptr<llvm::Module> module;
  uint32_t bound = 0;
  bool kiln_module = false; // written by Kiln's emitter: what is not said is the default, not unknown

  // Filled by the scan.
  std::vector<FunctionInfo> functions;
  std::vector<uint32_t> entry_points;    // offsets
  std::vector<uint32_t> execution_modes; // offsets
  struct Predicate {
    uint32_t spec_id;
    std::string name;
    std::optional<bool> decided;
  };
  std::vector<Predicate> predicates;
  std::vector<llvm::Attribute> attributes;                              // made by Kiln rows
  std::vector<llvm::AttributeSet> attribute_sets;                       // likewise
  std::vector<std::pair<llvm::GlobalVariable*, uint32_t>> initialisers; // variable, offset of its OpVariable

  void add_decoration(Def& def, uint32_t offset);
  uint32_t count_decorations(const Def& def, uint32_t most) const;
  Result<void> apply_global_row(const Inst& inst, llvm::GlobalValue& global, bool declaration);
  llvm::DenseMap<llvm::GlobalVariable*, uint32_t> flag_variables; // AMD's predicates: 1 + index

  llvm::DenseMap<std::pair<unsigned, llvm::MDNode*>, bool> attachable_nodes; // by kind: already looked at

private:
  Result<void> scan();
  Result<void> scan_header();
  Result<void> scan_instruction(const Inst& inst, uint32_t& function, bool& in_block);
  Result<void> scan_row(const Inst& inst);
  Result<void> note_result(const Inst& inst, uint32_t function);
  Result<void> find_predicates();
  Result<void> run_phase(const std::vector<uint32_t>& offsets);
  Result<void> verify();

  struct Decoration {
    uint32_t offset;
    uint32_t next;
  };
  spirv::IdMap index_; // id -> index in defs_
  std::vector<Def> defs_;
  std::vector<Decoration> decorations_;
  std::vector<uint32_t> types_, constants_, variables_, rows_; // offsets
  llvm::SyncScope::ID scopes_[8] = {};
};

// Limits of nesting, so that LLVM's recursive walks stay shallow.
inline constexpr unsigned max_type_depth = 255; // SPIR-V's own limit for structures
inline constexpr unsigned max_constant_depth = 1024;
inline constexpr unsigned max_metadata_depth = 512;
inline constexpr uint64_t max_type_bytes = uint64_t(1) << 47;

struct Linkage {
  llvm::StringRef name;
  std::optional<spv::LinkageType> type; // none: no LinkageAttributes
};
Result<Linkage> linkage_of(ModuleReader& reader, const Inst& inst, const Def& def);
llvm::GlobalValue::LinkageTypes to_llvm(std::optional<spv::LinkageType> type);

[[nodiscard]] bool is_floating(unsigned binary_opcode); // FAdd and its like
Result<llvm::Constant*> fold_constant(ModuleReader& reader, const Inst& inst);
Result<void> declare_function(ModuleReader& reader, FunctionInfo& info);
void name_kernels(ModuleReader& reader);
Result<void> declare_intrinsic(ModuleReader& reader, const Inst& inst, FunctionInfo& info, llvm::StringRef name);
Result<void> read_row(ModuleReader& reader, const Inst& inst);
void read_attribute_row(ModuleReader& reader, const Inst& inst, Def& def);
void read_metadata_row(ModuleReader& reader, const Inst& inst, Def& def);
void apply_execution_modes(ModuleReader& reader);
Result<void> read_body(ModuleReader& reader, uint32_t function_index);
llvm::AttributeList attribute_list(ModuleReader& reader, const Inst& inst, uint32_t at, unsigned parameters);
// The number of a metadata kind, if the node has the shape that LLVM takes for granted.
std::optional<unsigned> attachable(ModuleReader& reader, llvm::StringRef name, llvm::MDNode* node);

} // namespace kiln::translate::reading
