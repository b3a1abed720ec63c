#include "report/record_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/utf8.h"
#include "io/collection.h"
#include "io/formats/csv.h"
#include "io/formats/formats.h"
#include "io/read_options.h"
#include "text/encoding.h"

namespace neardup::report {
namespace {

using Framing = io::Format::Framing;

// Walks through JSON that is known to be valid.
class JsonWalk {
 public:
  JsonWalk(std::string_view json, const std::vector<std::string>& fields)
      : json_(json), fields_(fields), found_(fields.size()) {}

  struct Strings {
    bool literal = false;
    std::vector<std::pair<std::size_t, std::size_t>> parts{};  // without their quotes
  };

  // By field: the strings that its text is made of. Of repeated keys the last one counts.
  std::vector<Strings> find() {
    at_ = json_.find('{');
    if (at_ != std::string_view::npos) object("", 0);
    return std::move(found_);
  }

 private:
  void space() {
    while (at_ < json_.size() && (json_[at_] == ' ' || json_[at_] == '\t' || json_[at_] == '\n' || json_[at_] == '\r'))
      ++at_;
  }
  [[nodiscard]] bool is(char c) const { return at_ < json_.size() && json_[at_] == c; }

  std::pair<std::size_t, std::size_t> string() {
    const std::size_t begin = ++at_;
    while (at_ < json_.size() && json_[at_] != '"') at_ += json_[at_] == '\\' ? 2 : 1;
    const std::size_t end = std::min(at_, json_.size());
    at_ = end + 1;
    return {begin, end};
  }

  // `prefix` is the path so far with a dot at its end.
  void object(const std::string& prefix, int depth) {
    ++at_;
    for (;;) {
      space();
      if (!is('"')) break;
      const auto [begin, end] = string();
      const std::string key = prefix + unescaped(json_.substr(begin, end - begin));
      space();
      ++at_;  // the colon
      space();
      value(key, depth);
      space();
      if (!is(',')) break;
      ++at_;
    }
    ++at_;
  }

  void value(const std::string& key, int depth) {
    Strings* strings = nullptr;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      if (fields_[i] != key) continue;
      const bool literal = depth == 0;
      if (found_[i].literal && !literal) continue;
      found_[i] = {.literal = literal};
      strings = &found_[i];
    }
    // A nested object that comes again hides what an earlier one said.
    for (std::size_t i = 0; i < fields_.size(); ++i)
      if (!found_[i].literal && fields_[i].starts_with(key + ".")) found_[i].parts.clear();
    if (is('"')) {
      const auto part = string();
      if (strings != nullptr) strings->parts.push_back(part);
    } else if (is('{')) {
      if (std::ranges::any_of(fields_, [&](const std::string& field) { return field.starts_with(key + "."); })) {
        object(key + ".", depth + 1);
      } else {
        skip();
      }
    } else if (is('[') && strings != nullptr) {
      parts(*strings);
    } else {
      skip();
    }
  }

  // An array of strings and messages: as the parser joins them.
  void parts(Strings& out) {
    ++at_;
    for (space(); !is(']') && at_ < json_.size(); space()) {
      if (is('"')) {
        out.parts.push_back(string());
      } else if (is('{')) {
        message(out);
      } else {
        skip();
      }
      space();
      if (is(',')) ++at_;
    }
    ++at_;
  }

  void message(Strings& out) {
    ++at_;
    for (space(); is('"'); space()) {
      const auto [begin, end] = string();
      const std::string key = unescaped(json_.substr(begin, end - begin));
      space();
      ++at_;
      space();
      const bool is_said = key == "content" || key == "text";
      if (is_said && is('"')) {
        out.parts.push_back(string());
      } else if (is_said && is('[')) {
        parts(out);
      } else {
        skip();
      }
      space();
      if (is(',')) ++at_;
    }
    ++at_;
  }

