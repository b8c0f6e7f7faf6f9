// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln inspect: what device code is in a file. One JSON document is made; the text for people is drawn from it.
#include "spirv/text.h"
#include "tools/kiln/command.h"
#include "tools/kiln/describe.h"
#include "tools/kiln/input.h"
#include "tools/kiln/table.h"

namespace kiln::tool {
namespace {

constexpr const char* kind_names[] = {"spirv", "native", "host", "unknown"}; // by CodeKind

Result<Json> describe(const Code& code) {
  Json entry{{"id", code.id}, {"kind", kind_names[static_cast<size_t>(code.kind)]}, {"size", code.bytes.size()}};
  if (code.kind == CodeKind::spirv) {
    KILN_ASSIGN(entry["module"], describe_module(code.bytes));
  } else if (code.kind == CodeKind::native) {
    KILN_ASSIGN(entry["object"], describe_object(code.bytes));
  }
  return entry;
}

Result<Json> describe(const Input& input) {
  Json document{{"file", input.path.string()}, {"kind", input.kind}, {"bundles", Json::array()}};
  for (const FatBinary& fat : input.fat_binaries) {
    Json bundle{{"where", fat.where},
                {"compression", fat.method.empty() ? Json(nullptr) : Json(fat.method)},
                {"stored_size", fat.stored.size()},
                {"size", fat.unpacked_size},
                {"entries", Json::array()}};
    for (const Code& code : fat.codes) {
      auto entry = describe(code);
      if (!entry)
        return code.id.empty() ? std::move(entry.error()) : std::move(entry.error()).context(code.id);
      bundle["entries"].push_back(std::move(*entry));
    }
    document["bundles"].push_back(std::move(bundle));
  }
  return document;
}

std::string text(const Json& value) {
  return printable(value.is_string() ? value.get<std::string>() : value.dump());
}

std::string joined(const Json& list) {
  std::string all;
  for (const Json& item : list)
    all += (all.empty() ? "" : ", ") + text(item);
  return all.empty() ? "none" : all;
}

std::string argument_list(const Json& arguments) {
  std::string all;
  for (const Json& argument : arguments) {
    all += (all.empty() ? "" : ", ") + text(argument["kind"]) + ":" + text(argument["size"]) + "@" +
           text(argument["offset"]);
  }
  return all.empty() ? "none" : all;
}

void print_module(const Json& module) {
  std::printf("  SPIR-V %s, generator %s, %s bytes, %s functions\n", text(module["version"]).c_str(),
              text(module["generator_name"]).c_str(), text(module["bytes"]).c_str(), text(module["functions"]).c_str());
  for (const char* list : {"capabilities", "extensions", "instruction_sets", "predicates"})
    std::printf("  %s: %s\n", list, joined(module[list]).c_str());
  if (!module["globals"].empty()) {
    std::printf("\n");
    Table table({{"global"}, {"bytes", Align::right}, {"storage"}, {"linkage"}, {"initialised"}});
    for (const Json& global : module["globals"])
      table.add({text(global["name"]), global["size"].is_null() ? "?" : text(global["size"]), text(global["storage"]),
                 global["linkage"].is_null() ? "internal" : text(global["linkage"]),
                 global["initialized"].get<bool>() ? "yes" : "no"});
    table.print(stdout, "  ");
  }
  if (!module["kernels"].empty()) {
    std::printf("\n");
    Table table({{"words", Align::right}, {"share", Align::right}, {"kernel"}, {"arguments (kind:bytes@offset)"}});
    double all = static_cast<double>(module["bytes"].get<uint64_t>()) / 4;
    for (const Json& kernel : module["kernels"])
      table.add({text(kernel["slice_words"]), fixed(100 * kernel["slice_words"].get<double>() / all, 0) + " %",
                 text(kernel["demangled"]), argument_list(kernel["arguments"])});
    table.print(stdout, "  ");
  }
}

void print_object(const Json& object) {
  std::printf("  target %s, %s bytes\n\n", text(object["target"]).c_str(), text(object["bytes"]).c_str());
  Table table({{"wave", Align::right},
               {"VGPR", Align::right},
               {"AGPR", Align::right},
               {"SGPR", Align::right},
               {"spills", Align::right},
               {"LDS", Align::right},
               {"scratch", Align::right},
               {"kernel"},
               {"arguments (kind:bytes@offset)"}});
  for (const Json& kernel : object["kernels"])
    table.add({text(kernel["wave_size"]), text(kernel["vgprs"]), text(kernel["agprs"]), text(kernel["sgprs"]),
               std::to_string(kernel["vgpr_spills"].get<uint64_t>() + kernel["sgpr_spills"].get<uint64_t>()),
               text(kernel["lds"]), text(kernel["scratch"]), text(kernel["demangled"]),
               argument_list(kernel["arguments"])});
  table.print(stdout, "  ");
}

void print_document(const Json& document) {
  std::printf("%s: %s\n", text(document["file"]).c_str(), text(document["kind"]).c_str());
  for (const Json& bundle : document["bundles"]) {
    std::string size = human_size(bundle["size"].get<uint64_t>());
    std::string how = bundle["compression"].is_null() ? size
                                                      : human_size(bundle["stored_size"].get<uint64_t>()) + " " +
                                                            text(bundle["compression"]) + ", " + size + " unpacked";
    std::string where = text(bundle["where"]);
    std::printf("\n%s (%s)\n", paint(where.empty() ? "device code" : where, Style::heading, stdout).c_str(),
                how.c_str());
    for (const Json& entry : bundle["entries"]) {
      if (std::string id = text(entry["id"]); !id.empty())
        std::printf("\n%s, %s bytes\n", id.c_str(), text(entry["size"]).c_str());
      if (entry.contains("module"))
        print_module(entry["module"]);
      if (entry.contains("object"))
        print_object(entry["object"]);
    }
  }
}

int run(const std::string& file, bool json, bool spirv_text) {
  auto input = open_input(file);
  if (!input)
    return failed(input.error());
  if (spirv_text) {
    auto modules = input->modules();
    if (modules.empty())
      return failed("there is no SPIR-V module in '" + file + "'");
    std::string all;
    for (const Code* code : modules) {
      auto words = module_words(code->bytes);
      if (!words)
        return failed(std::move(words.error()).context(file));
      auto listing = spirv::to_text(*words);
      if (!listing)
        return failed(std::move(listing.error()).context(file));
      all += *listing;
    }
    std::fwrite(all.data(), 1, all.size(), stdout);
    return exit_ok;
  }
  auto document = describe(*input);
  if (!document)
    return failed(std::move(document.error()).context(file));
  if (json)
    return print_json(*document);
  print_document(*document);
  return exit_ok;
}

} // namespace

void add_inspect(CLI::App& app, Chosen& chosen) {
  struct Options {
    std::string file;
    bool json = false, spirv_text = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("inspect", "Show the device code in a file: bundles, modules, kernels, sizes");
  command->add_option("FILE", options->file, "program, library, object, archive, bundle, .spv or code object")
      ->required();
  auto* json = command->add_flag("--json", options->json, "print one JSON document");
  command->add_flag("--spirv-text", options->spirv_text, "print the SPIR-V modules as assembly")->excludes(json);
  command->footer(
      "words: what a kernel reaches, which is what is compiled when it is first launched; kernels share words.\n" +
      std::string(exit_codes_help));
  command->callback(
      [&chosen, options] { chosen = [options] { return run(options->file, options->json, options->spirv_text); }; });
}

} // namespace kiln::tool
