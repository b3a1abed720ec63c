// What does neardup ask of a disk?
//
// Everything neardup writes into files goes through this interface, so that a test can fill the disk, fail a write or
// lose what was not synced. All functions throw Error (input or output) with the path and the system's reason in the
// message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace neardup {

// One open file, read from anywhere. Threads: read_at may run concurrently; read may not.
class InputFile {
 public:
  virtual ~InputFile() = default;
  // Reads up to `buffer.size()` bytes at the current position; 0 means the end.
  virtual std::size_t read(std::span<char> buffer) = 0;
  // Reads exactly `buffer.size()` bytes at `offset`; fewer is an error.
  virtual void read_at(std::uint64_t offset, std::span<char> buffer) const = 0;
  virtual std::uint64_t size() const = 0;
};

// One file being written. Nothing is promised to be on disk before sync() returned.
class OutputFile {
 public:
  virtual ~OutputFile() = default;  // closes; errors at this point are lost, so call close()
  virtual void write(std::span<const char> bytes) = 0;
  virtual void sync() = 0;
  virtual void close() = 0;
};

class FileSystem {
 public:
  virtual ~FileSystem() = default;
  virtual std::unique_ptr<InputFile> open(const std::filesystem::path&) = 0;
  virtual std::unique_ptr<OutputFile> create(const std::filesystem::path&) = 0;  // must not exist yet
  virtual void rename(const std::filesystem::path& from, const std::filesystem::path& to) = 0;
  virtual void create_folders(const std::filesystem::path&) = 0;
  virtual void remove_all(const std::filesystem::path&) noexcept = 0;
  virtual bool exists(const std::filesystem::path&) = 0;
};

FileSystem& system_files();

}  // namespace neardup
