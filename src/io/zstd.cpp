// zstd (RFC 8878), any number of frames one after the other, skippable ones included.
#include <fmt/format.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "io/codecs.h"
#include "neardup/error.h"

namespace neardup::io {
namespace {

constexpr std::size_t kFrameStart = 5;  // bytes that tell how long a frame's header is
constexpr std::size_t kBlockHeader = 3;
constexpr int kWindowLogMax = 27;  // 128 MiB: the memory a hostile frame may ask for

class ZstdSource final : public ByteSource {
 public:
  explicit ZstdSource(std::unique_ptr<InputFile> file)
      : file_(std::move(file)), storage_(kCodecBuffer), context_(ZSTD_createDCtx(), &ZSTD_freeDCtx) {
    if (context_ == nullptr) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kWindowLogMax);
  }

  std::size_t read(std::span<char> buffer) override {
    if (done_ || buffer.empty()) return 0;
    ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
    while (out.pos == 0 && !done_) {
      if (input_.pos == input_.size && !flushing_ && !refill()) break;
      // One block at a time, and no input while output waits: on an error the decoder forgets what that call put out.
      ZSTD_inBuffer piece{input_.src, flushing_ ? input_.pos : std::min(input_.size, input_.pos + wish_), input_.pos};
      const std::size_t status = ZSTD_decompressStream(context_.get(), &out, &piece);
      if (ZSTD_isError(status) != 0) {
        fail(status);
        break;
      }
      // Called once more after the end of a frame, the decoder asks for another frame, which need not exist.
      if (piece.pos != input_.pos || out.pos != 0) mid_frame_ = status != 0;
      input_.pos = piece.pos;
      wish_ = status == 0 ? kFrameStart : status > kBlockHeader ? status - kBlockHeader : status;
      flushing_ = out.pos == out.size;
    }
    return out.pos;
  }

 private:
  bool refill() {
    const std::size_t got = file_->read(storage_);
    consumed_ += got;
    input_ = {storage_.data(), got, 0};
    if (got != 0) return true;
    done_ = true;
    if (mid_frame_) {
      problem_ = fmt::format("truncated zstd data; the file ends at byte {} in the middle of a frame", consumed_);
    }
    return false;
  }

  void fail(std::size_t status) {
    done_ = true;
    const std::uint64_t at = consumed_ - (input_.size - input_.pos);
    if (ZSTD_getErrorCode(status) == ZSTD_error_frameParameter_windowTooLarge) {
      problem_ =
          fmt::format("the zstd frame at byte {} needs a window of more than 128 MiB (recompress without --long)", at);
    } else {
      problem_ = fmt::format("damaged zstd data ({}) at byte {} of the file", ZSTD_getErrorName(status), at);
    }
  }

  std::unique_ptr<InputFile> file_;
  std::vector<char> storage_;
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context_;
  ZSTD_inBuffer input_{nullptr, 0, 0};
  std::size_t wish_ = kFrameStart;  // bytes up to the end of the current block, without the next one's header
  bool mid_frame_ = false;
  bool flushing_ = false;  // the decoder may still hold output that needs no further input
  bool done_ = false;
};

class ZstdSink final : public ByteSink {
 public:
  explicit ZstdSink(std::unique_ptr<ByteSink> to)
      : to_(std::move(to)), output_(kCodecBuffer), context_(ZSTD_createCCtx(), &ZSTD_freeCCtx) {
    if (context_ == nullptr) throw std::bad_alloc();
    constexpr int kLevel = 3;
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
  }

  void write(std::string_view bytes) override {
    ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
    while (input.pos != input.size) compress(input, ZSTD_e_continue);
  }

  void close() override {
    ZSTD_inBuffer nothing{nullptr, 0, 0};
    while (compress(nothing, ZSTD_e_end) != 0) {
    }
    to_->close();
  }

 private:
  std::size_t compress(ZSTD_inBuffer& input, ZSTD_EndDirective directive) {
    ZSTD_outBuffer out{output_.data(), output_.size(), 0};
    const std::size_t status = ZSTD_compressStream2(context_.get(), &out, &input, directive);
    if (ZSTD_isError(status) != 0) {
      throw Error(ErrorCode::output, fmt::format("cannot compress with zstd: {}", ZSTD_getErrorName(status)));
    }
    to_->write({output_.data(), out.pos});
    return status;
  }

  std::unique_ptr<ByteSink> to_;
  std::vector<char> output_;
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context_;
};

}  // namespace

std::unique_ptr<ByteSource> zstd_decoder(std::unique_ptr<InputFile> file) {
  return std::make_unique<ZstdSource>(std::move(file));
}

std::unique_ptr<ByteSink> zstd_encoder(std::unique_ptr<ByteSink> to) {
  return std::make_unique<ZstdSink>(std::move(to));
}

}  // namespace neardup::io
