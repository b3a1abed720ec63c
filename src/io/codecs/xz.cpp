// xz, any number of streams one after the other, with zeros between them.
#include <fmt/format.h>
#include <lzma.h>

#include <new>
#include <utility>

#include "io/codecs/stream_codec.h"
#include "neardup/error.h"

namespace neardup::io {
namespace {

// A dictionary of 128 MiB and what goes with it: the memory a hostile header may ask for. `xz -9` takes 64 MiB.
constexpr std::uint64_t kMostMemory = 136u << 20;

class XzSource final : public StreamSource {
 public:
  explicit XzSource(std::unique_ptr<InputFile> file) : StreamSource(std::move(file), "xz", "stream") { start(); }
  ~XzSource() override { lzma_end(&stream_); }
  XzSource(const XzSource&) = delete;
  XzSource& operator=(const XzSource&) = delete;

 private:
  void start() {
    if (lzma_stream_decoder(&stream_, kMostMemory, 0) != LZMA_OK) throw std::bad_alloc();
  }

  Step decode(std::string_view input, std::span<char> output) override {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(input.data());
    stream_.avail_in = input.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(output.data());
    stream_.avail_out = output.size();
    const lzma_ret status = lzma_code(&stream_, LZMA_RUN);
    if (status == LZMA_MEM_ERROR) throw std::bad_alloc();
    Step step{.consumed = input.size() - stream_.avail_in,
              .written = output.size() - stream_.avail_out,
              .ended = status == LZMA_STREAM_END};
    if (status == LZMA_MEMLIMIT_ERROR) {
      step.problem = "xz data that needs a dictionary of more than 128 MiB (recompress with -9 or less)";
    } else if (status != LZMA_OK && status != LZMA_STREAM_END && status != LZMA_BUF_ERROR) {
      step.problem = "damaged xz data";
    }
    return step;
  }

  Next behind_stream(char first) override {
    constexpr char kFirstMagic = '\xFD';
    if (first == '\0') return Next::padding;
    if (first != kFirstMagic) return Next::foreign;
    start();
    return Next::stream;
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
};

class XzSink final : public StreamSink {
 public:
  explicit XzSink(std::unique_ptr<ByteSink> to) : StreamSink(std::move(to)) { restart(); }
  ~XzSink() override { lzma_end(&stream_); }
  XzSink(const XzSink&) = delete;
  XzSink& operator=(const XzSink&) = delete;

 private:
  Step encode(std::string_view input, std::span<char> output, bool finish) override {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(input.data());
    stream_.avail_in = input.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(output.data());
    stream_.avail_out = output.size();
    const lzma_ret status = lzma_code(&stream_, finish ? LZMA_FINISH : LZMA_RUN);
    if (status == LZMA_MEM_ERROR) throw std::bad_alloc();
    if (status != LZMA_OK && status != LZMA_STREAM_END) {
      throw Error(ErrorCode::output, fmt::format("cannot compress with xz (error {})", static_cast<int>(status)));
    }
    return {.consumed = input.size() - stream_.avail_in,
            .written = output.size() - stream_.avail_out,
            .ended = status == LZMA_STREAM_END};
  }

  void restart() override {
    constexpr std::uint32_t kPreset = 3;  // several times as fast as 6 and nearly as small
    if (lzma_easy_encoder(&stream_, kPreset, LZMA_CHECK_CRC64) != LZMA_OK) throw std::bad_alloc();
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
};

}  // namespace

std::unique_ptr<ByteSource> xz_decoder(std::unique_ptr<InputFile> file) {
  return std::make_unique<XzSource>(std::move(file));
}

std::unique_ptr<ByteSink> xz_encoder(std::unique_ptr<ByteSink> to) { return std::make_unique<XzSink>(std::move(to)); }

}  // namespace neardup::io
