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

// Each form is read from disk once per process, when first needed.
Result<const DevlibPack*> pack(std::string_view form) {
  static std::mutex lock;
  static std::array<std::unique_ptr<DevlibPack>, forms.size()> loaded;
  auto index = static_cast<size_t>(std::find(forms.begin(), forms.end(), form) - forms.begin());
  if (index == forms.size())
    return Error{ErrorCode::invalid_argument, "there is no device library for '" + std::string(form) + "'"};
  std::lock_guard guard(lock);
  if (!loaded[index]) {
    static const char here = 0;
    KILN_ASSIGN(auto prefix, install_prefix(&here));
    auto content = read_file(prefix / "lib/kiln/devlib" / (std::string(form) + ".pack"));
    if (!content)
      return std::move(content.error()).context("the device library is not usable");
    KILN_ASSIGN(DevlibPack parsed, DevlibPack::parse(std::move(*content)));
    loaded[index] = std::make_unique<DevlibPack>(std::move(parsed));
  }
  return const_cast<const DevlibPack*>(loaded[index].get());
}

bool is_wanted(const llvm::GlobalValue& value) {
  return value.isDeclaration() && !value.use_empty() && value.getName().starts_with("__") &&
         !(llvm::isa<llvm::Function>(value) && llvm::cast<llvm::Function>(value).isIntrinsic());
}

// A declaration whose type is not the library's is a user's mistake that opaque pointers would hide.
Result<void> check_declaration(const llvm::Module& module, const llvm::Module& library, llvm::StringRef name) {
  const llvm::Function* declared = module.getFunction(name);
  const llvm::Function* defined = library.getFunction(name);
  if (declared && defined && declared->getFunctionType() != defined->getFunctionType())
    return Error{ErrorCode::invalid_module, describe(*declared) + " declares the device library's function '" +
                                                name.str() + "' with other parameter types than it has"};
  return {};
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
  std::vector<std::string> wanted;
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
      // A program's declaration may carry its own calling convention and visibility; the definition's count.
      if (llvm::Function* function = module.getFunction(name)) {
        function->setVisibility(llvm::GlobalValue::DefaultVisibility);
        function->setLinkage(llvm::GlobalValue::InternalLinkage);
        for (llvm::User* user : function->users())
          if (auto* call = llvm::dyn_cast<llvm::CallBase>(user); call && call->getCalledOperand() == function)
            call->setCallingConv(function->getCallingConv());
      } else if (llvm::GlobalVariable* variable = module.getGlobalVariable(name)) {
        variable->setVisibility(llvm::GlobalValue::DefaultVisibility);
        variable->setLinkage(llvm::GlobalValue::InternalLinkage);
      }
    }
  }
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
    hasher.add(library->content());
  }
  return hasher.finish();
}

} // namespace kiln::target
