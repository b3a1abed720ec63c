// What does neardup ask of a disk?
//
// Everything neardup does with files goes through this interface, so that a test can fill the disk, fail a write or
// lose what was not synced.
//
// What survives a loss of power:
// - the bytes of a file that were written before sync() returned; of the rest any part may be missing or zero;
// - a name that was made, renamed, exchanged or removed before sync() of its folder returned. Before that each of these
//   has happened or has not, independently of the bytes and of other names. Syncing a file does not keep its name.
// - everything that was done before sync_all() returned.
// To put a whole file under a name: write another one, sync it, rename it, sync the folder.
//
// All functions throw Error with the path and the system's reason in the message: input when something is read, output
// when something is changed. Threads: a FileSystem may be called from any number of threads at once.
#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {

// In which order a file will be read: decides what is read ahead.
enum class Access { sequential, mixed, random };

// One open file, read from anywhere. Threads: read_at may run concurrently; all else may not.
class InputFile {
 public:
  virtual ~InputFile() = default;
  // Reads up to `buffer.size()` bytes at the current position; 0 means the end.
  virtual std::size_t read(std::span<char> buffer) = 0;
  // Reads exactly `buffer.size()` bytes at `offset`; fewer is an error.
  virtual void read_at(std::uint64_t offset, std::span<char> buffer) const = 0;
  virtual std::uint64_t size() const = 0;  // when it was opened; 0 for a stream
  // Sequential unless told otherwise. Changes no result.
  virtual void expect(Access) {}
  // True when read() would not block, at the latest after `longest` false. Only streams ever block.
  virtual bool wait(std::chrono::milliseconds /*longest*/) { return true; }
};

// One file being written. Threads: one at a time.
class OutputFile {
 public:
  virtual ~OutputFile() = default;  // closes; errors at this point are lost, so call close()
  virtual void write(std::span<const char> bytes) = 0;
  virtual void sync() = 0;
  virtual void close() = 0;  // syncs nothing
};

// A whole file as memory. Nobody may shorten the file meanwhile: the system ends a process that reads beyond the end.
class MappedFile {
 public:
  virtual ~MappedFile() = default;
  [[nodiscard]] virtual std::span<const char> bytes() const = 0;
};

// Held until it is destroyed, and no longer than the process lives.
class FileLock {
 public:
  virtual ~FileLock() = default;
};

enum class FileKind {
  none,  // there is nothing of that name
  file,
  folder,
  stream,  // a pipe or a terminal: it can be read only once
  link,    // to a file or folder; only link_info() says so
  other,
};

// The same for two names of one file, and for no two files at one time.
struct FileId {
  std::uint64_t device = 0, number = 0;
  auto operator<=>(const FileId&) const = default;
};

struct FileInfo {
  FileKind kind = FileKind::none;
  std::uint64_t size = 0;       // in bytes, of a file
  std::int64_t changed_ns = 0;  // when the contents changed last, since 1970
  FileId id;
  std::uint32_t owner = 0;  // user number
};

class FileSystem {
 public:
  using Path = std::filesystem::path;
  virtual ~FileSystem() = default;

  virtual std::unique_ptr<InputFile> open(const Path&) = 0;
  virtual std::unique_ptr<MappedFile> map(const Path&);         // unless overridden: a copy in memory
  virtual std::unique_ptr<OutputFile> create(const Path&) = 0;  // must not exist yet
  virtual std::unique_ptr<OutputFile> append(const Path&) = 0;  // writes at the end; an empty file when there is none
  virtual void truncate(const Path&, std::uint64_t size) = 0;   // must not be shorter

  virtual FileInfo info(const Path&) = 0;         // of what a link leads to; kind none when there is nothing
  virtual FileInfo link_info(const Path&) = 0;    // of the link itself
  virtual bool exists(const Path&) noexcept = 0;  // a link that leads nowhere does; what cannot be looked at does not
  virtual std::vector<std::string> list(const Path& folder) = 0;  // names, in the order of their bytes
  // The absolute path without links and dots; what of it does not exist stays as it is written.
  virtual Path resolve(const Path&) = 0;

  // Atomic; takes the place of a file or of an empty folder. Both names must be on one file system.
  virtual void rename(const Path& from, const Path& to) = 0;
  // Two existing names swap what they stand for, atomically. False when this file system cannot: nothing has changed.
  [[nodiscard]] virtual bool exchange(const Path&, const Path&) = 0;
  virtual void create_folders(const Path&) = 0;  // no error when it exists
  // A new folder that only this user may enter: PREFIX and something that makes the name unique.
  virtual Path make_temp_folder(const Path& parent, std::string_view prefix) = 0;
  virtual void remove(const Path&) = 0;               // one file or link, or an empty folder; must exist
  virtual void remove_all(const Path&) noexcept = 0;  // as much as can be removed; links are not followed

  virtual void sync(const Path&) = 0;      // the bytes of a file, or the names in a folder (not what they stand for)
  virtual void sync_all(const Path&) = 0;  // the whole disk that holds the path; cheaper than many sync()

  // Makes an empty file if there is none and locks it. Error{locked} when somebody else holds it, another lock of this
  // process included. Keeps out only those who lock the same file.
  virtual std::unique_ptr<FileLock> lock(const Path&) = 0;
};

FileSystem& system_files();

}  // namespace neardup
