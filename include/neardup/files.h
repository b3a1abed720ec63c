// Which file operations does neardup need?
//
// All file access goes through this interface, so that a test can fill the disk, fail a write or lose what was not
// synced.
//
// What survives a loss of power:
// - the bytes of a file that were written before sync() returned; of the rest any part may be missing or zero;
// - a name that was created, renamed, exchanged or removed before sync() of its folder returned. Before that each of
// these
//   has happened or has not, independently of the bytes and of other names. Syncing a file does not make its name
//   durable.
// - everything that was done before sync_all() returned.
// To replace a file as a whole: write another one, sync it, rename it, sync the folder.
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

// The order in which a file will be read; it decides what is read ahead.
enum class Access { sequential, mixed, random };

// An open file. Threads: read_at may run concurrently; the other members may not.
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
  // Waits until read() would not block; false after `longest`. Only streams block.
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

// A whole file as memory. The file must not be shortened meanwhile: the system kills a process that reads past the end.
class MappedFile {
 public:
  virtual ~MappedFile() = default;
  [[nodiscard]] virtual std::span<const char> bytes() const = 0;
};

// Held until it is destroyed or the process ends.
class FileLock {
 public:
  virtual ~FileLock() = default;
};

enum class FileKind {
  none,  // nothing has this name
  file,
  folder,
  stream,  // a pipe or a terminal: it can be read only once
  link,    // to a file or folder; only link_info() says so
  other,
};

// Equal for two names of one file; different for any two files that exist at the same time.
struct FileId {
  std::uint64_t device = 0, number = 0;
  auto operator<=>(const FileId&) const = default;
};

struct FileInfo {
  FileKind kind = FileKind::none;
  std::uint64_t size = 0;       // in bytes, of a file
  std::int64_t changed_ns = 0;  // last change of the contents, since 1970
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

  virtual FileInfo info(const Path&) = 0;                         // follows links; kind none when nothing has this name
  virtual FileInfo link_info(const Path&) = 0;                    // of the link itself
  virtual bool exists(const Path&) noexcept = 0;                  // true for a broken link; false when access is denied
  virtual std::vector<std::string> list(const Path& folder) = 0;  // names, in byte order
  // The absolute path without links and dots; parts that do not exist are left as written.
  virtual Path resolve(const Path&) = 0;

  // Atomic; replaces a file or an empty folder. Both names must be on the same file system.
  virtual void rename(const Path& from, const Path& to) = 0;
  // Swaps two existing names atomically. False when this file system cannot: nothing has changed.
  [[nodiscard]] virtual bool exchange(const Path&, const Path&) = 0;
  virtual void create_folders(const Path&) = 0;  // no error when it exists
  // A new folder that only this user may enter; its name is PREFIX and a unique suffix.
  virtual Path make_temp_folder(const Path& parent, std::string_view prefix) = 0;
  virtual void remove(const Path&) = 0;               // one file or link, or an empty folder; must exist
  virtual void remove_all(const Path&) noexcept = 0;  // as much as can be removed; links are not followed

  virtual void sync(const Path&) = 0;      // the bytes of a file, or the names in a folder (not their contents)
  virtual void sync_all(const Path&) = 0;  // the whole disk that holds the path; cheaper than many sync()

  // Creates an empty file if there is none, and locks it. Error{locked} when it is locked already, even by this
  // process. The lock is advisory: it affects only those who lock the same file.
  virtual std::unique_ptr<FileLock> lock(const Path&) = 0;
};

FileSystem& system_files();

}  // namespace neardup
