#include "io/formats/mail_parts.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "base/ascii.h"
#include "base/utf8.h"
#include "io/formats/page_text.h"
#include "text/encoding.h"

namespace neardup::io {
namespace {

constexpr int kDeepest = 8;
constexpr std::size_t kMostParts = 1000;
constexpr std::size_t kMostHeaders = 10'000;

// Takes the next line off `text`, without its end.
std::string_view take_line(std::string_view& text) {
  const std::size_t newline = text.find('\n');
  std::string_view line = text.substr(0, newline);
  text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string type_of(const MailEntity& entity) {
  const std::string_view given = entity.header("content-type");
  return given.empty() ? "text/plain" : base::lowered(base::trimmed(given.substr(0, given.find(';'))));
}

std::string decoded_body(const MailEntity& entity) {
  const std::string encoding = base::lowered(base::trimmed(entity.header("content-transfer-encoding")));
  if (encoding == "base64") return decode_base64(entity.body);
  if (encoding == "quoted-printable") return decode_quoted_printable(entity.body);
  return std::string(entity.body);
}

// The parts between lines of the boundary. What is before the first and behind the last is not a part.
std::vector<std::string_view> parts_between(std::string_view body, const std::string& boundary) {
  const std::string line_start = "--" + boundary;
  std::vector<std::string_view> parts;
  const char* begin = nullptr;  // of the part that is open
  for (std::string_view rest = body; !rest.empty() && parts.size() < kMostParts;) {
    const char* const line_begin = rest.data();
    const std::string_view line = take_line(rest);
    if (!line.starts_with(line_start)) continue;
    const std::string_view tail = base::trimmed(line.substr(line_start.size()));
    if (!tail.empty() && tail != "--") continue;
    if (begin != nullptr) parts.emplace_back(begin, static_cast<std::size_t>(line_begin - begin));
    begin = rest.data();
    if (tail == "--") return parts;
  }
  if (begin != nullptr) parts.emplace_back(begin, static_cast<std::size_t>(body.data() + body.size() - begin));
  return parts;
}

void collect(std::string_view message, int depth, std::vector<MailPart>& out) {
  if (depth > kDeepest || out.size() >= kMostParts) return;
  const MailEntity entity = parse_entity(message);
  const std::string type = type_of(entity);
  if (base::lowered(base::trimmed(entity.header("content-disposition"))).starts_with("attachment")) return;
  if (type == "message/rfc822") return collect(entity.body, depth + 1, out);
  if (type.starts_with("multipart/")) {
    const std::string boundary(header_parameter(entity.header("content-type"), "boundary"));
    if (!boundary.empty()) {
      std::vector<MailPart> found;
      for (const std::string_view part : parts_between(entity.body, boundary)) {
        std::vector<MailPart> texts;
        collect(part, depth + 1, texts);
        // The first alternative is the plainest.
        const bool is_another_way = type == "multipart/alternative" && !found.empty();
        if (!is_another_way) std::move(texts.begin(), texts.end(), std::back_inserter(found));
      }
      std::move(found.begin(), found.end(), std::back_inserter(out));
      return;
    }
  }
  const bool is_text = type.starts_with("text/") || type.starts_with("multipart/");
  if (!is_text) return;
  out.push_back(
      {std::string(type.starts_with("text/") ? entity.header("content-type") : "text/plain"), decoded_body(entity)});
  if (out.back().content_type.empty()) out.back().content_type = "text/plain";
}

}  // namespace

std::string_view MailEntity::header(std::string_view name) const {
  const auto found = std::ranges::find(headers, name, &MailHeader::name);
  return found == headers.end() ? std::string_view{} : std::string_view(found->value);
}

MailEntity parse_entity(std::string_view message) {
  MailEntity entity;
  std::string_view rest = message;
  while (!rest.empty()) {
    const std::string_view before = rest;
    const std::string_view line = take_line(rest);
    if (line.empty()) break;
    const bool continues = line.front() == ' ' || line.front() == '\t';
    if (continues && !entity.headers.empty()) {
      entity.headers.back().value += ' ';
      entity.headers.back().value += base::trimmed(line);
      continue;
    }
    const std::size_t colon = line.find(':');
    const bool is_header = colon != std::string_view::npos && colon != 0 &&
                           line.substr(0, colon).find_first_of(" \t") == std::string_view::npos;
    if (!is_header) {
      // The line that separates messages in an mbox may be first; anything else begins the body.
      if (entity.headers.empty() && (line.starts_with("From ") || line.starts_with(">From "))) continue;
      rest = before;
      break;
    }
    if (entity.headers.size() < kMostHeaders) {
      entity.headers.push_back(
          {base::lowered(line.substr(0, colon)), std::string(base::trimmed(line.substr(colon + 1)))});
    }
  }
  entity.body = rest;
  return entity;
}

std::vector<MailPart> text_parts(std::string_view message) {
  std::vector<MailPart> parts;
  collect(message, 0, parts);
  return parts;
}

std::string decode_base64(std::string_view text) {
  static constexpr auto kValues = [] {
    std::array<std::int8_t, 256> values{};
    values.fill(-1);
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 0; i < kDigits.size(); ++i) {
      values[static_cast<unsigned char>(kDigits[i])] = static_cast<std::int8_t>(i);
    }
    return values;
  }();
  std::string out;
  out.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    const int value = kValues[static_cast<unsigned char>(c)];
    if (value < 0) continue;  // line ends, and what should not be there
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    if ((count += 6) < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 0xFF);
  }
  return out;
}

