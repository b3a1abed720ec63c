// A disk in memory that can run full, for tests and fuzz targets.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <string>

#include "neardup/error.h"
#include "neardup/file_system.h"

namespace neardup::test {

class MemoryFiles final : public FileSystem {
 public:
  std::map<std::string, std::string> contents;
  std::size_t room = static_cast<std::size_t>(-1);  // bytes that can still be written
  bool renames_fail = false;

  std::unique_ptr<InputFile> open(const std::filesystem::path& path) override {
    const auto found = contents.find(path.string());
    if (found == contents.end()) throw Error(ErrorCode::input, "cannot read " + path.string());
    return std::make_unique<Input>(found->second);
  }

  std::unique_ptr<OutputFile> create(const std::filesystem::path& path) override {
    if (!contents.emplace(path.string(), "").second) throw Error(ErrorCode::output, path.string() + " exists");
    return std::make_unique<Output>(*this, path.string());
  }

  void rename(const std::filesystem::path& from, const std::filesystem::path& to) override {
    if (renames_fail) throw Error(ErrorCode::output, "cannot write " + to.string());
    std::map<std::string, std::string> moved;
    for (auto& [name, bytes] : contents) {
      const bool below = name == from.string() || name.starts_with(from.string() + "/");
      moved[below ? to.string() + name.substr(from.string().size()) : name] = bytes;
    }
    contents = std::move(moved);
  }

  void create_folders(const std::filesystem::path& path) override { contents.emplace(path.string(), ""); }

  void remove_all(const std::filesystem::path& path) noexcept override {
    std::erase_if(contents, [&](const auto& entry) {
      return entry.first == path.string() || entry.first.starts_with(path.string() + "/");
    });
  }

  bool exists(const std::filesystem::path& path) override { return path == "." || contents.contains(path.string()); }

 private:
  class Input final : public InputFile {
   public:
    explicit Input(const std::string& bytes) : bytes_(bytes) {}
    std::size_t read(std::span<char> buffer) override {
      const std::size_t size = std::min(buffer.size(), bytes_.size() - at_);
      std::memcpy(buffer.data(), bytes_.data() + at_, size);
      at_ += size;
      return size;
    }
    void read_at(std::uint64_t offset, std::span<char> buffer) const override {
      if (offset + buffer.size() > bytes_.size()) throw Error(ErrorCode::input, "read beyond the end");
      std::memcpy(buffer.data(), bytes_.data() + offset, buffer.size());
    }
    std::uint64_t size() const override { return bytes_.size(); }

   private:
    const std::string& bytes_;
    std::size_t at_ = 0;
  };

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
};

}  // namespace neardup::test
