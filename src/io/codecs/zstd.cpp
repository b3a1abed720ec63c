// zstd (RFC 8878), any number of frames one after the other, skippable ones included. Web archives may begin with a
// skippable frame that holds the dictionary of all others; what is written needs none.
#include <fmt/format.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "io/codecs/stream_codec.h"
#include "neardup/error.h"

namespace neardup::io {
namespace {

constexpr std::size_t kZstdFrameStart = 5;  // bytes that tell how long a frame's header is
constexpr std::size_t kZstdBlockHeader = 3;
constexpr int kWindowLogMax = 27;  // 128 MiB: the memory a hostile frame may ask for
constexpr std::string_view kFrameMagic = "\x28\xB5\x2F\xFD";
constexpr std::string_view kDictionaryMagic = "\x5D\x2A\x4D\x18";
constexpr std::size_t kMostDictionary = 32u << 20;

// What the first frame holds when it is a dictionary; frames that need one that is damaged or too large say so.
std::string dictionary_of(const InputFile& file) {
  std::array<char, 8> head{};  // magic number, size
  if (file.size() < head.size()) return {};
  file.read_at(0, head);
  if (!std::string_view(head.data(), head.size()).starts_with(kDictionaryMagic)) return {};
  std::size_t size = 0;
  for (std::size_t i = 0; i < 4; ++i) size |= std::size_t{static_cast<unsigned char>(head[4 + i])} << (8 * i);
  if (size > kMostDictionary || size > file.size() - head.size()) return {};
  std::string bytes(size, '\0');
  file.read_at(head.size(), bytes);
  if (!bytes.starts_with(kFrameMagic)) return bytes;
  std::string unpacked(kMostDictionary, '\0');
  const std::size_t got = ZSTD_decompress(unpacked.data(), unpacked.size(), bytes.data(), bytes.size());
  unpacked.resize(ZSTD_isError(got) != 0 ? 0 : got);
  return unpacked;
}

class ZstdSource final : public StreamSource {
 public:
  ZstdSource(std::unique_ptr<InputFile> file, const std::string& dictionary)
      : StreamSource(std::move(file), "zstd", "frame"), context_(ZSTD_createDCtx(), &ZSTD_freeDCtx) {
    if (context_ == nullptr) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kWindowLogMax);
    if (!dictionary.empty()) ZSTD_DCtx_loadDictionary(context_.get(), dictionary.data(), dictionary.size());
  }

 private:
  // One block at a time: on an error the decoder forgets what that call put out.
  Step decode(std::string_view input, std::span<char> output) override {
    ZSTD_inBuffer in{input.data(), std::min(input.size(), wish_), 0};
    ZSTD_outBuffer out{output.data(), output.size(), 0};
    const std::size_t status = ZSTD_decompressStream(context_.get(), &out, &in);
    if (ZSTD_isError(status) != 0) return {.problem = reason(status)};
    wish_ = status == 0 ? kZstdFrameStart : status > kZstdBlockHeader ? status - kZstdBlockHeader : status;
    return {.consumed = in.pos, .written = out.pos, .ended = status == 0};
  }

  // Frames of data and skippable ones begin differently, and the decoder knows both.
  Next behind_stream(char) override { return Next::stream; }

  static std::string reason(std::size_t status) {
    switch (ZSTD_getErrorCode(status)) {
      case ZSTD_error_frameParameter_windowTooLarge:
        return "a zstd frame that needs a window of more than 128 MiB (recompress it with a smaller one)";
      case ZSTD_error_dictionary_wrong:
        return "a zstd frame that needs a dictionary, which the file does not begin with,";
      default:
        return fmt::format("damaged zstd data ({})", ZSTD_getErrorName(status));
    }
  }

  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context_;
  std::size_t wish_ = kZstdFrameStart;  // bytes up to the end of the current block, without the next one's header
};

class ZstdSink final : public StreamSink {
 public:
  explicit ZstdSink(std::unique_ptr<ByteSink> to)
      : StreamSink(std::move(to)), context_(ZSTD_createCCtx(), &ZSTD_freeCCtx) {
    if (context_ == nullptr) throw std::bad_alloc();
    constexpr int kLevel = 3;
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
  }

 private:
  Step encode(std::string_view input, std::span<char> output, bool finish) override {
    ZSTD_inBuffer in{input.data(), input.size(), 0};
    ZSTD_outBuffer out{output.data(), output.size(), 0};
    const std::size_t status = ZSTD_compressStream2(context_.get(), &out, &in, finish ? ZSTD_e_end : ZSTD_e_continue);
    if (ZSTD_isError(status) != 0) {
      throw Error(ErrorCode::output, fmt::format("cannot compress with zstd: {}", ZSTD_getErrorName(status)));
    }
    return {.consumed = in.pos, .written = out.pos, .ended = finish && status == 0};
  }

  void restart() override {}  // the context begins another frame by itself

  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context_;
};

}  // namespace

std::unique_ptr<ByteSource> zstd_decoder(std::unique_ptr<InputFile> file) {
  const std::string dictionary = dictionary_of(*file);
  return std::make_unique<ZstdSource>(std::move(file), dictionary);
}

std::unique_ptr<ByteSink> zstd_encoder(std::unique_ptr<ByteSink> to) {
  return std::make_unique<ZstdSink>(std::move(to));
}

}  // namespace neardup::io