  // Any value.
  void skip() {
    int depth = 0;
    for (; at_ < json_.size();) {
      const char c = json_[at_];
      if (c == '"') {
        string();
      } else if (c == '{' || c == '[') {
        ++depth;
        ++at_;
      } else if (c == '}' || c == ']') {
        if (depth == 0) return;
        --depth;
        ++at_;
      } else if (c == ',' && depth == 0) {
        return;
      } else {
        ++at_;
      }
      if (depth == 0 && (c == '"' || c == '}' || c == ']')) return;
    }
  }

  static std::string unescaped(std::string_view name);

  std::string_view json_;
  const std::vector<std::string>& fields_;
  std::vector<Strings> found_;
  std::size_t at_ = 0;
};

unsigned hex4(std::string_view digits) {
  unsigned code = 0;
  for (const char c : digits.substr(0, 4)) code = code * 16 + static_cast<unsigned>(std::max(0, base::hex_value(c)));
  return code;
}

struct Step {
  std::size_t raw, text;  // bytes of both sides
  char32_t code = 0;      // of an escape
};

Step json_escape(std::string_view raw) {
  if (raw.size() < 2 || raw[1] != 'u') {
    const char c = raw.size() < 2 ? '\\' : raw[1];
    const char32_t code = c == 'n'   ? '\n'
                          : c == 't' ? '\t'
                          : c == 'r' ? '\r'
                          : c == 'b' ? '\b'
                          : c == 'f' ? '\f'
                                     : static_cast<char32_t>(c);
    return {std::min<std::size_t>(2, raw.size()), 1, code};
  }
  const unsigned code = hex4(raw.substr(2));
  const bool high = code >= 0xD800 && code < 0xDC00, low = code >= 0xDC00 && code < 0xE000;
  if (high && raw.size() >= 12 && raw.substr(6, 2) == "\\u") {
    const unsigned second = hex4(raw.substr(8));
    if (second >= 0xDC00 && second < 0xE000) return {12, 4, 0x10000 + ((code - 0xD800) << 10) + (second - 0xDC00)};
  }
  if (high || low) return {6, 3, base::kReplacement};
  return {6, code < 0x80 ? 1u : code < 0x800 ? 2u : 3u, code};
}

std::string JsonWalk::unescaped(std::string_view name) {
  if (name.find('\\') == std::string_view::npos) return std::string(name);
  std::string out;
  while (!name.empty()) {
    if (name[0] != '\\') {
      out += name[0];
      name.remove_prefix(1);
      continue;
    }
    const Step step = json_escape(name);
    char bytes[4];
    out.append(bytes, base::encode(step.code, bytes));
    name.remove_prefix(step.raw);
  }
  return out;
}

}  // namespace

bool is_cut_in_place(const io::Source& source) {
  const io::Format& format = *source.format;
  if (source.encoding != nullptr && source.encoding != &text::utf8()) return false;
  if (format.framing == Framing::json_lines || format.framing == Framing::json_array ||
      format.framing == Framing::delimited)
    return true;
  return format.name == "text" || format.name == "lines";
}

bool RecordText::find_json_slots(std::string_view record) {
  const std::vector<std::string> fields = io::text_fields(options_);
  for (const JsonWalk::Strings& strings : JsonWalk(record, fields).find()) {
    if (strings.parts.empty()) slots_.push_back({0, 0});
    for (const auto& [begin, end] : strings.parts) slots_.push_back({begin, end});
  }
  return true;
}

bool RecordText::find_csv_slots(const io::RecordBatch& batch, std::string_view row) {
  const io::CsvHeader& header = io::csv_header(batch);
  quote_ = header.dialect.quote;
  std::vector<Slot> columns;
  for (std::size_t at = 0;;) {
    if (quote_ != '\0' && at < row.size() && row[at] == quote_) {
      std::size_t end = at + 1;
      while (end < row.size() && (row[end] != quote_ || (end + 1 < row.size() && row[end + 1] == quote_)))
        end += row[end] == quote_ ? 2 : 1;
      columns.push_back({at + 1, end});
      at = std::min(end + 1, row.size());
    } else {
      const std::size_t end = std::min(row.find(header.dialect.separator, at), row.size());
      columns.push_back({at, end});
      at = end;
    }
    if (at >= row.size()) break;
    ++at;
  }
  for (const std::string& field : io::text_fields(options_)) {
    const auto found = std::ranges::find(header.names, field);
    const auto column = static_cast<std::size_t>(found - header.names.begin());
    if (column >= columns.size()) return false;
    slots_.push_back(columns[column]);
  }
  return true;
}

