#include "neardup/remote.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "io/columns/plugin.h"
#include "neardup/error.h"

namespace neardup {

namespace {

using io::need_arrow_plugin;
using io::throw_plugin_error;
using Path = FileSystem::Path;

class RemoteInput final : public InputFile {
 public:
  explicit RemoteInput(std::string uri) : uri_(std::move(uri)), plugin_(need_arrow_plugin(uri_)) {
    NeardupError error{};
    if (plugin_.remote_open(uri_.c_str(), &file_, &size_, &error) != NEARDUP_OK) throw_plugin_error(error, uri_);
  }
  ~RemoteInput() override { plugin_.remote_close(file_); }
  RemoteInput(const RemoteInput&) = delete;
  RemoteInput& operator=(const RemoteInput&) = delete;

  // A request costs as much as many bytes: more is fetched than was asked for.
  std::size_t read(std::span<char> buffer) override {
    if (ahead_.empty()) fill();
    const std::size_t size = std::min(buffer.size(), ahead_.size());
    std::copy_n(ahead_.begin(), size, buffer.begin());
    ahead_.remove_prefix(size);
    return size;
  }
  void read_at(std::uint64_t offset, std::span<char> buffer) const override {
    NeardupError error{};
    const auto size = static_cast<std::int64_t>(buffer.size());
    if (plugin_.remote_read_at(file_, static_cast<std::int64_t>(offset), buffer.data(), size, &error) != NEARDUP_OK)
      throw_plugin_error(error, uri_);
  }
  [[nodiscard]] std::uint64_t size() const override { return static_cast<std::uint64_t>(size_); }

 private:
  void fill() {
    constexpr std::uint64_t kAhead = std::uint64_t{4} << 20;
    fetched_.resize(std::min(kAhead, size() - at_));
    if (!fetched_.empty()) read_at(at_, fetched_);
    at_ += fetched_.size();
    ahead_ = fetched_;
  }

  std::string uri_;
  const NeardupArrowPlugin& plugin_;
  NeardupRemoteFile* file_ = nullptr;
  std::int64_t size_ = 0;
  std::uint64_t at_ = 0;  // of what is fetched next
  std::string fetched_;
  std::string_view ahead_;  // what of it was not read yet
};

class RemoteOutput final : public OutputFile {
 public:
  explicit RemoteOutput(std::string uri) : uri_(std::move(uri)), plugin_(need_arrow_plugin(uri_)) {
    check([&](NeardupError* error) { return plugin_.remote_create(uri_.c_str(), &sink_, error); });
  }
  ~RemoteOutput() override {
    if (sink_ != nullptr) plugin_.remote_discard(sink_);
  }
  RemoteOutput(const RemoteOutput&) = delete;
  RemoteOutput& operator=(const RemoteOutput&) = delete;

  void write(std::span<const char> bytes) override {
    check([&](NeardupError* error) {
      return plugin_.remote_write(sink_, bytes.data(), static_cast<std::int64_t>(bytes.size()), error);
    });
  }
  void sync() override {}  // close() is what makes it last
  void close() override {
    check([&](NeardupError* error) { return plugin_.remote_finish(sink_, error); });
  }

 private:
  template <class Call>
  void check(const Call& call) {
    NeardupError error{};
    if (call(&error) != NEARDUP_OK) throw_plugin_error(error, uri_, ErrorCode::output);
  }

