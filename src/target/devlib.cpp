// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target/devlib.h"

#include "support/file.h"
#include "target/devlib_pack.h"
#include "target/diagnostics.h"

#include <llvm/ADT/StringSet.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>

#include <array>
#include <mutex>

namespace kiln::target {
namespace {

constexpr std::array<std::string_view, 3> forms{"amdgcn", "host", "nvptx"};

// Each form is mapped once per process, when first needed, and stays. (A mapping is no more at risk than that of the
// shared library it comes with.)
Result<const DevlibPack*> pack(std::string_view form) {
  static std::mutex lock;
  struct Loaded {
    std::unique_ptr<llvm::MemoryBuffer> file;
    std::optional<DevlibPack> pack;
  };
  static std::array<Loaded, forms.size()> loaded;
  auto index = static_cast<size_t>(std::find(forms.begin(), forms.end(), form) - forms.begin());
  if (index == forms.size())
    return Error{ErrorCode::invalid_argument, "there is no device library for '" + std::string(form) + "'"};
  std::lock_guard guard(lock);
  Loaded& entry = loaded[index];
  if (!entry.pack) {
    static const char here = 0;
    KILN_ASSIGN(auto prefix, install_prefix(&here));
    auto path = prefix / "lib/kiln/devlib" / (std::string(form) + ".pack");
    auto file = llvm::MemoryBuffer::getFile(path.string(), /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!file)
      return Error{ErrorCode::not_found,
                   "the device library '" + path.string() + "' cannot be read: " + file.getError().message()};
    entry.file = std::move(*file);
    KILN_ASSIGN(entry.pack, DevlibPack::parse(as_bytes({entry.file->getBufferStart(), entry.file->getBufferSize()})));
  }
  return &*entry.pack;
}

bool is_wanted(const llvm::GlobalValue& value) {
  return value.isDeclaration() && !value.use_empty() && value.getName().starts_with("__") &&
         !(llvm::isa<llvm::Function>(value) && llvm::cast<llvm::Function>(value).isIntrinsic());
}

// Each part of the library brings its own copy of an unnamed struct type; the linker merges them by shape.
bool same_shape(const llvm::Type* a, const llvm::Type* b) {
  if (a == b)
    return true;
  return a->getTypeID() == b->getTypeID() && (a->isStructTy() || a->isFunctionTy()) &&
         a->getNumContainedTypes() == b->getNumContainedTypes() &&
         std::equal(a->subtype_begin(), a->subtype_end(), b->subtype_begin(), same_shape);
}

// A declaration whose type is not the library's is a user's mistake that opaque pointers would hide.
Result<void> check_declaration(const llvm::Module& module, const llvm::Module& library, llvm::StringRef name) {
  const llvm::Function* declared = module.getFunction(name);
  const llvm::Function* defined = library.getFunction(name);
  if (declared && defined && !same_shape(declared->getFunctionType(), defined->getFunctionType()))
    return Error{ErrorCode::invalid_module, describe(*declared) + " declares the device library's function '" +
                                                name.str() + "' with other parameter types than it has"};
  return {};
}

// Only once all is linked: a declaration finds definitions with external linkage alone. A program's declaration may
// carry a calling convention and visibility of its own; the definition's count.
void make_internal(llvm::Module& module, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    llvm::GlobalValue* value = module.getNamedValue(name);
    if (!value)
      continue;
    value->setVisibility(llvm::GlobalValue::DefaultVisibility);
    value->setLinkage(llvm::GlobalValue::InternalLinkage);
    if (auto* function = llvm::dyn_cast<llvm::Function>(value))
      for (llvm::User* user : function->users())
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(user); call && call->getCalledOperand() == function)
          call->setCallingConv(function->getCallingConv());
  }
}

struct Control {
  const char* name;
  unsigned bits;
  uint64_t value;
};

