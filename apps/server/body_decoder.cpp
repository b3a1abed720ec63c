#include "body_decoder.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>

#include "http.h"
#include "problem.h"

namespace neardup::server {
namespace {

constexpr std::size_t kPiece = std::size_t{64} << 10;

[[noreturn]] void damaged() { throw Problem(ProblemCode::bad_encoding, "the compressed body is damaged"); }

class Identity final : public BodyDecoder {
 public:
  bool step(std::string_view& in, std::string& out, std::size_t most) override {
    const std::string_view part = in.substr(0, most);
    out += part;
    in.remove_prefix(part.size());
    return !in.empty();
  }
  void finish() override {}
};

class Gzip final : public BodyDecoder {
 public:
  Gzip() {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~Gzip() override { inflateEnd(&stream_); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  bool step(std::string_view& in, std::string& out, std::size_t most) override {
    const std::size_t before = out.size();
    while (out.size() - before < most) {
      if (is_complete_) {  // another member may follow
        if (in.empty()) return false;
        inflateReset(&stream_);
        is_complete_ = false;
      }
      const std::size_t old = out.size(), room = std::min(kPiece, most);
      out.resize(old + room);
      const std::size_t given = std::min<std::size_t>(in.size(), 1u << 30);
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
      stream_.avail_in = static_cast<uInt>(given);
      stream_.next_out = reinterpret_cast<Bytef*>(out.data() + old);
      stream_.avail_out = static_cast<uInt>(room);
      const int result = inflate(&stream_, Z_NO_FLUSH);
      in.remove_prefix(given - stream_.avail_in);
      out.resize(old + room - stream_.avail_out);
      if (result == Z_STREAM_END) {
        is_complete_ = true;
        continue;
      }
      if (result != Z_OK && result != Z_BUF_ERROR) damaged();
      if (stream_.avail_out != 0 && in.empty()) return false;
      if (result == Z_BUF_ERROR && out.size() == old) damaged();
    }
    return true;
  }
  void finish() override {
    if (!is_complete_) damaged();
  }

 private:
  z_stream stream_{};
  bool is_complete_ = false;
};

class Zstd final : public BodyDecoder {
 public:
  Zstd() : stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
    constexpr int kMostWindow = 23;  // 8 MiB, which RFC 9659 requires of HTTP
    ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, kMostWindow);
  }
  ~Zstd() override { ZSTD_freeDStream(stream_); }
  Zstd(const Zstd&) = delete;
  Zstd& operator=(const Zstd&) = delete;

  bool step(std::string_view& in, std::string& out, std::size_t most) override {
    const std::size_t before = out.size();
    while (out.size() - before < most) {
      const std::size_t old = out.size(), room = std::min(kPiece, most);
      out.resize(old + room);
      ZSTD_inBuffer input{in.data(), in.size(), 0};
      ZSTD_outBuffer output{out.data() + old, room, 0};
      const std::size_t result = ZSTD_decompressStream(stream_, &output, &input);
      if (ZSTD_isError(result)) damaged();
      in.remove_prefix(input.pos);
      out.resize(old + output.pos);
      if (input.pos != 0 || output.pos != 0) is_complete_ = result == 0;
      if (in.empty() && output.pos < room) return false;
    }
    return true;
  }
  void finish() override {
    if (!is_complete_) damaged();
  }

 private:
  ZSTD_DStream* stream_;
  bool is_complete_ = false;
};

}  // namespace

std::unique_ptr<BodyDecoder> BodyDecoder::make(std::string_view encoding) {
  const std::string name = media_type(encoding);
  if (name.empty() || name == "identity") return std::make_unique<Identity>();
  if (name == "gzip" || name == "x-gzip") return std::make_unique<Gzip>();
  if (name == "zstd") return std::make_unique<Zstd>();
  throw Problem(ProblemCode::unsupported_media_type, "Content-Encoding can be gzip or zstd");
}

std::string decoded_body(std::string body, std::string_view encoding, std::uint64_t most) {
  if (encoding.empty()) return body;
  const std::unique_ptr<BodyDecoder> decoder = BodyDecoder::make(encoding);
  std::string out;
  std::string_view rest = body;
  constexpr std::size_t kStep = std::size_t{1} << 20;
  while (decoder->step(rest, out, kStep) || !rest.empty()) {
    if (out.size() > most) break;
  }
  if (out.size() > most)
    throw Problem(ProblemCode::body_too_large, fmt::format("the decompressed body has more than {} bytes", most));
  decoder->finish();
  return out;
}

}  // namespace neardup::server
