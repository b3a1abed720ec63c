// A disk in memory that can run full, for tests and fuzz targets.
#pragma once

#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/error.h"
#include "neardup/files.h"
#include "support/bytes_file.h"

namespace neardup::test {

class MemoryFiles final : public FileSystem {
 public:
  std::map<std::string, std::string> contents;
  std::size_t room = static_cast<std::size_t>(-1);  // bytes that can still be written
  bool renames_fail = false;

  std::unique_ptr<InputFile> open(const Path& path) override {
    const auto found = contents.find(path.string());
    if (found == contents.end()) throw Error(ErrorCode::input, "cannot read " + path.string());
    return std::make_unique<BytesFile>(found->second);
  }

  std::unique_ptr<OutputFile> create(const Path& path) override {
    if (!contents.emplace(path.string(), "").second) throw Error(ErrorCode::output, path.string() + " exists");
    return append(path);
  }
  std::unique_ptr<OutputFile> append(const Path& path) override {
    contents.emplace(path.string(), "");
    return std::make_unique<Output>(*this, path.string());
  }
  void truncate(const Path& path, std::uint64_t size) override { contents[path.string()].resize(size); }

  FileInfo info(const Path& path) override {
    if (!exists(path)) return {};
    const auto found = contents.find(path.string());
    const auto number = static_cast<std::uint64_t>(std::distance(contents.begin(), found));
    if (found == contents.end() || is_folder(path))
      return {.kind = FileKind::folder, .id = {.device = 1, .number = number}};
    return {.kind = FileKind::file, .size = found->second.size(), .id = {.device = 1, .number = number}};
  }
  FileInfo link_info(const Path& path) override { return info(path); }
  bool exists(const Path& path) noexcept override {
    return path == "." || contents.contains(path.string()) || is_folder(path);
  }
  std::vector<std::string> list(const Path& folder) override {
    const std::string beginning = folder == "." ? "" : folder.string() + "/";
    std::set<std::string> names;
    for (const auto& [name, bytes] : contents) {
      if (!name.starts_with(beginning)) continue;
      const std::string_view rest = std::string_view(name).substr(beginning.size());
      names.emplace(rest.substr(0, rest.find('/')));
    }
    return {names.begin(), names.end()};
  }
  Path resolve(const Path& path) override { return std::filesystem::absolute(path).lexically_normal(); }

  void rename(const Path& from, const Path& to) override {
    if (renames_fail) throw Error(ErrorCode::output, "cannot write " + to.string());
    const auto moved = [&](const std::string& name) {
      return is_at_or_below(name, from) ? to.string() + name.substr(from.string().size()) : name;
    };
    std::map<std::string, std::string> kept;
    for (auto& [name, bytes] : contents) {
      if (!is_at_or_below(name, to)) kept[moved(name)] = std::move(bytes);
    }
    contents = std::move(kept);
    if (folders_.erase(from.string()) != 0) folders_.insert(to.string());
  }
  bool exchange(const Path&, const Path&) override { return false; }
  void create_folders(const Path& path) override {
    contents.emplace(path.string(), "");
    folders_.insert(path.string());
  }
  Path make_temp_folder(const Path& parent, std::string_view prefix) override {
    const Path path = parent / (std::string(prefix) + std::to_string(++temp_folders_));
    create_folders(path);
    return path;
  }
  void remove(const Path& path) override { remove_all(path); }
  void remove_all(const Path& path) noexcept override {
    std::erase_if(contents, [&](const auto& entry) { return is_at_or_below(entry.first, path); });
    folders_.erase(path.string());
  }

  void sync(const Path&) override {}
  void sync_all(const Path&) override {}
  std::unique_ptr<FileLock> lock(const Path&) override { return std::make_unique<FileLock>(); }

 private:
  static bool is_at_or_below(const std::string& name, const Path& path) {
    return name == path.string() || name.starts_with(path.string() + "/");
  }
  bool is_folder(const Path& path) const {
    if (folders_.contains(path.string())) return true;
    const auto below = contents.lower_bound(path.string() + "/");
    return below != contents.end() && below->first.starts_with(path.string() + "/");
  }

  class Output final : public OutputFile {
   public:
    Output(MemoryFiles& files, std::string path) : files_(files), path_(std::move(path)) {}
    void write(std::span<const char> bytes) override {
      if (bytes.size() > files_.room) throw Error(ErrorCode::output, "cannot write " + path_ + ": no space left");
      files_.room -= bytes.size();
      files_.contents[path_].append(bytes.data(), bytes.size());
    }
    void sync() override {}
    void close() override {}

   private:
    MemoryFiles& files_;
    std::string path_;
  };

  std::set<std::string> folders_;  // that were made; others are told by what stands in them
  std::size_t temp_folders_ = 0;
};

}  // namespace neardup::test
