// A disk that nobody may touch.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/error.h"
#include "neardup/files.h"

namespace neardup::test {

class NoFiles final : public FileSystem {
 public:
  std::unique_ptr<InputFile> open(const Path& path) override { refuse("open", path); }
  std::unique_ptr<MappedFile> map(const Path& path) override { refuse("map", path); }
  std::unique_ptr<OutputFile> create(const Path& path) override { refuse("create", path); }
  std::unique_ptr<OutputFile> append(const Path& path) override { refuse("append", path); }
  void truncate(const Path& path, std::uint64_t) override { refuse("truncate", path); }
  FileInfo info(const Path& path) override { refuse("info", path); }
  FileInfo link_info(const Path& path) override { refuse("link_info", path); }
  bool exists(const Path& path) noexcept override {
    ADD_FAILURE() << "exists " << path;
    return false;
  }
  std::vector<std::string> list(const Path& folder) override { refuse("list", folder); }
  Path resolve(const Path& path) override { refuse("resolve", path); }
  void rename(const Path& from, const Path&) override { refuse("rename", from); }
  bool exchange(const Path& path, const Path&) override { refuse("exchange", path); }
  void create_folders(const Path& path) override { refuse("create_folders", path); }
  Path make_temp_folder(const Path& parent, std::string_view) override { refuse("make_temp_folder", parent); }
  void remove(const Path& path) override { refuse("remove", path); }
  void remove_all(const Path& path) noexcept override { ADD_FAILURE() << "remove_all " << path; }
  void sync(const Path& path) override { refuse("sync", path); }
  void sync_all(const Path& path) override { refuse("sync_all", path); }
  std::unique_ptr<FileLock> lock(const Path& path) override { refuse("lock", path); }

 private:
  [[noreturn]] static void refuse(const char* what, const Path& path) {
    ADD_FAILURE() << what << ' ' << path;
    throw Error(ErrorCode::internal, std::string(what) + " " + path.string());
  }
};

}  // namespace neardup::test
