#include "io/codecs/codecs.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "neardup/collection.h"

namespace neardup::io {
namespace {

class PlainSource final : public ByteSource {
 public:
  explicit PlainSource(std::unique_ptr<InputFile> file) : file_(std::move(file)) {}
  std::size_t read(std::span<char> buffer) override {
    const std::size_t got = file_->read(buffer);
    consumed_ += got;
    return got;
  }

 private:
  std::unique_ptr<InputFile> file_;
};

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1F\x8B\x08"); }

// A frame of data, or a skippable one, which may come first.
bool is_zstd(std::string_view bytes) {
  if (bytes.starts_with("\x28\xB5\x2F\xFD")) return true;
  return bytes.size() >= 4 && (static_cast<unsigned char>(bytes[0]) & 0xF0) == 0x50 &&
         bytes.substr(1, 3) == "\x2A\x4D\x18";
}

// The level, then the number pi, which begins a block, or the square root of it, which ends a stream.
bool is_bzip2(std::string_view bytes) {
  if (bytes.size() < kMagicBytes || !bytes.starts_with("BZh") || bytes[3] < '1' || bytes[3] > '9') return false;
  return bytes.substr(4, 3) == "\x31\x41\x59" || bytes.substr(4, 3) == "\x17\x72\x45";
}

bool is_xz(std::string_view bytes) {
  return bytes.starts_with(
      std::string_view("\xFD"
                       "7zXZ\0",
                       6));
}

bool is_lz4(std::string_view bytes) { return bytes.starts_with("\x04\x22\x4D\x18"); }

// To add a codec, add a row here and its decoder and encoder in a file of their own.
constexpr std::array kCodecs{
    Codec{"plain", "", [](std::string_view) { return false; },
          [](std::unique_ptr<InputFile> file) -> std::unique_ptr<ByteSource> {
            return std::make_unique<PlainSource>(std::move(file));
          },
          [](std::unique_ptr<ByteSink> sink) { return sink; }},
    Codec{"gz", ".gz", is_gzip, gzip_decoder, gzip_encoder},
    Codec{"zst", ".zst", is_zstd, zstd_decoder, zstd_encoder},
    Codec{"bz2", ".bz2", is_bzip2, bzip2_decoder, bzip2_encoder},
    Codec{"xz", ".xz", is_xz, xz_decoder, xz_encoder},
    Codec{"lz4", ".lz4", is_lz4, lz4_decoder, lz4_encoder},
};

}  // namespace

const Codec& plain_codec() { return kCodecs[0]; }

bool ends_in(std::string_view name, std::string_view extension) {
  if (name.size() < extension.size()) return false;
  name.remove_prefix(name.size() - extension.size());
  return std::equal(name.begin(), name.end(), extension.begin(), [](char given, char small) {
    return (given >= 'A' && given <= 'Z' ? static_cast<char>(given - 'A' + 'a') : given) == small;
  });
}

const Codec& codec_of_name(std::string_view file_name) {
  for (const Codec& codec : kCodecs) {
    if (!codec.extension.empty() && ends_in(file_name, codec.extension)) return codec;
  }
  return plain_codec();
}

const Codec& sniff_codec(std::string_view first_bytes, std::string_view file_name) {
  for (const Codec& codec : kCodecs) {
    if (codec.has_magic(first_bytes)) return codec;
  }
  return first_bytes.empty() || first_bytes.size() >= kMagicBytes ? plain_codec() : codec_of_name(file_name);
}

}  // namespace neardup::io

namespace neardup {

std::vector<std::string> codec_names() {
  std::vector<std::string> names;
  for (const io::Codec& codec : io::kCodecs) names.emplace_back(codec.name);
  return names;
}

}  // namespace neardup