std::string decode_quoted_printable(std::string_view text, Underscores underscores) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '_' && underscores == Underscores::are_spaces) {
      out += ' ';
    } else if (c != '=') {
      out += c;
    } else if (text.substr(i + 1, 1) == "\n") {
      i += 1;  // a line that goes on
    } else if (text.substr(i + 1, 2) == "\r\n") {
      i += 2;
    } else if (i + 2 < text.size() && base::hex_value(text[i + 1]) >= 0 && base::hex_value(text[i + 2]) >= 0) {
      out += static_cast<char>(base::hex_value(text[i + 1]) * 16 + base::hex_value(text[i + 2]));
      i += 2;
    } else {
      out += c;
    }
  }
  return out;
}

std::string decode_words(std::string_view text) {
  std::string out;
  text::Decoder decoder;
  bool after_word = false;
  while (!text.empty()) {
    const std::size_t start = text.find("=?");
    const std::string_view before = text.substr(0, start);
    // White space between two encoded words only separates them.
    if (!(after_word && start != std::string_view::npos && base::trimmed(before).empty()))
      base::append_repaired_utf8(out, before);
    if (start == std::string_view::npos) break;
    text.remove_prefix(start);
    const std::size_t charset_end = text.find('?', 2);
    const std::size_t kind_end = charset_end == std::string_view::npos ? charset_end : text.find('?', charset_end + 1);
    const std::size_t end = kind_end == std::string_view::npos ? kind_end : text.find("?=", kind_end + 1);
    const text::Encoding* encoding = nullptr;
    if (end != std::string_view::npos && kind_end == charset_end + 2) {
      const std::string_view charset = text.substr(2, charset_end - 2);
      encoding = text::encoding_named(charset.substr(0, charset.find('*')));  // a language may follow
    }
    after_word = encoding != nullptr;
    if (!after_word) {
      out += "=?";
      text.remove_prefix(2);
      continue;
    }
    const std::string_view coded = text.substr(kind_end + 1, end - kind_end - 1);
    const bool is_base64 = base::lower(text[charset_end + 1]) == 'b';
    decoder.append(out, is_base64 ? decode_base64(coded) : decode_quoted_printable(coded, Underscores::are_spaces),
                   *encoding);
    text.remove_prefix(end + 2);
  }
  return out;
}

}  // namespace neardup::io
