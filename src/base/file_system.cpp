#include "neardup/files.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include "base/standard_input.h"
#include "neardup/error.h"

namespace neardup {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(ErrorCode code, const char* what, const fs::path& path, int error) {
  throw Error(code, std::string("cannot ") + what + " " + path.string() + ": " + std::strerror(error));
}

// A file descriptor that is closed at the end.
class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags, mode_t mode = 0) : fd_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] bool is_open() const { return fd_ >= 0; }
  [[nodiscard]] int get() const { return fd_; }
  int close() { return ::close(std::exchange(fd_, -1)); }

 private:
  int fd_;
};

std::size_t read_some(int fd, std::span<char> buffer, const fs::path& path) {
  for (;;) {
    const ssize_t got = ::read(fd, buffer.data(), buffer.size());
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) fail(ErrorCode::input, "read", path, errno);
  }
}

// An interrupted wait counts as a long one; whatever else is wrong, reading will tell.
bool wait_for(int fd, std::chrono::milliseconds longest) {
  pollfd ready{.fd = fd, .events = POLLIN, .revents = 0};
  const int events = ::poll(&ready, 1, static_cast<int>(longest.count()));
  return events > 0 || (events < 0 && errno != EINTR);
}

class SystemInput final : public InputFile {
 public:
  explicit SystemInput(const fs::path& path) : path_(path), fd_(path, O_RDONLY) {
    if (!fd_.is_open()) fail(ErrorCode::input, "read", path, errno);
    struct stat status {};
    if (fstat(fd_.get(), &status) != 0) fail(ErrorCode::input, "read", path, errno);
    if (S_ISDIR(status.st_mode)) fail(ErrorCode::input, "read", path, EISDIR);
    size_ = static_cast<std::uint64_t>(status.st_size);
    expect(Access::sequential);
  }

  std::size_t read(std::span<char> buffer) override { return read_some(fd_.get(), buffer, path_); }

  void read_at(std::uint64_t offset, std::span<char> buffer) const override {
    while (!buffer.empty()) {
      const ssize_t got = ::pread(fd_.get(), buffer.data(), buffer.size(), static_cast<off_t>(offset));
      if (got == 0) fail(ErrorCode::input, "read", path_, EIO);
      if (got < 0) {
        if (errno == EINTR) continue;
        fail(ErrorCode::input, "read", path_, errno);
      }
      offset += static_cast<std::uint64_t>(got);
      buffer = buffer.subspan(static_cast<std::size_t>(got));
    }
  }

  std::uint64_t size() const override { return size_; }

  void expect(Access access) override {
    const int advice = access == Access::sequential ? POSIX_FADV_SEQUENTIAL
                       : access == Access::random   ? POSIX_FADV_RANDOM
                                                    : POSIX_FADV_NORMAL;
    posix_fadvise(fd_.get(), 0, 0, advice);
  }

  bool wait(std::chrono::milliseconds longest) override { return wait_for(fd_.get(), longest); }

 private:
  fs::path path_;
  Descriptor fd_;
  std::uint64_t size_ = 0;
};

class StandardInput final : public InputFile {
 public:
  std::size_t read(std::span<char> buffer) override { return read_some(STDIN_FILENO, buffer, "standard input"); }
  void read_at(std::uint64_t, std::span<char>) const override {
    fail(ErrorCode::input, "read", "standard input", ESPIPE);
  }
  std::uint64_t size() const override { return 0; }
  bool wait(std::chrono::milliseconds longest) override { return wait_for(STDIN_FILENO, longest); }
};

class SystemOutput final : public OutputFile {
 public:
  SystemOutput(const fs::path& path, int flags) : path_(path), fd_(path, O_WRONLY | O_CREAT | flags, 0666) {
    if (!fd_.is_open()) fail(ErrorCode::output, "create", path, errno);
  }

  void write(std::span<const char> bytes) override {
    while (!bytes.empty()) {
      const ssize_t put = ::write(fd_.get(), bytes.data(), bytes.size());
      if (put < 0) {
        if (errno == EINTR) continue;
        fail(ErrorCode::output, "write", path_, errno);
      }
      bytes = bytes.subspan(static_cast<std::size_t>(put));
    }
  }

  void sync() override {
    if (::fsync(fd_.get()) != 0) fail(ErrorCode::output, "write", path_, errno);
  }

  void close() override {
    if (fd_.is_open() && fd_.close() != 0) fail(ErrorCode::output, "write", path_, errno);
  }

 private:
  fs::path path_;
  Descriptor fd_;
};

class SystemMap final : public MappedFile {
 public:
  explicit SystemMap(const fs::path& path) {
    const Descriptor fd(path, O_RDONLY);
    struct stat status {};
    if (!fd.is_open() || fstat(fd.get(), &status) != 0) fail(ErrorCode::input, "read", path, errno);
    if (!S_ISREG(status.st_mode)) fail(ErrorCode::input, "read", path, S_ISDIR(status.st_mode) ? EISDIR : ENODEV);
    size_ = static_cast<std::size_t>(status.st_size);
    if (size_ == 0) return;  // nothing cannot be mapped
    begin_ = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, fd.get(), 0);
    if (begin_ == MAP_FAILED) fail(ErrorCode::input, "read", path, errno);
  }
  ~SystemMap() override {
    if (size_ != 0) ::munmap(begin_, size_);
  }
  SystemMap(const SystemMap&) = delete;
  SystemMap& operator=(const SystemMap&) = delete;

  [[nodiscard]] std::span<const char> bytes() const override { return {static_cast<const char*>(begin_), size_}; }

 private:
  void* begin_ = nullptr;
  std::size_t size_ = 0;
};

