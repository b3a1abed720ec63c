// Which compressions are read and written? The table of codecs is in codecs.cpp; each codec has a file of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "io/output.h"
#include "neardup/files.h"

namespace neardup::io {

// A stream of decoded bytes with bounded buffers, whatever the stream expands to. Not thread-safe.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Up to `buffer.size()` bytes; 0 means the end, which is the true end only when problem() is empty.
  virtual std::size_t read(std::span<char> buffer) = 0;
  [[nodiscard]] std::uint64_t consumed() const { return consumed_; }  // bytes of the file read so far
  // Why the data ended early: cut off, damaged or followed by something foreign.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 protected:
  std::uint64_t consumed_ = 0;
  std::string problem_;
};

struct Codec {
  std::string_view name;
  std::string_view extension;  // empty for plain
  bool (*has_magic)(std::string_view first_bytes);
  std::unique_ptr<ByteSource> (*decoder)(std::unique_ptr<InputFile>);
  std::unique_ptr<ByteSink> (*encoder)(std::unique_ptr<ByteSink>);
};

const Codec& plain_codec();
// By content; the name decides only for a file too short to show its magic number.
const Codec& sniff_codec(std::string_view first_bytes, std::string_view file_name);
// Whether `name` ends in `extension`, which is in small letters, whatever the case of the name's.
bool ends_in(std::string_view name, std::string_view extension);
// The codec whose extension ends `file_name`; plain when none does.
const Codec& codec_of_name(std::string_view file_name);

inline constexpr std::size_t kCodecBuffer = 256u << 10;
inline constexpr std::size_t kMagicBytes = 7;  // enough to recognise any codec

std::unique_ptr<ByteSource> gzip_decoder(std::unique_ptr<InputFile>);
std::unique_ptr<ByteSink> gzip_encoder(std::unique_ptr<ByteSink>);
std::unique_ptr<ByteSource> zstd_decoder(std::unique_ptr<InputFile>);
std::unique_ptr<ByteSink> zstd_encoder(std::unique_ptr<ByteSink>);
std::unique_ptr<ByteSource> bzip2_decoder(std::unique_ptr<InputFile>);
std::unique_ptr<ByteSink> bzip2_encoder(std::unique_ptr<ByteSink>);
std::unique_ptr<ByteSource> xz_decoder(std::unique_ptr<InputFile>);
std::unique_ptr<ByteSink> xz_encoder(std::unique_ptr<ByteSink>);
std::unique_ptr<ByteSource> lz4_decoder(std::unique_ptr<InputFile>);
std::unique_ptr<ByteSink> lz4_encoder(std::unique_ptr<ByteSink>);

}  // namespace neardup::io