void define_controls(llvm::Module& module, const DeviceLibraryOptions& options) {
  const Control controls[] = {
      {"__oclc_ISA_version", 32, options.isa_version},
      {"__oclc_ABI_version", 32, options.abi_version},
      {"__oclc_wavefrontsize64", 8, options.wave_size == 64},
      {"__oclc_daz_opt", 8, options.flush_denormals},
      {"__oclc_finite_only_opt", 8, 0},
      {"__oclc_unsafe_math_opt", 8, 0},
      {"__oclc_correctly_rounded_sqrt32", 8, 1},
  };
  for (const Control& control : controls) {
    llvm::GlobalVariable* variable = module.getGlobalVariable(control.name);
    if (!variable)
      continue;
    auto* type = llvm::IntegerType::get(module.getContext(), control.bits);
    auto* value = llvm::ConstantInt::get(type, control.value);
    // A plain load is replaced at once: what it guards is then gone before intrinsics are looked at.
    for (llvm::User* user : llvm::make_early_inc_range(variable->users()))
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user); load && load->getType() == type) {
        for (llvm::User* frozen : llvm::make_early_inc_range(load->users()))
          if (auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(frozen)) {
            freeze->replaceAllUsesWith(value);
            freeze->eraseFromParent();
          }
        load->replaceAllUsesWith(value);
        load->eraseFromParent();
      }
    if (variable->use_empty()) {
      variable->eraseFromParent();
      continue;
    }
    if (!variable->hasInitializer() && variable->getValueType() == type)
      variable->setInitializer(value);
    variable->setConstant(true);
    variable->setVisibility(llvm::GlobalValue::DefaultVisibility);
    variable->setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

} // namespace

Result<void> link_device_library(llvm::Module& module, const DeviceLibraryOptions& options) {
  llvm::StringSet<> done;
  std::vector<std::string> wanted, linked;
  auto collect = [&] {
    wanted.clear();
    auto look_at = [&](const llvm::GlobalValue& value) {
      if (is_wanted(value) && !done.contains(value.getName()))
        wanted.push_back(value.getName().str());
    };
    for (const llvm::Function& function : module)
      look_at(function);
    for (const llvm::GlobalVariable& variable : module.globals())
      look_at(variable);
  };
  std::unique_ptr<llvm::Linker> linker;
  const DevlibPack* library = nullptr;
  for (collect(); !wanted.empty(); collect()) {
    for (const std::string& name : wanted) {
      done.insert(name);
      if (!library) {
        KILN_ASSIGN(library, pack(options.form));
        linker = std::make_unique<llvm::Linker>(module);
      }
      auto bitcode = library->find(name);
      if (!bitcode)
        continue;
      llvm::MemoryBufferRef buffer(llvm::StringRef(reinterpret_cast<const char*>(bitcode->data()), bitcode->size()),
                                   name);
      auto part = llvm::parseBitcodeFile(buffer, module.getContext());
      if (!part)
        return Error{ErrorCode::invalid_module,
                     "the device library's '" + name + "' cannot be read: " + llvm::toString(part.takeError())};
      (*part)->setTargetTriple(module.getTargetTriple());
      (*part)->setDataLayout(module.getDataLayout());
      KILN_TRY(check_declaration(module, **part, name));
      if (linker->linkInModule(std::move(*part)))
        return Error{ErrorCode::compile_failed, "the device library's '" + name + "' cannot be linked"};
      linked.push_back(name);
    }
  }
  make_internal(module, linked);
  define_controls(module, options);
  return {};
}

Result<void> check_no_undefined_functions(const llvm::Module& module) {
  for (const llvm::Function& function : module)
    if (function.isDeclaration() && !function.isIntrinsic() && !function.use_empty())
      return Error{ErrorCode::unsupported, describe(function) + " calls '" + function.getName().str() +
                                               "', which neither the module nor the device library defines"};
  return {};
}

Result<Digest> device_library_digest() {
  Hasher hasher;
  for (std::string_view form : forms) {
    KILN_ASSIGN(const DevlibPack* library, pack(form));
    hasher.add(library->digest().bytes);
  }
  return hasher.finish();
}

} // namespace kiln::target
