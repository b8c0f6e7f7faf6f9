// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The emitter's view of a whole module: ids, the sections of a SPIR-V module (specification 2.4), and what functions
// share: types, constants, variables, decorations, attributes, metadata. One .cpp file a chapter; emit_function.h is
// the other half.
//
// A failure is sticky: fail() keeps the first error, what is emitted after it is thrown away, and the loops over
// functions and instructions stop. That keeps the hundred small functions that return an Id readable.
#pragma once

#include "spirv/writer.h"
#include "support/result.h"
#include "translate/emit_pointers.h"
#include "translate/emitter.h"
#include "translate/op_table.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace kiln::translate {

using Id = uint32_t;

class ModuleEmitter {
public:
  ModuleEmitter(const llvm::Module& module, const EmitOptions& options) : module_(module), options_(options) {}
  [[nodiscard]] Result<std::vector<uint32_t>> run(); // emit_module.cpp

  Id new_id() { return next_id_++; }
  [[nodiscard]] const llvm::DataLayout& data_layout() const { return module_.getDataLayout(); }
  [[nodiscard]] llvm::LLVMContext& context() const { return module_.getContext(); }

  // Failure. `subject` (a function, instruction, variable) is printed after the sentence.
  Id fail(const llvm::Twine& what, const llvm::Value* subject = nullptr);
  [[nodiscard]] bool failed() const { return error_.has_value(); }
  void current_function(const llvm::Function* function) { current_ = function; }
  void current_instruction(const llvm::Instruction* instruction) { instruction_ = instruction; }

  void capability(spv::Capability capability, const char* extension = nullptr);
  Id opencl_set();
  Id string(llvm::StringRef text); // OpString
  void name(Id id, llvm::StringRef text);

  // emit_types.cpp. For a pointer (or a vector of them) `pointee` says what it points to; null: i8.
  Id type(llvm::Type* type, llvm::Type* pointee = nullptr);
  Id void_type() { return type(llvm::Type::getVoidTy(context())); }
  Id pointer_type(spv::StorageClass storage, Id pointee);
  Id function_type(const llvm::Function& function);     // parameters with their own pointees
  Id function_type(const llvm::FunctionType& function); // all pointers to i8
  Id code_pointer_type(Id function_type);
  std::optional<spv::StorageClass> storage_class(unsigned address_space);

  // emit_constants.cpp
  Id constant(const llvm::Constant* constant, llvm::Type* pointee = nullptr);
  Id u32(uint32_t value);
  Id boolean(llvm::Type* type, bool value); // i1 or a vector of it
  llvm::Type* natural_pointee(const llvm::Constant* constant);

  // emit_globals.cpp
  Id variable(const llvm::GlobalVariable& variable);
  Id function(const llvm::Function& function);                 // the id; declares intrinsics on first use
  Id imported(llvm::StringRef name, llvm::FunctionType* type); // a function that exists only in SPIR-V
  Id predicate(llvm::StringRef name);
  Id parameter(spirv::Section& section, const llvm::Argument& argument);
  Id inline_asm(const llvm::InlineAsm& code);
  const PointerPlan& pointers(const llvm::Function& function);

  // emit_decorations.cpp
  void decorate(Id id, spv::Decoration decoration, std::initializer_list<uint32_t> operands = {});

  // emit_metadata.cpp, emit_attributes.cpp: what only NonSemantic.Kiln.1 can say. 0 if the option is off or there is
  // nothing.
  void kiln(spirv::Section& section, spirv::Kiln instruction, llvm::ArrayRef<Id> operands);
  // The same, in as many instructions as a list of any length needs.
  void kiln_list(spirv::Section& section, spirv::Kiln instruction, llvm::ArrayRef<Id> head, llvm::ArrayRef<Id> list);
  Id kiln_value(spirv::Kiln instruction, llvm::ArrayRef<Id> operands);
  Id metadata(const llvm::Metadata* node);
  Id attribute_set(llvm::AttributeSet set);
  std::vector<Id> attribute_list(const llvm::AttributeList& list); // (index, set)... of the non-empty ones
  [[nodiscard]] bool aux_data() const { return options_.aux_data; }

