// A disk that fails at a chosen moment: the operating system's files, counted.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/error.h"
#include "neardup/files.h"

namespace neardup::test {

// Counts everything that changes the disk. Reading, locking, removing trees and syncing folders never fail.
class FailingFiles final : public FileSystem {
 public:
  enum class Mode {
    once,  // the chosen operation fails, the next ones work
    full,  // from the chosen operation on nothing can be created or written, but renaming works
    gone,  // from the chosen operation on the disk changes no more, as when the process is killed
  };
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  FailingFiles(Mode mode, std::uint64_t fail_at) : mode_(mode), fail_at_(fail_at) {}

  [[nodiscard]] std::uint64_t operations() const { return operations_; }

  std::unique_ptr<InputFile> open(const Path& path) override { return system_files().open(path); }
  std::unique_ptr<MappedFile> map(const Path& path) override { return system_files().map(path); }
  FileInfo info(const Path& path) override { return system_files().info(path); }
  FileInfo link_info(const Path& path) override { return system_files().link_info(path); }
  bool exists(const Path& path) noexcept override { return system_files().exists(path); }
  std::vector<std::string> list(const Path& folder) override { return system_files().list(folder); }
  Path resolve(const Path& path) override { return system_files().resolve(path); }
  std::unique_ptr<FileLock> lock(const Path& path) override { return system_files().lock(path); }

  std::unique_ptr<OutputFile> create(const Path& path) override {
    count("create", path, true);
    return std::make_unique<Output>(*this, path, system_files().create(path));
  }
  std::unique_ptr<OutputFile> append(const Path& path) override {
    count("create", path, true);
    return std::make_unique<Output>(*this, path, system_files().append(path));
  }
  void truncate(const Path& path, std::uint64_t size) override {
    count("shorten", path, false);
    system_files().truncate(path, size);
  }
  void rename(const Path& from, const Path& to) override {
    count("rename", to, false);
    system_files().rename(from, to);
  }
  bool exchange(const Path& a, const Path& b) override {
    count("rename", b, false);
    return system_files().exchange(a, b);
  }
  void create_folders(const Path& path) override {
    count("create", path, true);
    system_files().create_folders(path);
  }
  Path make_temp_folder(const Path& parent, std::string_view prefix) override {
    count("create", parent, true);
    return system_files().make_temp_folder(parent, prefix);
  }
  void remove(const Path& path) override {
    count("remove", path, false);
    system_files().remove(path);
  }
  void remove_all(const Path& path) noexcept override {
    if (mode_ != Mode::gone || operations_ < fail_at_) system_files().remove_all(path);
  }
  void sync(const Path& path) override {
    if (info(path).kind != FileKind::folder) count("sync", path, true);
    system_files().sync(path);
  }
  void sync_all(const Path& path) override {
    count("sync", path, true);
    system_files().sync_all(path);
  }

 private:
  class Output final : public OutputFile {
   public:
    Output(FailingFiles& disk, FileSystem::Path path, std::unique_ptr<OutputFile> file)
        : disk_(disk), path_(std::move(path)), file_(std::move(file)) {}
    void write(std::span<const char> bytes) override {
      if (bytes.empty()) return;
      disk_.count("write", path_, true);
      file_->write(bytes);
    }
    void sync() override {
      disk_.count("sync", path_, true);
      file_->sync();
    }
    void close() override {
      disk_.count("close", path_, false);
      file_->close();
    }

   private:
    FailingFiles& disk_;
    FileSystem::Path path_;
    std::unique_ptr<OutputFile> file_;
  };

  void count(const char* what, const FileSystem::Path& path, bool needs_room) {
    const std::uint64_t operation = ++operations_;
    const bool fails =
        mode_ == Mode::once ? operation == fail_at_ : operation >= fail_at_ && (needs_room || mode_ == Mode::gone);
    if (fails) {
      throw Error(ErrorCode::output, std::string("cannot ") + what + " " + path.string() + ": the test said so");
    }
  }

  Mode mode_;
  std::uint64_t fail_at_;
  std::atomic<std::uint64_t> operations_ = 0;
};

}  // namespace neardup::test
