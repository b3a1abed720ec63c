#include "io/columns/plugin.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "neardup/files.h"
#include "neardup/version.h"

namespace neardup::io {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "libneardup-arrow.so";

fs::path program_folder() { return system_files().resolve("/proc/self/exe").parent_path(); }

std::vector<fs::path> plugin_folders() {
  std::vector<fs::path> folders;
  if (const char* named = std::getenv("NEARDUP_PLUGINS")) {
    for (std::string_view rest = named; !rest.empty();) {
      const std::string_view folder = rest.substr(0, rest.find(':'));
      if (!folder.empty()) folders.emplace_back(folder);
      rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    }
  }
  folders.push_back(program_folder());
  folders.push_back(program_folder() / "../lib/neardup");
  return folders;
}

const NeardupArrowPlugin* load(const fs::path& path) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw Error(ErrorCode::input, fmt::format("cannot load {}: {}", path.string(), dlerror()));
  const auto entry = reinterpret_cast<NeardupArrowEntry>(dlsym(library, NEARDUP_ARROW_ENTRY));
  const NeardupArrowPlugin* const plugin = entry == nullptr ? nullptr : entry();
  if (plugin == nullptr || plugin->abi != NEARDUP_ARROW_ABI) {
    throw Error(ErrorCode::input,
                fmt::format("{} belongs to another version of neardup; {}", path.string(), how_to_get_arrow()));
  }
  return plugin;
}

// It stays until the process ends.
const NeardupArrowPlugin* find_and_load() {
  for (const fs::path& folder : plugin_folders()) {
    if (system_files().exists(folder / kName)) return load(system_files().resolve(folder / kName));
  }
  return nullptr;
}

}  // namespace

const NeardupArrowPlugin* find_arrow_plugin() {
  static const NeardupArrowPlugin* const plugin = find_and_load();
  return plugin;
}

std::string how_to_get_arrow() {
  const bool is_built_here = system_files().exists(program_folder() / "CMakeCache.txt");
  if (is_built_here) return "run: make arrow";
  return fmt::format("run: apt install ./neardup-arrow_{}_amd64.deb", version());
}

const NeardupArrowPlugin& need_arrow_plugin(const std::string& what) {
  if (const NeardupArrowPlugin* plugin = find_arrow_plugin()) return *plugin;
  throw Error(ErrorCode::input,
              fmt::format("{}: this needs {}, which is not installed; {}", what, kName, how_to_get_arrow()));
}

void throw_plugin_error(const NeardupError& error, const std::string& path, ErrorCode code) {
  const ErrorCode thrown = error.code == NEARDUP_MEMORY       ? ErrorCode::limit
                           : error.code == NEARDUP_BUG        ? ErrorCode::internal
                           : error.code == NEARDUP_UNSUITABLE ? ErrorCode::usage
                                                              : code;
  throw Error(thrown, fmt::format("{}: {}", path, error.text));
}

}  // namespace neardup::io
