// gzip (RFC 1952), any number of members one after the other.
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "io/codecs.h"
#include "neardup/error.h"

namespace neardup::io {
namespace {

constexpr int kGzipOnly = 15 + 16;  // zlib's way to say: largest window, gzip framing

class GzipSource final : public ByteSource {
 public:
  explicit GzipSource(std::unique_ptr<InputFile> file) : file_(std::move(file)), input_(kCodecBuffer) {
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  std::size_t read(std::span<char> buffer) override {
    if (done_ || buffer.empty()) return 0;
    stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(buffer.size(), 1u << 30));
    const uInt room = stream_.avail_out;
    while (stream_.avail_out == room && !done_) {
      if (stream_.avail_in == 0 && !flushing_ && !refill()) break;
      if (between_members_ && !start_member()) break;
      advance();
      flushing_ = stream_.avail_out == 0 && !between_members_;
    }
    return room - stream_.avail_out;
  }

 private:
  bool refill() {
    const std::size_t got = file_->read(input_);
    consumed_ += got;
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(got);
    if (got != 0) return true;
    done_ = true;
    if (!between_members_) {
      problem_ = fmt::format("truncated gzip data; the file ends at byte {} in the middle of a member", consumed_);
    }
    return false;
  }

  bool start_member() {
    constexpr Bytef kFirstMagic = 0x1F;
    if (*stream_.next_in == kFirstMagic) {
      inflateReset(&stream_);
      between_members_ = false;
      return true;
    }
    fail("something that is not gzip follows the compressed data");
    return false;
  }

  void advance() {
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      between_members_ = true;
    } else if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      fail(fmt::format("damaged gzip data ({})", stream_.msg != nullptr ? stream_.msg : "it asks for a dictionary"));
    }
  }

  void fail(const std::string& what) {
    done_ = true;
    problem_ = fmt::format("{} at byte {} of the file", what, consumed_ - stream_.avail_in);
  }

  std::unique_ptr<InputFile> file_;
  std::vector<char> input_;
  z_stream stream_{};
  bool between_members_ = false;  // the first member must be there
  bool flushing_ = false;         // the decoder may still hold output that needs no further input
  bool done_ = false;
};

class GzipSink final : public ByteSink {
 public:
  explicit GzipSink(std::unique_ptr<ByteSink> to) : to_(std::move(to)), output_(kCodecBuffer) {
    constexpr int kLevel = 6, kMemory = 8;
    // The header zlib writes by default has no time and no name: equal input gives equal bytes.
    if (deflateInit2(&stream_, kLevel, Z_DEFLATED, kGzipOnly, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~GzipSink() override { deflateEnd(&stream_); }
  GzipSink(const GzipSink&) = delete;
  GzipSink& operator=(const GzipSink&) = delete;

  void write(std::string_view bytes) override {
    constexpr std::size_t kPiece = 1u << 30;  // zlib counts in 32 bits
    for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kPiece))) {
      const std::string_view piece = bytes.substr(0, kPiece);
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
      stream_.avail_in = static_cast<uInt>(piece.size());
      while (stream_.avail_in != 0) compress(Z_NO_FLUSH);
    }
  }

  void close() override {
    stream_.avail_in = 0;
    while (compress(Z_FINISH) != Z_STREAM_END) {
    }
    to_->close();
  }

 private:
  int compress(int flush) {
    stream_.next_out = reinterpret_cast<Bytef*>(output_.data());
    stream_.avail_out = static_cast<uInt>(output_.size());
    const int status = deflate(&stream_, flush);
    to_->write({output_.data(), output_.size() - stream_.avail_out});
    return status;
  }

  std::unique_ptr<ByteSink> to_;
  std::vector<char> output_;
  z_stream stream_{};
};

}  // namespace

std::unique_ptr<ByteSource> gzip_decoder(std::unique_ptr<InputFile> file) {
  return std::make_unique<GzipSource>(std::move(file));
}

std::unique_ptr<ByteSink> gzip_encoder(std::unique_ptr<ByteSink> to) {
  return std::make_unique<GzipSink>(std::move(to));
}

}  // namespace neardup::io