// Of an open file, not of the process: so it also keeps out a second lock of this one.
class SystemLock final : public FileLock {
 public:
  explicit SystemLock(const fs::path& path) : fd_(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0666) {
    if (!fd_.is_open()) fail(ErrorCode::output, "lock", path, errno);
    if (::flock(fd_.get(), LOCK_EX | LOCK_NB) == 0) return;
    if (errno != EWOULDBLOCK) fail(ErrorCode::output, "lock", path, errno);
    throw Error(ErrorCode::locked, path.string() + " is in use by another process");
  }

 private:
  Descriptor fd_;
};

FileKind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::file;
  if (S_ISDIR(mode)) return FileKind::folder;
  if (S_ISFIFO(mode) || S_ISCHR(mode)) return FileKind::stream;
  return S_ISLNK(mode) ? FileKind::link : FileKind::other;
}

FileInfo info_of(const fs::path& path, int flags) {
  struct stat status {};
  if (::fstatat(AT_FDCWD, path.c_str(), &status, flags) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return {};
    fail(ErrorCode::input, "read", path, errno);
  }
  return {.kind = kind_of(status.st_mode),
          .size = static_cast<std::uint64_t>(status.st_size),
          .changed_ns = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec,
          .id = {.device = status.st_dev, .number = status.st_ino},
          .owner = status.st_uid};
}

class SystemFiles final : public FileSystem {
 public:
  std::unique_ptr<InputFile> open(const Path& path) override { return std::make_unique<SystemInput>(path); }
  std::unique_ptr<MappedFile> map(const Path& path) override { return std::make_unique<SystemMap>(path); }
  std::unique_ptr<OutputFile> create(const Path& path) override { return std::make_unique<SystemOutput>(path, O_EXCL); }
  std::unique_ptr<OutputFile> append(const Path& path) override {
    return std::make_unique<SystemOutput>(path, O_APPEND);
  }

  void truncate(const Path& path, std::uint64_t size) override {
    if (info(path).size < size) fail(ErrorCode::output, "shorten", path, EINVAL);
    if (::truncate(path.c_str(), static_cast<off_t>(size)) != 0) fail(ErrorCode::output, "shorten", path, errno);
  }

  FileInfo info(const Path& path) override { return info_of(path, 0); }
  FileInfo link_info(const Path& path) override { return info_of(path, AT_SYMLINK_NOFOLLOW); }

  bool exists(const Path& path) noexcept override {
    struct stat status {};
    return ::lstat(path.c_str(), &status) == 0;
  }

  std::vector<std::string> list(const Path& folder) override {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
      names.push_back(entry->path().filename().string());
    }
    if (error) fail(ErrorCode::input, "read", folder, error.value());
    std::sort(names.begin(), names.end());
    return names;
  }

  Path resolve(const Path& path) override {
    const Path whole = fs::absolute(path);  // a relative path of which nothing exists would stay relative
    std::error_code error;
    Path real = fs::weakly_canonical(whole, error);
    return error ? whole.lexically_normal() : real;
  }

  void rename(const Path& from, const Path& to) override {
    if (::rename(from.c_str(), to.c_str()) != 0) fail(ErrorCode::output, "write", to, errno);
  }

  bool exchange(const Path& a, const Path& b) override {
    if (::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0) return true;
    // Network file systems and those of other systems do not have it; overlays not for every folder.
    if (errno == EINVAL || errno == ENOSYS || errno == ENOTSUP || errno == EXDEV) return false;
    fail(ErrorCode::output, "write", b, errno);
  }

  void create_folders(const Path& path) override {
    std::error_code error;
    fs::create_directories(path, error);
    if (error) fail(ErrorCode::output, "create the folder", path, error.value());
  }

  Path make_temp_folder(const Path& parent, std::string_view prefix) override {
    std::string name = (parent / (std::string(prefix) + "XXXXXX")).string();
    if (::mkdtemp(name.data()) == nullptr) fail(ErrorCode::output, "create a temporary folder in", parent, errno);
    return name;
  }

  void remove(const Path& path) override {
    if (::remove(path.c_str()) != 0) fail(ErrorCode::output, "remove", path, errno);
  }

  void remove_all(const Path& path) noexcept override {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }

  // A folder that may be written but not listed cannot be opened, and some file systems sync no folders: that is as
  // much as can be done there.
  void sync(const Path& path) override {
    const bool is_folder = info(path).kind == FileKind::folder;
    const Descriptor fd(path, O_RDONLY);
    if (fd.is_open() && ::fsync(fd.get()) == 0) return;
    if (!is_folder || (errno != EACCES && errno != EINVAL && errno != ENOTSUP))
      fail(ErrorCode::output, "write", path, errno);
  }

  void sync_all(const Path& path) override {
    const Descriptor fd(path, O_RDONLY);
    if (!fd.is_open() || ::syncfs(fd.get()) != 0) fail(ErrorCode::output, "write", path, errno);
  }

  std::unique_ptr<FileLock> lock(const Path& path) override { return std::make_unique<SystemLock>(path); }
};

// What a file system has that cannot map.
class CopiedFile final : public MappedFile {
 public:
  explicit CopiedFile(const InputFile& file) : bytes_(static_cast<std::size_t>(file.size())) {
    file.read_at(0, bytes_);
  }
  [[nodiscard]] std::span<const char> bytes() const override { return bytes_; }

 private:
  std::vector<char> bytes_;
};

}  // namespace

std::unique_ptr<MappedFile> FileSystem::map(const Path& path) { return std::make_unique<CopiedFile>(*open(path)); }

FileSystem& system_files() {
  static SystemFiles files;
  return files;
}

std::unique_ptr<InputFile> base::standard_input() { return std::make_unique<StandardInput>(); }

}  // namespace neardup
