// gzip (RFC 1952), any number of members one after the other.
#include <fmt/format.h>
#include <zlib.h>

#include <new>
#include <utility>

#include "io/codecs/stream_codec.h"

namespace neardup::io {
namespace {

constexpr int kGzipOnly = 15 + 16;  // zlib's way to say: largest window, gzip framing

class GzipSource final : public StreamSource {
 public:
  explicit GzipSource(std::unique_ptr<InputFile> file) : StreamSource(std::move(file), "gzip", "member") {
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

 private:
  Step decode(std::string_view input, std::span<char> output) override {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream_.avail_in = static_cast<uInt>(input.size());
    stream_.next_out = reinterpret_cast<Bytef*>(output.data());
    stream_.avail_out = static_cast<uInt>(output.size());
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    Step step{.consumed = input.size() - stream_.avail_in,
              .written = output.size() - stream_.avail_out,
              .ended = status == Z_STREAM_END};
    if (status != Z_STREAM_END && status != Z_OK && status != Z_BUF_ERROR) {
      step.problem =
          fmt::format("damaged gzip data ({})", stream_.msg != nullptr ? stream_.msg : "it asks for a dictionary");
    }
    return step;
  }

  Next behind_stream(char first) override {
    constexpr char kFirstMagic = 0x1F;
    if (first != kFirstMagic) return Next::foreign;
    inflateReset(&stream_);
    return Next::stream;
  }

  z_stream stream_{};
};

class GzipSink final : public StreamSink {
 public:
  explicit GzipSink(std::unique_ptr<ByteSink> to) : StreamSink(std::move(to)) {
    constexpr int kLevel = 6, kMemory = 8;
    // The header zlib writes by default has no time and no name: equal input gives equal bytes.
    if (deflateInit2(&stream_, kLevel, Z_DEFLATED, kGzipOnly, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~GzipSink() override { deflateEnd(&stream_); }
  GzipSink(const GzipSink&) = delete;
  GzipSink& operator=(const GzipSink&) = delete;

 private:
  Step encode(std::string_view input, std::span<char> output, bool finish) override {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream_.avail_in = static_cast<uInt>(input.size());
    stream_.next_out = reinterpret_cast<Bytef*>(output.data());
    stream_.avail_out = static_cast<uInt>(output.size());
    const int status = deflate(&stream_, finish ? Z_FINISH : Z_NO_FLUSH);
    return {.consumed = input.size() - stream_.avail_in,
            .written = output.size() - stream_.avail_out,
            .ended = status == Z_STREAM_END};
  }

  void restart() override { deflateReset(&stream_); }

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
