#include "neardup/file_system.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "neardup/error.h"

namespace neardup {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(ErrorCode code, const char* what, const fs::path& path, int error) {
  throw Error(code, std::string("cannot ") + what + " " + path.string() + ": " + std::strerror(error));
}

class SystemInput final : public InputFile {
 public:
  explicit SystemInput(const fs::path& path) : path_(path), fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (fd_ < 0) fail(ErrorCode::input, "read", path, errno);
    struct stat status {};
    if (fstat(fd_, &status) != 0 || S_ISDIR(status.st_mode)) {
      const int error = S_ISDIR(status.st_mode) ? EISDIR : errno;
      ::close(fd_);
      fail(ErrorCode::input, "read", path, error);
    }
    size_ = static_cast<std::uint64_t>(status.st_size);
    posix_fadvise(fd_, 0, 0, POSIX_FADV_SEQUENTIAL);
  }
  ~SystemInput() override { ::close(fd_); }
  SystemInput(const SystemInput&) = delete;
  SystemInput& operator=(const SystemInput&) = delete;

  std::size_t read(std::span<char> buffer) override {
    for (;;) {
      const ssize_t got = ::read(fd_, buffer.data(), buffer.size());
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) fail(ErrorCode::input, "read", path_, errno);
    }
  }

  void read_at(std::uint64_t offset, std::span<char> buffer) const override {
    while (!buffer.empty()) {
      const ssize_t got = ::pread(fd_, buffer.data(), buffer.size(), static_cast<off_t>(offset));
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

 private:
  fs::path path_;
  int fd_;
  std::uint64_t size_ = 0;
};

class SystemOutput final : public OutputFile {
 public:
  explicit SystemOutput(const fs::path& path)
      : path_(path), fd_(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {
    if (fd_ < 0) fail(ErrorCode::output, "create", path, errno);
  }
  ~SystemOutput() override {
    if (fd_ >= 0) ::close(fd_);
  }
  SystemOutput(const SystemOutput&) = delete;
  SystemOutput& operator=(const SystemOutput&) = delete;

  void write(std::span<const char> bytes) override {
    while (!bytes.empty()) {
      const ssize_t put = ::write(fd_, bytes.data(), bytes.size());
      if (put < 0) {
        if (errno == EINTR) continue;
        fail(ErrorCode::output, "write", path_, errno);
      }
      bytes = bytes.subspan(static_cast<std::size_t>(put));
    }
  }

  void sync() override {
    if (::fsync(fd_) != 0) fail(ErrorCode::output, "write", path_, errno);
  }

  void close() override {
    if (fd_ < 0) return;
    const int result = ::close(fd_);
    fd_ = -1;
    if (result != 0) fail(ErrorCode::output, "write", path_, errno);
  }

 private:
  fs::path path_;
  int fd_;
};

class SystemFiles final : public FileSystem {
 public:
  std::unique_ptr<InputFile> open(const fs::path& path) override { return std::make_unique<SystemInput>(path); }
  std::unique_ptr<OutputFile> create(const fs::path& path) override { return std::make_unique<SystemOutput>(path); }

  void rename(const fs::path& from, const fs::path& to) override {
    if (::rename(from.c_str(), to.c_str()) != 0) fail(ErrorCode::output, "write", to, errno);
  }

  void create_folders(const fs::path& path) override {
    std::error_code error;
    fs::create_directories(path, error);
    if (error) fail(ErrorCode::output, "create the folder", path, error.value());
  }

  void remove_all(const fs::path& path) noexcept override {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }

  bool exists(const fs::path& path) override {
    std::error_code ignored;
    return fs::exists(fs::symlink_status(path, ignored));
  }
};

}  // namespace

FileSystem& system_files() {
  static SystemFiles files;
  return files;
}

}  // namespace neardup
