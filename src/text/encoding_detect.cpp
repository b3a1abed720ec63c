#include <uchardet/uchardet.h>

#include <algorithm>
#include <bitset>
#include <cstddef>

#include "base/utf8.h"
#include "text/encoding.h"

namespace neardup::text {

namespace {

constexpr std::size_t kSampleBytes = std::size_t{64} << 10;

unsigned byte_at(std::string_view bytes, std::size_t at) { return static_cast<unsigned char>(bytes[at]); }

// What no text holds in an encoding of single bytes, though UTF-16 and UTF-32 are full of it.
bool is_control(unsigned byte) {
  constexpr unsigned kEscape = 0x1B, kDosEnd = 0x1A;
  return byte < 0x20 && (byte < '\t' || byte > '\r') && byte != kEscape && byte != kDosEnd;
}

bool looks_like_utf32(std::string_view bytes, std::size_t high) {
  if (bytes.size() < 8) return false;
  const std::size_t second = high == 0 ? 1 : 2;
  for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    if (byte_at(bytes, at + high) != 0 || byte_at(bytes, at + second) > 0x10) return false;
  }
  return true;
}

bool has_lone_surrogate(std::string_view bytes, std::size_t high) {
  for (std::size_t at = 0; at + 2 <= bytes.size(); at += 2) {
    const unsigned first = byte_at(bytes, at + high) & 0xFC;
    if (first == 0xDC) return true;
    if (first != 0xD8) continue;
    at += 2;
    if (at + 2 <= bytes.size() && (byte_at(bytes, at + high) & 0xFC) != 0xDC) return true;
  }
  return false;
}

// The high bytes of UTF-16 name a few blocks of Unicode, the low bytes are anything: the column with fewer values is
// the high one.
const Encoding* wide(std::string_view bytes) {
  const auto controls =
      std::count_if(bytes.begin(), bytes.end(), [](char c) { return is_control(static_cast<unsigned char>(c)); });
  if (controls == 0 || static_cast<std::size_t>(controls) * 50 < bytes.size()) return nullptr;
  if (looks_like_utf32(bytes, 3)) return encoding_named("utf-32le");
  if (looks_like_utf32(bytes, 0)) return encoding_named("utf-32be");
  std::bitset<256> seen[2];
  for (std::size_t at = 0; at < bytes.size(); ++at) seen[at % 2].set(byte_at(bytes, at));
  const std::size_t high = seen[0].count() < seen[1].count() ? 0 : 1;
  if (seen[high].count() * 10 > seen[1 - high].count() * 9 || has_lone_surrogate(bytes, high)) return nullptr;
  return encoding_named(high == 0 ? "utf-16be" : "utf-16le");
}

// UTF-8 that was cut or damaged: what other encodings mean is rarely well-formed by chance.
bool is_mostly_utf8(std::string_view bytes) {
  std::size_t good = 0, bad = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    if (byte_at(bytes, at) < 0x80) {
      ++at;
      continue;
    }
    const base::Utf8Step step = base::utf8_step(bytes.substr(at));
    ++(step.valid ? good : bad);
    at += step.size;
  }
  return good > 3 * bad;
}

// KOI8-U puts four Ukrainian letters, small and capital, where KOI8-R draws boxes. A letter touches a letter.
bool has_ukrainian_koi8(std::string_view bytes) {
  constexpr std::string_view kLetters = "\xA4\xA6\xA7\xAD\xB4\xB6\xB7\xBD";
  for (std::size_t at = 0; (at = bytes.find_first_of(kLetters, at)) != std::string_view::npos; ++at) {
    if ((at > 0 && byte_at(bytes, at - 1) >= 0xC0) || (at + 1 < bytes.size() && byte_at(bytes, at + 1) >= 0xC0)) {
      return true;
    }
  }
  return false;
}

// The accented letters of Italian are few, and all of them are letters of some rarer alphabet too.
bool could_be_italian(std::string_view bytes) {
  constexpr std::string_view kLetters = "\xC0\xC8\xC9\xCC\xD2\xD9\xE0\xE8\xE9\xEC\xF2\xF9";
  return std::none_of(bytes.begin(), bytes.end(), [&](char c) {
    return static_cast<unsigned char>(c) >= 0xC0 && kLetters.find(c) == std::string_view::npos;
  });
}

struct Detector {
  Detector() : handle(uchardet_new()) {}
  ~Detector() { uchardet_delete(handle); }
  Detector(const Detector&) = delete;
  Detector& operator=(const Detector&) = delete;
  uchardet_t handle;
};

const Encoding* by_statistics(std::string_view bytes) {
  const Detector detector;
  if (uchardet_handle_data(detector.handle, bytes.data(), bytes.size()) != 0) return nullptr;
  uchardet_data_end(detector.handle);
  const std::string_view name = uchardet_get_charset(detector.handle);
  const bool is_rare = name == "ISO-8859-3" || name == "ISO-8859-4" || name == "ISO-8859-10" || name == "ISO-8859-13";
  if (is_rare && could_be_italian(bytes)) return encoding_named("windows-1252");
  // The same letters; these three bytes are quotation marks in the one and nothing in the other.
  if (name == "ISO-8859-13" && bytes.find_first_of("\xA1\xA5\xFF") == bytes.npos) return encoding_named("windows-1257");
  if (name == "MAC-CENTRALEUROPE") return encoding_named("windows-1250");
  if (name == "MAC-CYRILLIC") return encoding_named("x-mac-cyrillic");
  if (name == "UHC") return encoding_named("euc-kr");
  if (name == "KOI8-R" && has_ukrainian_koi8(bytes)) return encoding_named("koi8-u");
  if (name == "UTF-8") return nullptr;  // on slight evidence, against is_mostly_utf8
  return encoding_named(name);
}

}  // namespace

const Encoding& detect(std::string_view bytes) {
  bytes = bytes.substr(0, kSampleBytes);
  if (const Encoding* encoding = wide(bytes)) return *encoding;
  if (is_mostly_utf8(bytes)) return utf8();
  const Encoding* encoding = by_statistics(bytes);
  return encoding != nullptr ? *encoding : *encoding_named("windows-1252");
}

}  // namespace neardup::text
