#include "io/formats/http_body.h"

#include <brotli/decode.h>
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <new>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "io/formats/header_lines.h"

namespace neardup::io {
namespace {

constexpr std::size_t kMostEncodings = 4;
constexpr std::size_t kBodyPiece = 64u << 10;
constexpr std::size_t kKept = 4u << 20;  // what a buffer may hold on to between two messages

enum class Undone { whole, partly, not_at_all, too_long };

// zlib counts input in 32 bits; records have fewer bytes than that.
Undone inflate_all(std::string_view in, int window_bits, std::uint64_t most, std::string& out) {
  z_stream stream{};
  if (inflateInit2(&stream, window_bits) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> guard(&stream, &inflateEnd);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
  stream.avail_in = static_cast<uInt>(in.size());
  std::array<char, kBodyPiece> piece;
  for (;;) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = piece.size();
    const int status = inflate(&stream, Z_NO_FLUSH);
    out.append(piece.data(), piece.size() - stream.avail_out);
    if (out.size() > most) return Undone::too_long;
    if (status == Z_STREAM_END) {
      const bool another =
          window_bits > 15 && stream.avail_in >= 2 && stream.next_in[0] == 0x1F && stream.next_in[1] == 0x8B;
      if (!another) return Undone::whole;
      inflateReset(&stream);
    } else if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (status != Z_OK) {
      return out.empty() ? Undone::not_at_all : Undone::partly;
    }
  }
}

Undone undo_gzip(std::string_view in, std::uint64_t most, std::string& out) {
  constexpr int kGzipOnly = 15 + 16;
  return inflate_all(in, kGzipOnly, most, out);
}

// The standard means zlib's format, many servers send the bare data.
Undone undo_deflate(std::string_view in, std::uint64_t most, std::string& out) {
  constexpr int kZlib = 15, kBare = -15;
  if (in.size() < 2) return Undone::not_at_all;
  const unsigned first = static_cast<unsigned char>(in[0]), second = static_cast<unsigned char>(in[1]);
  const bool has_header = (first & 0x0F) == 8 && (first * 256 + second) % 31 == 0;
  return inflate_all(in, has_header ? kZlib : kBare, most, out);
}

Undone undo_brotli(std::string_view in, std::uint64_t most, std::string& out) {
  const std::unique_ptr<BrotliDecoderState, decltype(&BrotliDecoderDestroyInstance)> state(
      BrotliDecoderCreateInstance(nullptr, nullptr, nullptr), &BrotliDecoderDestroyInstance);
  if (state == nullptr) throw std::bad_alloc();
  std::size_t left = in.size();
  const auto* next = reinterpret_cast<const std::uint8_t*>(in.data());
  std::array<char, kBodyPiece> piece;
  for (;;) {
    std::size_t room = piece.size();
    auto* to = reinterpret_cast<std::uint8_t*>(piece.data());
    const auto status = BrotliDecoderDecompressStream(state.get(), &left, &next, &room, &to, nullptr);
    out.append(piece.data(), piece.size() - room);
    if (out.size() > most) return Undone::too_long;
    if (status == BROTLI_DECODER_RESULT_SUCCESS) return Undone::whole;
    if (status != BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT) return out.empty() ? Undone::not_at_all : Undone::partly;
  }
}

// Joins chunks. False when the first is none. What follows a later one that is none is used unchanged.
bool join_chunks(std::string_view in, std::string& out) {
  bool any = false;
  for (;;) {
    const std::size_t newline = in.find('\n');
    std::string_view line = in.substr(0, newline);
    line = base::trimmed(line.substr(0, line.find(';')));
    std::uint64_t size = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), size, 16);
    if (line.empty() || error != std::errc() || end != line.data() + line.size() || newline == std::string_view::npos) {
      if (any) out += in;
      return any;
    }
    in.remove_prefix(newline + 1);
    any = true;
    if (size == 0) return true;
    const std::string_view chunk = in.substr(0, size);
    out += chunk;
    in.remove_prefix(chunk.size());
    if (in.starts_with("\r\n")) {
      in.remove_prefix(2);
    } else if (in.starts_with('\n')) {
      in.remove_prefix(1);
    }
    if (in.empty()) return true;
  }
}

}  // namespace

struct HttpReader::Buffers {
  std::string now, next;

  void release() {
    for (std::string* buffer : {&now, &next}) {
      if (buffer->capacity() > kKept) std::string().swap(*buffer);
    }
  }
};

HttpReader::HttpReader(std::uint64_t most_bytes)
    : most_bytes_(most_bytes),
      limit_reason_(fmt::format("the page unpacks to more than {} bytes (`max_record_bytes`)", most_bytes)),
      buffers_(std::make_unique<Buffers>()) {}

HttpReader::~HttpReader() = default;

const char* HttpReader::read(std::string_view message, HttpResponse& out) {
  out = {};
  out.body = message;
  buffers_->release();
  if (!message.starts_with("HTTP/")) return nullptr;
  const std::size_t end = std::min(header_end(message), message.size());
  const std::string_view header = message.substr(0, end);
  out.body = message.substr(end);
  const std::size_t line_end = std::min(header.find('\n'), header.size());
  const std::string_view status_line = header.substr(0, line_end);
  if (const std::size_t space = status_line.find(' '); space != std::string_view::npos) {
    const std::string_view after = base::trimmed(status_line.substr(space));
    out.status = after.substr(0, after.find(' '));
  }
  bool chunked = false;
  std::string encodings;  // may be said in several lines
  for (HeaderLines line(header.substr(line_end)); line.next();) {
    if (line.is("content-type")) {
      if (out.content_type.empty()) out.content_type = line.value();
    } else if (line.is("transfer-encoding")) {
      chunked |= base::lowered(line.value()).find("chunked") != std::string::npos;
    } else if (line.is("content-encoding") && encodings.size() < kBodyPiece) {
      encodings += ',';
      encodings += line.value();
    }
  }
  if (chunked) {
    buffers_->now.clear();
    if (join_chunks(out.body, buffers_->now)) out.body = buffers_->now;
  }
  return encodings.empty() ? nullptr : undo_content_encodings(encodings, out);
}

// The last one named was done last.
const char* HttpReader::undo_content_encodings(std::string_view encodings, HttpResponse& out) {
  for (std::size_t done = 0; !encodings.empty() && !out.body.empty();) {
    const std::size_t comma = encodings.rfind(',');
    const std::string_view name = base::trimmed(encodings.substr(comma + 1));
    encodings = encodings.substr(0, comma);
    const bool gzip = base::equals_any_case(name, "gzip") || base::equals_any_case(name, "x-gzip");
    const bool deflate = base::equals_any_case(name, "deflate"), brotli = base::equals_any_case(name, "br");
    if (!gzip && !deflate && !brotli) {
      const bool packed = base::equals_any_case(name, "zstd") || base::equals_any_case(name, "compress") ||
                          base::equals_any_case(name, "x-compress");
      if (packed) out.readable = false;
      continue;  // "identity", or something that never was an encoding
    }
    if (++done > kMostEncodings) {
      out.readable = false;
      return nullptr;
    }
    buffers_->next.clear();
    const auto undo = gzip ? undo_gzip : deflate ? undo_deflate : undo_brotli;
    const Undone undone = undo(out.body, most_bytes_, buffers_->next);
    if (undone == Undone::too_long) return limit_reason_.c_str();
    if (undone == Undone::not_at_all) continue;
    std::swap(buffers_->now, buffers_->next);
    out.body = buffers_->now;
  }
  return nullptr;
}

}  // namespace neardup::io
