#include "remote.h"

#include <arrow/status.h>
#include <dlfcn.h>

#include <cstdlib>
#include <map>
#include <mutex>
#include <utility>

#include "failures.h"

namespace neardup::arrow_plugin {
namespace {

struct Connections {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<arrow::fs::FileSystem>, std::less<>> by_root;
  bool has_s3 = false, is_used = false;
};
// Never destroyed: close_all() may run after the destructors of this library's own data.
Connections& connections() {
  static Connections* const all = new Connections;
  return *all;
}

// Connections must be closed before the data of the libraries behind them goes. Those register what they do at exit
// when they are loaded and first used; what is registered last is done first.
void close_all_at_exit() {
  std::atexit([] {
    Connections& all = connections();
    const std::lock_guard lock(all.mutex);
    all.by_root.clear();
    arrow::fs::EnsureFinalized();
  });
}

// S3 has a library of its own, beside libarrow.
arrow::Status load_s3() {
  Dl_info arrow_library{};
  if (dladdr(reinterpret_cast<const void*>(&arrow::fs::EnsureFinalized), &arrow_library) == 0)
    return arrow::Status::Invalid("libarrow cannot be found");
  std::string path = arrow_library.dli_fname;
  const std::size_t name = path.rfind("libarrow.so");
  if (name == path.npos) return arrow::Status::Invalid("libarrow has another name than expected: ", path);
  path.insert(name + std::string_view("libarrow").size(), "_s3");
  return arrow::fs::LoadFileSystemFactories(path.c_str());
}

arrow::Result<std::shared_ptr<arrow::fs::FileSystem>> connect(Connections& all, const std::string& root,
                                                              std::string_view scheme) {
  if (const auto known = all.by_root.find(root); known != all.by_root.end()) return known->second;
  if (scheme == "s3" && !all.has_s3) {
    ARROW_RETURN_NOT_OK(load_s3());
    all.has_s3 = true;
  }
  auto files = arrow::fs::FileSystemFromUri(root);
  if (!std::exchange(all.is_used, true)) close_all_at_exit();
  ARROW_RETURN_NOT_OK(files.status());
  return all.by_root.emplace(root, *std::move(files)).first->second;
}

bool says(const arrow::Status& status, std::string_view words) {
  return status.message().find(words) != std::string::npos;
}

}  // namespace

arrow::Result<RemotePlace> remote_place(std::string_view uri) {
  const std::size_t colon = uri.find("://");
  if (colon == uri.npos) return refuse(NEARDUP_BUG, "not a URI: " + std::string(uri));
  const std::string_view scheme = uri.substr(0, colon), rest = uri.substr(colon + 3);
  const std::string_view host = rest.substr(0, rest.find('/'));
  std::string_view path = rest.substr(host.size());
  while (path.ends_with('/')) path.remove_suffix(1);
  if (host.empty()) return refuse(NEARDUP_MISSING, "the URI names no host or bucket");
  Connections& all = connections();
  const std::lock_guard lock(all.mutex);
  const std::string root = std::string(uri.substr(0, colon + 3 + host.size()));
  ARROW_ASSIGN_OR_RAISE(auto files, connect(all, root, scheme));
  // Names of objects stand in URIs as they are; a bucket is the first part of a path, a host is none.
  const std::string_view bucket = host.substr(host.rfind('@') + 1);
  std::string place = scheme == "hdfs" ? std::string(path.empty() ? "/" : path) : std::string(bucket).append(path);
  return RemotePlace{std::move(files), std::move(place)};
}

arrow::Status remote_failure(const arrow::Status& status) {
  if (status.ok() || has_code(status)) return status;
  const bool is_missing = says(status, "Not Found") || says(status, "not found") || says(status, "does not exist") ||
                          says(status, "NO_SUCH") || says(status, "NoSuch");
  return with_code(is_missing ? NEARDUP_MISSING : NEARDUP_REFUSED, status);
}

}  // namespace neardup::arrow_plugin
