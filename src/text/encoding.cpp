#include "text/encoding.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/ascii.h"

namespace neardup::text {

namespace {

using base::lower;

struct Entry {
  Encoding encoding;
  std::string_view labels;  // lower case, one space between
};

// The encodings of the web, then some it has dropped but old files have not. GBK is read as GB18030, of which it is a
// part, and x-user-defined as windows-1252. ISO-8859-16 is missing: ICU has no converter for it.
constexpr std::array kEncodings{
    Entry{{"UTF-8", "UTF-8"}, "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8"},
    Entry{{"IBM866", "IBM866"}, "866 cp866 csibm866 ibm866"},
    Entry{{"ISO-8859-2", "ISO-8859-2"},
          "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2"},
    Entry{{"ISO-8859-3", "ISO-8859-3"},
          "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3"},
    Entry{{"ISO-8859-4", "ISO-8859-4"},
          "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4"},
    Entry{{"ISO-8859-5", "ISO-8859-5"},
          "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988"},
    Entry{{"ISO-8859-6", "ISO-8859-6"},
          "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e iso-8859-6-i "
          "iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987"},
    Entry{{"ISO-8859-7", "ISO-8859-7"},
          "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 "
          "iso_8859-7:1987 sun_eu_greek"},
    Entry{{"ISO-8859-8", "ISO-8859-8"},
          "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 "
          "iso_8859-8:1988 visual"},
    Entry{{"ISO-8859-8-I", "ISO-8859-8"}, "csiso88598i iso-8859-8-i logical"},
    Entry{{"ISO-8859-10", "ISO-8859-10"}, "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6"},
    Entry{{"ISO-8859-13", "ISO-8859-13"}, "iso-8859-13 iso8859-13 iso885913"},
    Entry{{"ISO-8859-14", "ISO-8859-14"}, "iso-8859-14 iso8859-14 iso885914"},
    Entry{{"ISO-8859-15", "ISO-8859-15"}, "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9"},
    Entry{{"KOI8-R", "KOI8-R"}, "cskoi8r koi koi8 koi8-r koi8_r"},
    Entry{{"KOI8-U", "KOI8-U"}, "koi8-ru koi8-u"},
    Entry{{"macintosh", "macintosh"}, "csmacintosh mac macintosh x-mac-roman"},
    Entry{{"windows-874", "windows-874-2000"}, "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874"},
    Entry{{"windows-1250", "windows-1250"}, "cp1250 windows-1250 x-cp1250"},
    Entry{{"windows-1251", "windows-1251"}, "cp1251 windows-1251 x-cp1251"},
    Entry{{"windows-1252", "windows-1252"},
          "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 "
          "iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252 x-user-defined"},
    Entry{{"windows-1253", "windows-1253"}, "cp1253 windows-1253 x-cp1253"},
    Entry{{"windows-1254", "windows-1254"},
          "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 "
          "windows-1254 x-cp1254"},
    Entry{{"windows-1255", "windows-1255"}, "cp1255 windows-1255 x-cp1255"},
    Entry{{"windows-1256", "windows-1256"}, "cp1256 windows-1256 x-cp1256"},
    Entry{{"windows-1257", "windows-1257"}, "cp1257 windows-1257 x-cp1257"},
    Entry{{"windows-1258", "windows-1258"}, "cp1258 windows-1258 x-cp1258"},
    Entry{{"x-mac-cyrillic", "x-mac-cyrillic"}, "x-mac-cyrillic x-mac-ukrainian"},
    Entry{{"gb18030", "gb18030", false, true},
          "gb18030 chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk"},
    Entry{{"Big5", "Big5-HKSCS", false, true}, "big5 big5-hkscs cn-big5 csbig5 x-x-big5"},
    Entry{{"EUC-JP", "euc-jp-2007"}, "cseucpkdfmtjapanese euc-jp x-euc-jp"},
    Entry{{"ISO-2022-JP", "ISO-2022-JP", false, true}, "csiso2022jp iso-2022-jp"},
    Entry{{"Shift_JIS", "windows-31j", false, true},
          "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis"},
    Entry{{"EUC-KR", "windows-949"},
          "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949"},
    Entry{{"UTF-16BE", "UTF-16BE", true}, "unicodefffe utf-16be"},
    Entry{{"UTF-16LE", "UTF-16LE", true}, "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le"},
    Entry{{"UTF-32BE", "UTF-32BE", true}, "utf-32be"},
    Entry{{"UTF-32LE", "UTF-32LE", true}, "utf-32le utf-32"},
    Entry{{"ISO-2022-KR", "ISO-2022-KR", false, true}, "csiso2022kr iso-2022-kr"},
    Entry{{"ISO-2022-CN", "ISO-2022-CN", false, true}, "iso-2022-cn iso-2022-cn-ext"},
    Entry{{"IBM852", "IBM852"}, "852 cp852 ibm852"},
    Entry{{"HZ-GB-2312", "HZ-GB-2312", false, true}, "hz-gb-2312"},
};

using Label = std::pair<std::string_view, const Encoding*>;

std::vector<Label> sorted_labels() {
  std::vector<Label> labels;
  for (const Entry& entry : kEncodings) {
    for (std::string_view rest = entry.labels; !rest.empty();) {
      const std::size_t size = std::min(rest.find(' '), rest.size());
      labels.emplace_back(rest.substr(0, size), &entry.encoding);
      rest.remove_prefix(std::min(size + 1, rest.size()));
    }
  }
  std::sort(labels.begin(), labels.end());
  return labels;
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

// Declarations are at the top. Browsers look at 1024 bytes and then go on while the head lasts.
constexpr std::size_t kDeclarationBytes = 4096;

// Bytes that could be read as ASCII are not UTF-16, whatever they say.
const Encoding* readable(const Encoding* encoding) {
  return encoding != nullptr && encoding->wide ? &utf8() : encoding;
}

// The attributes of a tag, one by one, as the standard's prescan reads them: no references, no cap needed.
class Attributes {
 public:
  explicit Attributes(std::string_view rest) : rest_(rest) {}

  // False when there is no further attribute; then rest() starts at the `>` or is empty.
  bool next(std::string& name, std::string& value) {
    name.clear();
    value.clear();
    skip([](char c) { return is_space(c) || c == '/'; });
    if (rest_.empty() || rest_.front() == '>') return false;
    do {
      name += lower(take());
    } while (!rest_.empty() && !is_space(rest_.front()) && !ends_name(rest_.front()));
    skip(is_space);
    if (rest_.empty() || rest_.front() != '=') return true;
    take();
    skip(is_space);
    if (rest_.empty()) return true;
    if (const char quote = rest_.front(); quote == '"' || quote == '\'') {
      take();
      while (!rest_.empty() && rest_.front() != quote) value += lower(take());
      if (!rest_.empty()) take();
      return true;
    }
    while (!rest_.empty() && !is_space(rest_.front()) && rest_.front() != '>') value += lower(take());
    return true;
  }
  std::string_view rest() const { return rest_; }

 private:
  static bool ends_name(char c) { return c == '/' || c == '>' || c == '='; }
  char take() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }
  template <class Predicate>
  void skip(Predicate skipped) {
    while (!rest_.empty() && skipped(rest_.front())) rest_.remove_prefix(1);
  }

  std::string_view rest_;
};

// "text/html; charset=koi8-r" -> koi8-r
std::string_view charset_in(std::string_view content) {
  for (std::size_t at; (at = content.find("charset")) != std::string_view::npos;) {
    content.remove_prefix(at + 7);
    while (!content.empty() && is_space(content.front())) content.remove_prefix(1);
    if (content.empty() || content.front() != '=') continue;
    content.remove_prefix(1);
    while (!content.empty() && is_space(content.front())) content.remove_prefix(1);
    if (content.empty()) return {};
    if (const char quote = content.front(); quote == '"' || quote == '\'') {
      const std::size_t end = content.find(quote, 1);
      return end == std::string_view::npos ? std::string_view{} : content.substr(1, end - 1);
    }
    return content.substr(0, content.find_first_of(" \t\n\r\f;"));
  }
  return {};
}

const Encoding* declared_by_meta(Attributes& attributes) {
  std::string name, value;
  const Encoding* found = nullptr;
  bool is_pragma = false, needs_pragma = false;
  while (attributes.next(name, value)) {
    if (name == "http-equiv") {
      is_pragma |= value == "content-type";
    } else if (name == "content" && found == nullptr) {
      found = encoding_named(charset_in(value));
      needs_pragma = found != nullptr;
    } else if (name == "charset") {
      if (const Encoding* encoding = encoding_named(value)) {
        found = encoding;
        needs_pragma = false;
      }
    }
  }
  return needs_pragma && !is_pragma ? nullptr : readable(found);
}

}  // namespace

const Encoding& utf8() { return kEncodings.front().encoding; }

const Encoding* encoding_named(std::string_view label) {
  static const std::vector<Label> labels = sorted_labels();
  while (!label.empty() && is_space(label.front())) label.remove_prefix(1);
  while (!label.empty() && is_space(label.back())) label.remove_suffix(1);
  constexpr std::size_t kLongest = 32;
  if (label.size() > kLongest) return nullptr;
  char folded[kLongest];
  std::transform(label.begin(), label.end(), folded, lower);
  const std::string_view wanted{folded, label.size()};
  const auto found = std::lower_bound(labels.begin(), labels.end(), wanted,
                                      [](const Label& entry, std::string_view key) { return entry.first < key; });
  return found != labels.end() && found->first == wanted ? found->second : nullptr;
}

Mark byte_order_mark(std::string_view bytes) {
  using namespace std::string_view_literals;
  // UTF-32LE before UTF-16LE, whose mark begins it: a text does not start with NUL.
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kMarks{
      {{"\xEF\xBB\xBF"sv, "utf-8"},
       {"\xFF\xFE\0\0"sv, "utf-32le"},
       {"\0\0\xFE\xFF"sv, "utf-32be"},
       {"\xFF\xFE"sv, "utf-16le"},
       {"\xFE\xFF"sv, "utf-16be"},
       {"\x84\x31\x95\x33"sv, "gb18030"}}};
  for (const auto& [mark, label] : kMarks) {
    if (bytes.starts_with(mark)) return {encoding_named(label), mark.size()};
  }
  return {};
}

const Encoding* declared_in_xml(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("<\0?\0"sv)) return encoding_named("utf-16le");
  if (bytes.starts_with("\0<\0?"sv)) return encoding_named("utf-16be");
  if (!bytes.starts_with("<?xml"sv) || bytes.size() < 6 || !is_space(bytes[5])) return nullptr;
  bytes = bytes.substr(5, kDeclarationBytes);
  Attributes attributes{bytes.substr(0, bytes.find('>'))};
  std::string name, value;
  while (attributes.next(name, value)) {
    if (name == "encoding") return readable(encoding_named(value));
  }
  return nullptr;
}

