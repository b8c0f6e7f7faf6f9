// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is in a module, found in one scan over its words, without LLVM and without looking into function bodies:
// kernels, functions, variables, what is attached to an id, predicates. The input of slicing, of `kiln inspect` and of
// the runtime, which must not pay for 9,999 kernels that are not launched.
#pragma once

#include "spirv/id_map.h"
#include "spirv/operands.h"

#include <string>
#include <vector>

namespace kiln::spirv {

struct EntryPoint {
  std::string_view name;
  uint32_t function = 0; // id
  uint32_t offset = 0;   // of the OpEntryPoint
  spv::ExecutionModel model = spv::ExecutionModel::Kernel;
};

struct Function {
  uint32_t id = 0;
  uint32_t type = 0;  // the OpTypeFunction
  uint32_t first = 0; // word offset of the OpFunction
  uint32_t end = 0;   // word offset after the OpFunctionEnd
  bool has_body = false;
};

struct Variable {
  uint32_t id = 0;
  uint32_t type = 0; // the pointer type
  spv::StorageClass storage{};
  uint32_t initializer = 0; // id, 0 if none
  uint32_t offset = 0;
};

struct Linkage {
  uint32_t id = 0;
  std::string_view name;
  spv::LinkageType type{};
};

// A question about the device that is decided at JIT time: docs/spirv-mapping.md section 6.
struct Predicate {
  std::string name; // "is.gfx950", "has.gfx11-insts"
  uint32_t id = 0;  // the OpSpecConstantFalse, or the variable in AMD's own encoding
  std::optional<uint32_t> spec_id;
};

struct SpecConstant {
  uint32_t id = 0, spec_id = 0;
};

// A kernel's argument as AMDGPU lays it out; all other targets of Kiln use the same layout.
struct Argument {
  enum class Kind { value, global, constant, local, generic, byref };
  std::string name;
  Kind kind = Kind::value;
  uint64_t size = 0, align = 1, offset = 0; // bytes
};

// All views point into the words that the index was built from, which must outlive it. Immutable once built: any number
// of threads may use it.
class ModuleIndex final : public OperandContext {
public:
  [[nodiscard]] static Result<ModuleIndex> build(std::span<const uint32_t> words);

  [[nodiscard]] const Module& module() const { return module_; }
  [[nodiscard]] const std::vector<EntryPoint>& entry_points() const { return entry_points_; }
  [[nodiscard]] const EntryPoint* find_entry_point(std::string_view name) const;
  [[nodiscard]] const std::vector<Function>& functions() const { return functions_; }
  [[nodiscard]] const Function* find_function(uint32_t id) const;
  [[nodiscard]] const std::vector<Variable>& variables() const { return variables_; }
  [[nodiscard]] const std::vector<Linkage>& linkage() const { return linkage_; }
  [[nodiscard]] const std::vector<spv::Capability>& capabilities() const { return capabilities_; }
  [[nodiscard]] const std::vector<std::string_view>& extensions() const { return extensions_; }
  [[nodiscard]] const std::vector<std::string_view>& imports() const { return imports_; }
  [[nodiscard]] const std::vector<Predicate>& predicates() const { return predicates_; }
  // The variable llvm.amdgcn.feature.predicate.ids, 0 if there is none.
  [[nodiscard]] uint32_t predicate_table() const { return predicate_table_; }

  // Where an id is defined: word offset of the instruction, 0 if it is not defined outside of function bodies.
  [[nodiscard]] uint32_t definition(uint32_t id) const { return definitions_.get(id); }
  [[nodiscard]] std::optional<Instruction> find(uint32_t id) const;
  [[nodiscard]] std::string_view name(uint32_t id) const; // OpName, or empty

  // Calls visit(instruction) for what names or decorates an id, in module order: OpName, OpMemberName, all decorations,
  // group decorations that list it, execution modes, non-semantic instructions about it, OpXContinuedINTEL.
  template <class Visit> void for_each_attached(uint32_t id, Visit visit) const {
    for (uint32_t at = attached_.get(id); at != 0; at = links_[at - 1].next)
      visit(module_.at(links_[at - 1].offset));
  }
  // Instructions that belong to the module as a whole: capabilities, extensions, memory model, module flags.
  [[nodiscard]] const std::vector<uint32_t>& module_wide() const { return module_wide_; }

  // Is this an instruction of NonSemantic.Kiln.1, and which?
  [[nodiscard]] std::optional<Kiln> kiln_instruction(const Instruction& instruction) const;
  // The bytes of an array of integers that a constant holds (a string); nothing if it is another constant.
  [[nodiscard]] std::optional<std::string> constant_bytes(uint32_t id) const;
  // The value of an integer OpConstant of at most 64 bits.
  [[nodiscard]] std::optional<uint64_t> constant_integer(uint32_t id) const;

  // The arguments of the kernel that this function is.
  [[nodiscard]] Result<std::vector<Argument>> arguments(const Function& function) const;

  // OperandContext, for instructions outside of functions and for selectors that are constants.
  [[nodiscard]] const ExtInstSet* import_set(uint32_t id) const override;
  [[nodiscard]] uint32_t literal_words(uint32_t id) const override;
  // Words of a literal of this type, 0 if it is not a number.
  [[nodiscard]] uint32_t type_literal_words(uint32_t type) const;

private:
  struct Link {
    uint32_t target, offset, next;
  };
  friend class IndexBuilder;

  Module module_;
  std::vector<EntryPoint> entry_points_;
  std::vector<Function> functions_;
  std::vector<Variable> variables_;
  std::vector<Linkage> linkage_;
  std::vector<spv::Capability> capabilities_;
  std::vector<std::string_view> extensions_, imports_;
  std::vector<Predicate> predicates_;
  std::vector<SpecConstant> spec_constants_;
  std::vector<uint32_t> module_wide_;
  uint32_t predicate_table_ = 0;
  uint32_t kiln_import_ = 0;
  IdMap definitions_;  // id -> word offset
  IdMap function_ids_; // id -> position in functions_, plus 1
  IdMap import_sets_;  // id of an OpExtInstImport -> position of its table, plus 1
  IdMap attached_;     // id -> position in links_, plus 1
  std::vector<Link> links_;
};

} // namespace kiln::spirv
