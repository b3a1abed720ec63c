// A disk that fails at a chosen moment: the operating system's files, counted.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "neardup/error.h"
#include "neardup/file_system.h"

namespace neardup::test {

// Counts every create, write, close, rename and create_folders. Reading and removing never fail.
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

  std::unique_ptr<InputFile> open(const std::filesystem::path& path) override { return system_files().open(path); }

  std::unique_ptr<OutputFile> create(const std::filesystem::path& path) override {
    count("create", path, true);
    return std::make_unique<Output>(*this, path, system_files().create(path));
  }
  void rename(const std::filesystem::path& from, const std::filesystem::path& to) override {
    count("rename", to, false);
    system_files().rename(from, to);
  }
  void create_folders(const std::filesystem::path& path) override {
    count("create", path, true);
    system_files().create_folders(path);
  }
  void remove_all(const std::filesystem::path& path) noexcept override {
    if (mode_ != Mode::gone || operations_ < fail_at_) system_files().remove_all(path);
  }
  bool exists(const std::filesystem::path& path) override { return system_files().exists(path); }

 private:
  class Output final : public OutputFile {
   public:
    Output(FailingFiles& disk, std::filesystem::path path, std::unique_ptr<OutputFile> file)
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
    std::filesystem::path path_;
    std::unique_ptr<OutputFile> file_;
  };

  void count(const char* what, const std::filesystem::path& path, bool needs_room) {
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