bool RecordText::find_slots(const io::RecordBatch& batch, std::size_t place, Coding& coding) {
  const io::Format& format = *batch.source->format;
  const std::string_view raw = batch.raw(place);
  slots_.clear();
  coding = Coding::plain;
  if (format.framing == Framing::json_lines || format.framing == Framing::json_array) {
    coding = Coding::json;
    return find_json_slots(raw);
  }
  if (format.framing == Framing::delimited) {
    coding = Coding::csv;
    return find_csv_slots(batch, raw);
  }
  const bool has_mark = format.whole_file && raw.starts_with(base::kUtf8Mark);
  slots_.push_back({has_mark ? base::kUtf8Mark.size() : 0, raw.size()});
  return true;
}

bool RecordText::find(const io::RecordBatch& batch, std::size_t place, std::string_view text,
                      std::span<const TextRange> ranges, std::vector<TextRange>& out,
                      std::vector<std::uint32_t>& range_of) {
  out.clear();
  range_of.clear();
  Coding coding{};
  if (options_.html == Html::all || options_.html == Html::main || !find_slots(batch, place, coding)) return false;
  const std::string_view raw = batch.raw(place);
  std::uint64_t at = 0;  // in the text
  std::size_t next = 0;  // range
  for (std::size_t number = 0; number < slots_.size(); ++number) {
    if (number != 0) {
      if (at >= text.size() || text[at] != '\n') return false;
      ++at;
    }
    const Slot slot = slots_[number];
    bool is_open = false;
    const auto border = [&](std::size_t here) {
      if (is_open && next < ranges.size() && at >= ranges[next].to) {
        out.back().to = here;
        is_open = false;
        ++next;
      }
      while (!is_open && next < ranges.size() && ranges[next].to <= at) ++next;
      if (!is_open && next < ranges.size() && at >= ranges[next].from) {
        out.push_back({here, here});
        range_of.push_back(static_cast<std::uint32_t>(next));
        is_open = true;
      }
    };
    for (std::size_t here = slot.begin; here < slot.end;) {
      border(here);
      const char c = raw[here];
      Step step{1, 1};
      if (coding == Coding::json && c == '\\') {
        step = json_escape(raw.substr(here, slot.end - here));
      } else if (coding == Coding::csv && c == quote_ && here + 1 < slot.end && raw[here + 1] == quote_ &&
                 slot.begin > 0 && raw[slot.begin - 1] == quote_) {
        step = {2, 1};
      } else if (!base::is_ascii(c)) {
        const base::Utf8Step found = base::utf8_step(raw.substr(here, slot.end - here));
        step = {found.size, found.valid ? found.size : base::kReplacementUtf8.size()};
      }
      if (step.raw == step.text && c != '\\' && (at >= text.size() || text[at] != c) && base::is_ascii(c)) return false;
      here += step.raw;
      at += step.text;
      if (at > text.size()) return false;
    }
    border(slot.end);
    if (is_open) out.back().to = slot.end;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i].from >= out[i].to) continue;
    range_of[kept] = range_of[i];
    out[kept++] = out[i];
  }
  out.resize(kept);
  range_of.resize(kept);
  return at == text.size();
}

std::string not_mapped_warning(std::uint64_t documents) {
  return fmt::format("{} left whole: the bytes of their records are not those of their text",
                     documents == 1 ? "1 document was" : fmt::format("{} documents were", documents));
}

}  // namespace neardup::report