  std::string uri_;
  const NeardupArrowPlugin& plugin_;
  NeardupRemoteSink* sink_ = nullptr;
};

[[noreturn]] void cannot(const char* what, const Path& path) {
  throw Error(ErrorCode::output, fmt::format("{}: remote files cannot be {}", path.string(), what));
}

// Two names of one file are the same file only where they are the same name.
FileId id_of(const std::string& uri) {
  FileId id{.device = ~std::uint64_t{0}, .number = 14695981039346656037u};
  for (const char c : uri) id.number = (id.number ^ static_cast<unsigned char>(c)) * 1099511628211u;  // FNV-1a
  return id;
}

FileInfo remote_info(const Path& path) {
  const std::string uri = path.string();
  NeardupRemoteInfo info{};
  NeardupError error{};
  if (need_arrow_plugin(uri).remote_info(uri.c_str(), &info, &error) != NEARDUP_OK) {
    if (error.code == NEARDUP_MISSING) return {};
    throw_plugin_error(error, uri);
  }
  return {.kind = info.kind == 1   ? FileKind::file
                  : info.kind == 2 ? FileKind::folder
                                   : FileKind::none,
          .size = static_cast<std::uint64_t>(info.size),
          .changed_ns = info.changed_ns,
          .id = id_of(uri)};
}

std::vector<std::string> remote_list(const Path& folder) {
  const std::string uri = folder.string();
  std::vector<std::string> names;
  const auto add = [](void* self, const char* name) {
    static_cast<std::vector<std::string>*>(self)->emplace_back(name);
    return 0;
  };
  NeardupError error{};
  if (need_arrow_plugin(uri).remote_list(uri.c_str(), add, &names, &error) != NEARDUP_OK)
    throw_plugin_error(error, uri);
  std::ranges::sort(names);
  return names;
}

void remote_remove(const Path& path) {
  const std::string uri = path.string();
  NeardupError error{};
  if (need_arrow_plugin(uri).remote_remove(uri.c_str(), &error) != NEARDUP_OK)
    throw_plugin_error(error, uri, ErrorCode::output);
}

class UriFiles final : public FileSystem {
 public:
  std::unique_ptr<InputFile> open(const Path& path) override {
    if (!is_remote(path)) return local_.open(path);
    return std::make_unique<RemoteInput>(path.string());
  }
  std::unique_ptr<MappedFile> map(const Path& path) override {
    return is_remote(path) ? FileSystem::map(path) : local_.map(path);
  }
  std::unique_ptr<OutputFile> create(const Path& path) override {
    if (!is_remote(path)) return local_.create(path);
    return std::make_unique<RemoteOutput>(path.string());
  }
  std::unique_ptr<OutputFile> append(const Path& path) override {
    if (is_remote(path)) cannot("appended to", path);
    return local_.append(path);
  }
  void truncate(const Path& path, std::uint64_t size) override {
    if (is_remote(path)) cannot("truncated", path);
    local_.truncate(path, size);
  }

  FileInfo info(const Path& path) override { return is_remote(path) ? remote_info(path) : local_.info(path); }
  FileInfo link_info(const Path& path) override { return is_remote(path) ? remote_info(path) : local_.link_info(path); }
  bool exists(const Path& path) noexcept override {
    if (!is_remote(path)) return local_.exists(path);
    try {
      return remote_info(path).kind != FileKind::none;
    } catch (...) {
      return false;
    }
  }
  std::vector<std::string> list(const Path& folder) override {
    return is_remote(folder) ? remote_list(folder) : local_.list(folder);
  }
  Path resolve(const Path& path) override { return is_remote(path) ? path : local_.resolve(path); }

  void rename(const Path& from, const Path& to) override {
    if (is_remote(from) || is_remote(to)) cannot("renamed", to);
    local_.rename(from, to);
  }
  bool exchange(const Path& one, const Path& other) override {
    return !is_remote(one) && !is_remote(other) && local_.exchange(one, other);
  }
  void create_folders(const Path& path) override {
    if (!is_remote(path)) local_.create_folders(path);  // there they come with their files
  }
  Path make_temp_folder(const Path& parent, std::string_view prefix) override {
    if (is_remote(parent)) cannot("a temporary folder", parent);
    return local_.make_temp_folder(parent, prefix);
  }
  void remove(const Path& path) override { is_remote(path) ? remote_remove(path) : local_.remove(path); }
  void remove_all(const Path& path) noexcept override {
    if (!is_remote(path)) return local_.remove_all(path);
    try {
      remote_remove(path);
    } catch (...) {
      // As much as can be removed.
    }
  }
  void sync(const Path& path) override {
    if (!is_remote(path)) local_.sync(path);
  }
  void sync_all(const Path& path) override {
    if (!is_remote(path)) local_.sync_all(path);
  }
  std::unique_ptr<FileLock> lock(const Path& path) override {
    if (is_remote(path)) cannot("locked", path);
    return local_.lock(path);
  }

 private:
  FileSystem& local_ = system_files();
};

}  // namespace

bool is_remote(const std::filesystem::path& path) {
  constexpr std::array<std::string_view, 5> kSchemes{"s3://", "gs://", "gcs://", "hdfs://", "viewfs://"};
  const std::string& text = path.native();
  return std::ranges::any_of(kSchemes, [&](std::string_view scheme) { return text.starts_with(scheme); });
}

FileSystem& remote_files() {
  static UriFiles files;
  return files;
}

}  // namespace neardup