const Encoding* declared_in_html(std::string_view bytes) {
  if (const Encoding* encoding = declared_in_xml(bytes)) return encoding;
  bytes = bytes.substr(0, kDeclarationBytes);
  for (std::size_t at; (at = bytes.find('<')) != std::string_view::npos;) {
    bytes.remove_prefix(at + 1);
    if (bytes.starts_with("!--")) {
      const std::size_t end = bytes.find("-->", 1);
      if (end == std::string_view::npos) return nullptr;
      bytes.remove_prefix(end + 3);
      continue;
    }
    const std::string_view name = bytes.substr(bytes.starts_with('/') ? 1 : 0);
    if (!name.empty() && lower(name.front()) >= 'a' && lower(name.front()) <= 'z') {
      const std::size_t end = std::min(name.find_first_of(" \t\n\r\f/>"), name.size());
      Attributes attributes{name.substr(end)};
      if (base::starts_with_any_case(bytes, "meta") && end == 4) {
        if (const Encoding* encoding = declared_by_meta(attributes)) return encoding;
      }
      for (std::string key, value; attributes.next(key, value);) continue;
      bytes = attributes.rest();
    } else if (bytes.starts_with('!') || bytes.starts_with('/') || bytes.starts_with('?')) {
      const std::size_t end = bytes.find('>');
      if (end == std::string_view::npos) return nullptr;
      bytes.remove_prefix(end + 1);
    }
  }
  return nullptr;
}

}  // namespace neardup::text