  spirv::Section definitions;
  spirv::Section globals; // types, constants, variables

private:
  void check_module();
  void emit_linkage(const llvm::GlobalValue& value, Id id);
  void emit_global_row(const llvm::GlobalObject& value, Id id);
  void emit_function_rows(const llvm::Function& function);
  void emit_global_attachments(const llvm::GlobalObject& value, Id id);
  void emit_entry_point(const llvm::Function& function);
  void emit_declaration(const llvm::Function& function);
  void emit_predicate_table();
  void emit_aliases();
  void emit_named_metadata();
  void emit_decorations(spirv::Section& section);
  std::vector<uint32_t> assemble();

  Id integer(llvm::IntegerType* type, const llvm::APInt& value);
  Id composite(llvm::Type* type, llvm::ArrayRef<Id> parts);
  Id constant_expression(const llvm::ConstantExpr* expression);
  Id constant_address_space_cast(const llvm::ConstantExpr* expression);
  Id plain_constant(const llvm::Constant* constant, llvm::Type* pointee);
  Id spec_constant_op(Id type, spv::Op opcode, llvm::ArrayRef<uint32_t> operands);
  Id struct_type(llvm::StructType* type);
  Id vector_type(llvm::VectorType* type, llvm::Type* pointee);
  Id array_type(llvm::ArrayType* type);
  Id function_type_of(llvm::ArrayRef<Id> result_and_parameters);
  Id attribute(llvm::Attribute attribute);
  Id metadata_node(const llvm::MDNode* node);

  struct Reach { // what one function names directly
    std::vector<const llvm::Function*> functions;
    std::vector<const llvm::GlobalVariable*> variables;
  };
  const Reach& reach(const llvm::Function& function);

  const llvm::Module& module_;
  const EmitOptions& options_;
  std::optional<Error> error_;
  const llvm::Function* current_ = nullptr;
  const llvm::Instruction* instruction_ = nullptr;

  Id next_id_ = 1;
  std::set<uint32_t> capabilities_;
  std::set<std::string> extensions_;
  spirv::Section entry_points_, execution_modes_, strings_, names_, linkage_, declarations_, module_facts_;
  Id opencl_set_ = 0, kiln_set_ = 0;

  llvm::StringMap<Id> string_ids_;
  std::map<std::pair<llvm::Type*, llvm::Type*>, Id> types_;
  std::map<std::pair<uint32_t, Id>, Id> pointer_types_;
  std::map<std::vector<Id>, Id> function_types_;
  llvm::DenseMap<std::pair<const llvm::Constant*, llvm::Type*>, Id> constants_;
  std::map<uint32_t, Id> u32_;
  std::vector<Id> poison_;
  llvm::DenseMap<const llvm::GlobalVariable*, Id> variables_;
  llvm::DenseMap<const llvm::Function*, Id> functions_;
  llvm::DenseSet<const llvm::GlobalVariable*> in_progress_;
  llvm::StringMap<Id> imported_;
  std::vector<std::pair<std::string, Id>> predicates_;
  llvm::DenseMap<const llvm::InlineAsm*, Id> asm_;
  Id asm_target_ = 0;
  llvm::DenseMap<const llvm::Function*, std::unique_ptr<PointerPlan>> plans_;
  llvm::DenseMap<const llvm::Function*, std::unique_ptr<Reach>> reach_;
  std::vector<std::pair<std::vector<uint32_t>, std::vector<Id>>> decorations_; // {decoration, operands...} -> ids
  std::map<std::vector<uint32_t>, size_t> decoration_index_;
  llvm::DenseMap<const llvm::Metadata*, Id> metadata_;
  llvm::DenseSet<const llvm::Metadata*> metadata_in_progress_;
  llvm::DenseMap<llvm::AttributeSet, Id> attribute_sets_;
  std::map<std::vector<Id>, Id> kiln_values_;
  Id md_null_ = 0, md_self_ = 0;
};

// Names of overloaded forms: "p1.i32", "v2f16".
std::string mangle(llvm::Type* type);

} // namespace kiln::translate
