// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From LLVM IR that the reader made to machine code, for one device. A family of devices is a folder (amdgpu/, host/,
// nvptx/) and one Backend; what differs within a family are table rows.
#pragma once

#include "support/address_spaces.h"
#include "support/bytes.h"
#include "support/result.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class Module;
}

namespace kiln::target {

enum class Family { amdgpu, host, nvptx };

struct TargetId {
  Family family;
  std::string processor;                  // "gfx942", "gfx12-generic", "sm_90", "x86-64-v3" or "native"
  std::vector<std::string> settings;      // AMD's target id settings, sorted: "sramecc+", "xnack-"
  [[nodiscard]] std::string name() const; // canonical: "gfx942:sramecc+:xnack-", "host", "host:x86-64-v3"
};

// Errors: not_found, with the nearest known names.
[[nodiscard]] Result<TargetId> parse_target(std::string_view text);
[[nodiscard]] const std::vector<std::string>& known_targets();

enum class Output { image, object, assembly, llvm_ir };

struct CodegenOptions {
  unsigned wave_size = 0; // 0: the target's own
  unsigned opt_level = 3;
  unsigned code_object_version = 5;
  bool define_globals = true; // false: global variables in global memory are external, the loader gives their addresses
  Output output = Output::image;
};

struct Image {
  Bytes bytes;
  Bytes metadata; // msgpack, see codeobj/kernel_metadata.h
};

class Backend {
public:
  virtual ~Backend() = default;
  [[nodiscard]] virtual std::string triple() const = 0;
  [[nodiscard]] virtual std::string data_layout() const = 0;
  [[nodiscard]] virtual AddressSpaces address_spaces() const = 0;
  // Is this device PREDICATE ("is.gfx950", "has.feature,feature")? An empty "has." is true; unknown names are false.
  [[nodiscard]] virtual bool predicate(std::string_view name) const = 0;
  // Links the device library, lowers, optimises and generates code. `module` is consumed.
  virtual Result<Image> compile(std::unique_ptr<llvm::Module> module, const CodegenOptions& options) const = 0;
};

// One back end per target and thread: cheap to ask for again, not to be shared between threads.
[[nodiscard]] Result<Backend*> backend(const TargetId& target);

} // namespace kiln::target
