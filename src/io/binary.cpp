#include "io/binary.h"

#include <algorithm>
#include <array>

#include "text/encoding.h"

namespace neardup::io {
namespace {

using namespace std::string_view_literals;

struct Kind {
  std::string_view magic, name;
};

constexpr std::array kKinds{
    Kind{"PARE"sv, "an encrypted Parquet file"},
    Kind{"FEA1"sv, "a Feather file of version 1"},
    Kind{"Obj\x01"sv, "an Avro file"},
    Kind{"\x89HDF\r\n\x1A\n"sv, "an HDF5 file"},
    Kind{"%PDF-"sv, "a PDF file"},
    Kind{"\x89PNG\r\n\x1A\n"sv, "a PNG image"},
    Kind{"\xFF\xD8\xFF"sv, "a JPEG image"},
    Kind{"GIF87a"sv, "a GIF image"},
    Kind{"GIF89a"sv, "a GIF image"},
    Kind{"SQLite format 3\0"sv, "an SQLite database"},
    Kind{"\x7F"
         "ELF"sv,
         "a program (ELF)"},
    Kind{"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, "an old Office document"},
    Kind{"Rar!\x1A\x07"sv, "a RAR archive"},
};

}  // namespace

std::string_view known_binary(std::string_view first_bytes) {
  const auto* const kind =
      std::ranges::find_if(kKinds, [&](const Kind& known) { return first_bytes.starts_with(known.magic); });
  return kind == kKinds.end() ? std::string_view() : kind->name;
}

bool has_stray_nul(std::string_view first_bytes) {
  if (first_bytes.find('\0') == first_bytes.npos) return false;
  const text::Encoding& encoding = text::detect(first_bytes);
  if (!encoding.wide) return true;
  // Numbers in columns look like UTF-16 too, but what they say is not text.
  std::string decoded;
  text::StreamDecoder(encoding).append(decoded, first_bytes, false);
  return std::ranges::any_of(
      decoded, [](char c) { return static_cast<unsigned char>(c) < 0x20 && (c < '\t' || c > '\r') && c != '\x1B'; });
}

}  // namespace neardup::io
