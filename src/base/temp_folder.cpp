#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/system.h"
#include "neardup/error.h"
#include "neardup/temporary.h"

namespace neardup::base {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "neardup-";
constexpr const char* kLock = ".lock";  // in nobody's way

// The process that made a folder of this name, when it is one of ours.
std::optional<pid_t> maker_of(std::string_view name) {
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
  const bool is_ours = error == std::errc{} && pid > 0 && end != name.data() + name.size() && *end == '-';
  return is_ours ? std::optional(pid) : std::nullopt;
}

bool is_alive(pid_t pid) { return ::kill(pid, 0) == 0 || errno != ESRCH; }

// A process of another container or machine has a number that means nothing here, but its lock holds. Between making
// the folder and taking the lock there is none: such a folder is left alone.
void remove_if_abandoned(FileSystem& files, const fs::path& folder) {
  const FileInfo info = files.link_info(folder);
  if (info.kind != FileKind::folder || info.owner != ::geteuid() || !files.exists(folder / kLock)) return;
  const auto lock = files.lock(folder / kLock);
  files.remove_all(folder);
}

void sweep(FileSystem& files, const fs::path& parent) {
  std::vector<std::string> names;
  try {
    names = files.list(parent);
  } catch (const Error&) {
    return;  // it may be written, but not be listed
  }
  for (const std::string& name : names) {
    const auto pid = maker_of(name);
    if (!pid || is_alive(*pid)) continue;
    try {
      remove_if_abandoned(files, parent / name);
    } catch (const Error&) {
      continue;  // it is in use, or somebody else is removing it
    }
  }
}

fs::path parent_of(const Context& context) {
  if (!context.temp_folder.empty()) return context.temp_folder;
  const char* variable = std::getenv("TMPDIR");
  return variable != nullptr && *variable != '\0' ? variable : "/tmp";
}

}  // namespace

TempFolder::TempFolder(const Context& context) : files_(base::files(context)) {
  const fs::path parent = parent_of(context);
  files_.create_folders(parent);
  sweep(files_, parent);
  try {
    path_ = files_.make_temp_folder(parent, std::string(kPrefix) + std::to_string(::getpid()) + "-");
  } catch (const Error& error) {
    throw Error(error.code(), error.what(), "temp_folder");
  }
  try {
    lock_ = files_.lock(path_ / kLock);
  } catch (const Error&) {
    lock_ = nullptr;  // some network file systems have no locks; nobody else can take this one either
  }
}

TempFolder::~TempFolder() { files_.remove_all(path_); }

}  // namespace neardup::base

namespace neardup {

void remove_abandoned_files(const Context& context) noexcept {
  try {
    base::sweep(base::files(context), base::parent_of(context));
  } catch (const std::exception&) {
    return;  // the next call tries again
  }
}

}  // namespace neardup
