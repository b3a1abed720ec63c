// bzip2, any number of streams one after the other.
#include <bzlib.h>

#include <new>
#include <utility>

#include "io/codecs/stream_codec.h"

namespace neardup::io {
namespace {

class Bzip2Source final : public StreamSource {
 public:
  explicit Bzip2Source(std::unique_ptr<InputFile> file) : StreamSource(std::move(file), "bzip2", "stream") { start(); }
  ~Bzip2Source() override { BZ2_bzDecompressEnd(&stream_); }
  Bzip2Source(const Bzip2Source&) = delete;
  Bzip2Source& operator=(const Bzip2Source&) = delete;

 private:
  void start() {
    stream_ = {};
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
  }

  Step decode(std::string_view input, std::span<char> output) override {
    stream_.next_in = const_cast<char*>(input.data());
    stream_.avail_in = static_cast<unsigned>(input.size());
    stream_.next_out = output.data();
    stream_.avail_out = static_cast<unsigned>(output.size());
    const int status = BZ2_bzDecompress(&stream_);
    if (status == BZ_MEM_ERROR) throw std::bad_alloc();
    return {.consumed = input.size() - stream_.avail_in,
            .written = output.size() - stream_.avail_out,
            .ended = status == BZ_STREAM_END,
            .problem = status == BZ_STREAM_END || status == BZ_OK ? "" : "damaged bzip2 data"};
  }

  Next behind_stream(char first) override {
    if (first != 'B') return Next::foreign;
    BZ2_bzDecompressEnd(&stream_);
    start();
    return Next::stream;
  }

  bz_stream stream_{};
};

class Bzip2Sink final : public StreamSink {
 public:
  explicit Bzip2Sink(std::unique_ptr<ByteSink> to) : StreamSink(std::move(to)) { start(); }
  ~Bzip2Sink() override { BZ2_bzCompressEnd(&stream_); }
  Bzip2Sink(const Bzip2Sink&) = delete;
  Bzip2Sink& operator=(const Bzip2Sink&) = delete;

 private:
  void start() {
    constexpr int kBlock = 9;  // times 100 kB, what the program of the same name does
    stream_ = {};
    if (BZ2_bzCompressInit(&stream_, kBlock, 0, 0) != BZ_OK) throw std::bad_alloc();
  }

  Step encode(std::string_view input, std::span<char> output, bool finish) override {
    stream_.next_in = const_cast<char*>(input.data());
    stream_.avail_in = static_cast<unsigned>(input.size());
    stream_.next_out = output.data();
    stream_.avail_out = static_cast<unsigned>(output.size());
    const int status = BZ2_bzCompress(&stream_, finish ? BZ_FINISH : BZ_RUN);
    return {.consumed = input.size() - stream_.avail_in,
            .written = output.size() - stream_.avail_out,
            .ended = status == BZ_STREAM_END};
  }

  void restart() override {
    BZ2_bzCompressEnd(&stream_);
    start();
  }

  bz_stream stream_{};
};

}  // namespace

std::unique_ptr<ByteSource> bzip2_decoder(std::unique_ptr<InputFile> file) {
  return std::make_unique<Bzip2Source>(std::move(file));
}

std::unique_ptr<ByteSink> bzip2_encoder(std::unique_ptr<ByteSink> to) {
  return std::make_unique<Bzip2Sink>(std::move(to));
}

}  // namespace neardup::io
