// lz4 in its frame format, any number of frames one after the other, skippable ones included.
#include <fmt/format.h>
#include <lz4frame.h>

#include <algorithm>
#include <new>
#include <utility>

#include "io/codecs/stream_codec.h"
#include "neardup/error.h"

namespace neardup::io {
namespace {

constexpr std::size_t kLz4FrameStart = 7;  // bytes of the shortest header
constexpr std::size_t kLz4BlockHeader = 4;

class Lz4Source final : public StreamSource {
 public:
  explicit Lz4Source(std::unique_ptr<InputFile> file) : StreamSource(std::move(file), "lz4", "frame") {
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context_, LZ4F_VERSION)) != 0) throw std::bad_alloc();
  }
  ~Lz4Source() override { LZ4F_freeDecompressionContext(context_); }
  Lz4Source(const Lz4Source&) = delete;
  Lz4Source& operator=(const Lz4Source&) = delete;

 private:
  // One block at a time: on an error the decoder forgets what that call put out.
  Step decode(std::string_view input, std::span<char> output) override {
    std::size_t consumed = std::min(input.size(), wish_), written = output.size();
    const std::size_t status = LZ4F_decompress(context_, output.data(), &written, input.data(), &consumed, nullptr);
    if (LZ4F_isError(status) != 0) {
      return {.problem = fmt::format("damaged lz4 data ({})", LZ4F_getErrorName(status))};
    }
    wish_ = status == 0 ? kLz4FrameStart : status > kLz4BlockHeader ? status - kLz4BlockHeader : status;
    return {.consumed = consumed, .written = written, .ended = status == 0};
  }

  Next behind_stream(char first) override {
    const bool may_be_frame = first == '\x04' || (first & '\xF0') == '\x50';
    return may_be_frame ? Next::stream : Next::foreign;
  }

  LZ4F_dctx* context_ = nullptr;
  std::size_t wish_ = kLz4FrameStart;  // bytes up to the end of the current block, without the next one's header
};

class Lz4Sink final : public StreamSink {
 public:
  explicit Lz4Sink(std::unique_ptr<ByteSink> to) : StreamSink(std::move(to)) {
    if (LZ4F_isError(LZ4F_createCompressionContext(&context_, LZ4F_VERSION)) != 0) throw std::bad_alloc();
    preferences_.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
    preferences_.frameInfo.blockSizeID = LZ4F_max64KB;
  }
  ~Lz4Sink() override { LZ4F_freeCompressionContext(context_); }
  Lz4Sink(const Lz4Sink&) = delete;
  Lz4Sink& operator=(const Lz4Sink&) = delete;

 private:
  // The library wants room for the worst case, which a piece of this size leaves in the buffer that codecs share.
  static constexpr std::size_t kPiece = 64u << 10;
  static_assert(kCodecBuffer >= 2 * (kPiece + LZ4F_HEADER_SIZE_MAX) + 64);

  Step encode(std::string_view input, std::span<char> output, bool finish) override {
    Step step;
    if (!begun_) {
      step.written = checked(LZ4F_compressBegin(context_, output.data(), output.size(), &preferences_));
      begun_ = true;
    }
    output = output.subspan(step.written);
    if (finish) {
      step.written += checked(LZ4F_compressEnd(context_, output.data(), output.size(), nullptr));
      step.ended = true;
    } else {
      step.consumed = std::min(input.size(), kPiece);
      step.written +=
          checked(LZ4F_compressUpdate(context_, output.data(), output.size(), input.data(), step.consumed, nullptr));
    }
    return step;
  }

  void restart() override { begun_ = false; }

  static std::size_t checked(std::size_t status) {
    if (LZ4F_isError(status) == 0) return status;
    throw Error(ErrorCode::output, fmt::format("cannot compress with lz4: {}", LZ4F_getErrorName(status)));
  }

  LZ4F_cctx* context_ = nullptr;
  LZ4F_preferences_t preferences_ = LZ4F_INIT_PREFERENCES;
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> lz4_decoder(std::unique_ptr<InputFile> file) {
  return std::make_unique<Lz4Source>(std::move(file));
}

std::unique_ptr<ByteSink> lz4_encoder(std::unique_ptr<ByteSink> to) { return std::make_unique<Lz4Sink>(std::move(to)); }

}  // namespace neardup::io
