// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target/target.h"

#include "target/amdgpu/amdgpu_backend.h"
#include "target/host/host_backend.h"
#include "target/llvm_init.h"
#include "target/nvptx/nvptx_backend.h"
#include "target/processors.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <unordered_map>

namespace kiln::target {
namespace {

#if defined(__aarch64__)
constexpr const char* host_triple = "aarch64-unknown-linux-gnu";
#else
constexpr const char* host_triple = "x86_64-unknown-linux-gnu";
#endif

// What LLVM's tables of one target say of its processors.
const llvm::MCSubtargetInfo* subtarget(Family family, const char* triple) {
  register_llvm_target(family);
  std::string problem;
  llvm::Triple parsed(triple);
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(parsed, problem);
  return target ? target->createMCSubtargetInfo(parsed, "", "") : nullptr;
}

const std::vector<std::string>& sm_targets() {
  static const std::vector<std::string> names = [] {
    std::vector<std::pair<unsigned, std::string>> found;
    std::unique_ptr<const llvm::MCSubtargetInfo> info(subtarget(Family::nvptx, "nvptx64-nvidia-cuda"));
    if (info)
      for (const llvm::SubtargetSubTypeKV& processor : info->getAllProcessorDescriptions()) {
        llvm::StringRef name = processor.Key;
        unsigned number = 0;
        llvm::StringRef digits = name;
        // From Volta (sm_70) on each work-item has its own program counter, which Kiln's lowering of waves needs.
        if (digits.consume_front("sm_") && !digits.consumeInteger(10, number) && number >= 70)
          found.emplace_back(number, name.str());
      }
    std::sort(found.begin(), found.end());
    std::vector<std::string> sorted;
    for (auto& [number, name] : found)
      sorted.push_back(std::move(name));
    return sorted;
  }();
  return names;
}

bool is_host_processor(std::string_view name) {
  if (name == "native")
    return true;
  std::unique_ptr<const llvm::MCSubtargetInfo> info(subtarget(Family::host, host_triple));
  return info && info->isCPUStringValid(name);
}

Error unknown_target(std::string_view text) {
  std::vector<std::pair<unsigned, std::string>> near;
  for (const std::string& name : known_targets())
    near.emplace_back(llvm::StringRef(text).edit_distance(name, true, 0), name);
  std::sort(near.begin(), near.end());
  std::string message = "unknown target '" + std::string(text) + "'; near it are ";
  for (size_t i = 0; i < std::min<size_t>(3, near.size()); ++i)
    message += (i ? ", " : "") + near[i].second;
  return Error{ErrorCode::not_found, message};
}

Result<TargetId> parse_amd(std::string_view text, llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> settings) {
  const AmdProcessor* processor = find_amd_processor(name);
  if (!processor)
    return unknown_target(text);
  TargetId id{Family::amdgpu, name.str(), {}};
  for (llvm::StringRef setting : settings) {
    llvm::StringRef feature = setting.drop_back();
    bool known = (setting.ends_with("+") || setting.ends_with("-")) &&
                 ((feature == "sramecc" && processor->has_sramecc) || (feature == "xnack" && processor->has_xnack));
    if (!known)
      return Error{ErrorCode::not_found, "target '" + std::string(text) + "': " + name.str() + " has no setting '" +
                                             setting.str() + "'; a setting is " +
                                             (processor->has_sramecc && processor->has_xnack ? "sramecc or xnack"
                                              : processor->has_xnack                         ? "xnack"
                                                                                             : "not possible there") +
                                             (processor->has_xnack ? " with + or - after it" : "")};
    for (const std::string& other : id.settings)
      if (llvm::StringRef(other).drop_back() == feature)
        return Error{ErrorCode::not_found, "target '" + std::string(text) + "' says '" + feature.str() + "' twice"};
    id.settings.push_back(setting.str());
  }
  std::sort(id.settings.begin(), id.settings.end());
  return id;
}

} // namespace

std::string TargetId::name() const {
  if (family == Family::host)
    return processor == "native" ? "host" : "host:" + processor;
  std::string text = processor;
  for (const std::string& setting : settings)
    text += ":" + setting;
  return text;
}

Result<TargetId> parse_target(std::string_view text) {
  llvm::SmallVector<llvm::StringRef, 4> parts;
  llvm::StringRef(text).split(parts, ':');
  llvm::StringRef name = parts[0];
  llvm::ArrayRef<llvm::StringRef> rest = llvm::ArrayRef(parts).drop_front();
  if (name.starts_with("gfx"))
    return parse_amd(text, name, rest);
  if (name == "host" && rest.empty())
    return TargetId{Family::host, "native", {}};
  if (name == "host" && rest.size() == 1 && is_host_processor(rest[0]))
    return TargetId{Family::host, rest[0].str(), {}};
  if (name == "host" && rest.size() == 1)
    return Error{ErrorCode::not_found, "target '" + std::string(text) + "': LLVM knows no processor '" + rest[0].str() +
                                           "'; for example host:x86-64-v3 or host:native"};
  if (rest.empty() && std::find(sm_targets().begin(), sm_targets().end(), name.str()) != sm_targets().end())
    return TargetId{Family::nvptx, name.str(), {}};
  return unknown_target(text);
}

const std::vector<std::string>& known_targets() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const AmdProcessor& processor : amd_processors())
      all.emplace_back(processor.name);
    all.emplace_back("host");
    all.insert(all.end(), sm_targets().begin(), sm_targets().end());
    return all;
  }();
  return names;
}

Result<Backend*> backend(const TargetId& target) {
  static thread_local std::unordered_map<std::string, std::unique_ptr<Backend>> backends;
  std::unique_ptr<Backend>& entry = backends[target.name()];
  if (!entry) {
    using Make = std::unique_ptr<Backend> (*)(const TargetId&);
    static constexpr Make make[] = {make_amdgpu_backend, make_host_backend, make_nvptx_backend}; // in Family's order
    entry = make[static_cast<size_t>(target.family)](target);
  }
  return entry.get();
}

} // namespace kiln::target
