// Where written bytes end: a file or standard output, in both cases through a codec.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "io/codecs/codecs.h"
#include "io/output.h"
#include "neardup/error.h"

namespace neardup::io {
namespace {

// Gathers small writes; derived classes put whole buffers.
class BufferedSink : public ByteSink {
 public:
  void write(std::string_view bytes) override {
    if (buffer_.size() + bytes.size() > kCodecBuffer) {
      put(buffer_);
      buffer_.clear();
    }
    if (bytes.size() >= kCodecBuffer) {
      put(bytes);
    } else {
      buffer_ += bytes;
    }
  }

  void close() override {
    put(buffer_);
    buffer_.clear();
    end();
  }

 protected:
  virtual void put(std::string_view bytes) = 0;
  virtual void end() = 0;

 private:
  std::string buffer_;
};

class FileSink final : public BufferedSink {
 public:
  explicit FileSink(std::unique_ptr<OutputFile> file) : file_(std::move(file)) {}

 private:
  void put(std::string_view bytes) override { file_->write({bytes.data(), bytes.size()}); }
  void end() override { file_->close(); }

  std::unique_ptr<OutputFile> file_;
};

class StdoutSink final : public BufferedSink {
 private:
  // A reader that has seen enough (`| head`) is not a failure: what follows is dropped.
  void put(std::string_view bytes) override {
    while (!bytes.empty() && !reader_left_) {
      const ssize_t written = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
      if (written >= 0) {
        bytes.remove_prefix(static_cast<std::size_t>(written));
      } else if (errno == EPIPE) {
        reader_left_ = true;
      } else if (errno != EINTR) {
        throw Error(ErrorCode::output, fmt::format("cannot write to standard output: {}", std::strerror(errno)));
      }
    }
  }
  void end() override {}
  [[nodiscard]] bool reader_left() const override { return reader_left_; }

  bool reader_left_ = false;
};

class NullSink final : public ByteSink {
 public:
  void write(std::string_view) override {}
  void close() override {}
};

}  // namespace

std::unique_ptr<ByteSink> null_sink() { return std::make_unique<NullSink>(); }

std::unique_ptr<ByteSink> open_sink(FileSystem& files, const std::filesystem::path& path, const Codec& codec) {
  return codec.encoder(std::make_unique<FileSink>(files.create(path)));
}

std::unique_ptr<ByteSink> stdout_sink(const Codec& codec) { return codec.encoder(std::make_unique<StdoutSink>()); }

}  // namespace neardup::io
