#include "io/formats/json_record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "base/ascii.h"
#include "base/choices.h"
#include "base/utf8.h"
#include "io/read_options.h"
#include "neardup/error.h"

namespace neardup::io {
namespace {

namespace ondemand = simdjson::ondemand;
using simdjson::error_code;

static_assert(kPadding >= simdjson::SIMDJSON_PADDING);

constexpr int kMaxDepth = 500;  // bounds the stack; simdjson's own limit is 1024
constexpr std::string_view kSpace = " \t\n\r";

std::string_view trimmed(std::string_view token) { return token.substr(0, token.find_last_not_of(kSpace) + 1); }

bool is_json_number(std::string_view token) {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t start = i;
    while (i < token.size() && token[i] >= '0' && token[i] <= '9') ++i;
    return i - start;
  };
  if (i < token.size() && token[i] == '-') ++i;
  const bool zero = i < token.size() && token[i] == '0';
  const std::size_t whole = digits();
  if (whole == 0 || (zero && whole > 1)) return false;
  if (i < token.size() && token[i] == '.') {
    ++i;
    if (digits() == 0) return false;
  }
  if (i < token.size() && (token[i] == 'e' || token[i] == 'E')) {
    ++i;
    if (i < token.size() && (token[i] == '+' || token[i] == '-')) ++i;
    if (digits() == 0) return false;
  }
  return i == token.size();
}

int hex_number(std::string_view digits) {
  int value = 0;
  for (const char c : digits) {
    const int digit = base::hex_value(c);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

// The code unit of a \uXXXX escape that starts at `text[at]`; -1 when there is none.
int escaped_unit(std::string_view text, std::size_t at) {
  if (text.size() - at < 6 || text[at] != '\\' || text[at + 1] != 'u') return -1;
  return hex_number(text.substr(at + 2, 4));
}

// Half of a surrogate pair without the other has no meaning; \ufffd takes its place. True when there was one.
bool replace_lone_surrogates(std::string& json) {
  const auto is_high = [](int unit) { return unit >= 0xD800 && unit <= 0xDBFF; };
  const auto is_low = [](int unit) { return unit >= 0xDC00 && unit <= 0xDFFF; };
  bool replaced = false;
  for (std::size_t i = json.find('\\'); i != std::string::npos; i = json.find('\\', i)) {
    const int unit = escaped_unit(json, i);
    if (is_high(unit) && i + 6 < json.size() && is_low(escaped_unit(json, i + 6))) {
      i += 12;
    } else if (is_high(unit) || is_low(unit)) {
      json.replace(i + 2, 4, "fffd");
      replaced = true;
      i += 6;
    } else {
      i += 2;
    }
  }
  return replaced;
}

enum class Kind { missing, string, number, boolean, null, object, array };

const char* with_article(Kind kind) {
  switch (kind) {
    case Kind::string:
      return "a string";
    case Kind::number:
      return "a number";
    case Kind::boolean:
      return "a boolean";
    case Kind::null:
      return "null";
    case Kind::object:
      return "an object";
    case Kind::array:
      return "an array";
    case Kind::missing:
      break;
  }
  return "missing";
}

// One field somebody asked for, and what the record at hand has for it.
struct Wanted {
  std::string name;
  std::vector<std::string> path;  // `name` cut at its dots; one part: no dots
  Kind kind = Kind::missing;
  bool literal = false;      // found under its whole name, which goes before a nested one
  std::string_view value{};  // of strings, numbers and booleans
};

using WantedBits = std::uint64_t;  // which of the wanted fields may lie below the current value
constexpr std::size_t kMaxWanted = 64;

class JsonParser final : public RecordParser {
 public:
  explicit JsonParser(const ReadOptions& options)
      : texts_(text_fields(options).size()),
        fields_(options.extra_fields.size()),
        id_required_(options.id_field.has_value()) {
    for (const std::string& name : text_fields(options)) want(name);
    want(id_field(options));
    for (const std::string& name : options.extra_fields) want(name);
    if (wanted_.size() > kMaxWanted) {
      throw Error(ErrorCode::usage,
                  fmt::format("{} fields are asked for (`text_fields`, `id_field`, `keep`); {} is the most",
                              wanted_.size(), kMaxWanted),
                  "text_fields");
    }
  }

  const char* parse(const RecordBatch& batch, std::size_t place, DocumentView& out) override {
    repaired_ = false;
    const std::string_view raw = batch.raw(place);
    error_code error = read(raw);
    if (error != simdjson::SUCCESS) {
      if (!repair(raw)) return refuse(error);
      error = read({repaired_json_.data(), repaired_json_.size() - kPadding});
      if (error != simdjson::SUCCESS) return refuse(error);
      repaired_ = true;
    }
    return fill(out);
  }

  [[nodiscard]] Decoding decoding() const noexcept override { return {.repaired = repaired_}; }

 private:
  void want(const std::string& name) {
    Wanted wanted{.name = name, .path = {}};
    for (std::size_t from = 0;;) {
      const std::size_t dot = name.find('.', from);
      wanted.path.push_back(name.substr(from, dot - from));
      if (dot == std::string::npos) break;
      from = dot + 1;
    }
    wanted_.push_back(std::move(wanted));
  }

  // `json` must be followed by kPadding readable bytes.
  error_code read(std::string_view json) {
    for (Wanted& wanted : wanted_) wanted.kind = Kind::missing, wanted.literal = false;
    too_deep_ = false;
    json_ = json;
    ondemand::document document;
    if (const auto error = parser_.iterate(json.data(), json.size(), json.size() + kPadding).get(document))
      return error;
    ondemand::json_type type{};
    if (const auto error = document.type().get(type)) return error;
    is_object_ = type == ondemand::json_type::object;
    if (!is_object_) return simdjson::INCORRECT_TYPE;
    ondemand::object object;
    if (const auto error = document.get_object().get(object)) return error;
    const WantedBits all = wanted_.size() == kMaxWanted ? ~WantedBits{0} : (WantedBits{1} << wanted_.size()) - 1;
    if (const auto error = walk(object, 0, all)) return error;
    const char* behind = nullptr;
    return document.current_location().get(behind) == simdjson::OUT_OF_BOUNDS ? simdjson::SUCCESS
                                                                              : simdjson::TRAILING_CONTENT;
  }

  error_code walk(ondemand::object& object, int depth, WantedBits below) {
    for (auto result : object) {
      ondemand::field field;
      if (const auto error = std::move(result).get(field)) return error;
      std::string_view key;
      if (const auto error = field.unescaped_key().get(key)) return error;
      ondemand::value value = field.value();
      if (const auto error = walk(value, depth, below, key)) return error;
    }
    return simdjson::SUCCESS;
  }

  // `key` names `value` in an object that lies `depth` deep; `below` are the fields whose path leads through that
  // object.
  error_code walk(ondemand::value& value, int depth, WantedBits below, std::string_view key) {
    WantedBits here = 0, deeper = 0;
    for (WantedBits rest = below; rest != 0; rest &= rest - 1) {
      const auto bit = static_cast<unsigned>(__builtin_ctzll(rest));
      Wanted& wanted = wanted_[bit];
      const auto level = static_cast<std::size_t>(depth);
      if (depth == 0 && key == wanted.name) {
        here |= WantedBits{1} << bit;
        wanted.literal = true;
      } else if (wanted.path.size() > 1 && !wanted.literal && key == wanted.path[level]) {
        const bool last = level + 1 == wanted.path.size();
        (last ? here : deeper) |= WantedBits{1} << bit;
        wanted.kind = Kind::missing;  // of repeated keys the last one counts
      }
    }
    return walk(value, depth + 1, deeper, here);
  }

  // `here` are the fields that this value is the value of.
  error_code walk(ondemand::value& value, int depth, WantedBits below, WantedBits here) {
    ondemand::json_type type{};
    if (const auto error = value.type().get(type)) return error;
    switch (type) {
      case ondemand::json_type::object: {
        if (depth > kMaxDepth) return fail_too_deep();
        ondemand::object object;
        if (const auto error = value.get_object().get(object)) return error;
        keep(here, Kind::object, {});
        return walk(object, depth, below);
      }
      case ondemand::json_type::array: {
        if (depth > kMaxDepth) return fail_too_deep();
        ondemand::array array;
        if (const auto error = value.get_array().get(array)) return error;
        keep(here, Kind::array, {});
        for (auto result : array) {
          ondemand::value element;
          if (const auto error = std::move(result).get(element)) return error;
          if (const auto error = walk(element, depth + 1, 0, WantedBits{0})) return error;
        }
        return simdjson::SUCCESS;
      }
      case ondemand::json_type::string: {
        std::string_view text;
        if (const auto error = value.get_string().get(text)) return error;
        keep(here, Kind::string, text);
        return simdjson::SUCCESS;
      }
      default:
        return walk_token(trimmed(value.raw_json_token()), here);
    }
  }

  error_code walk_token(std::string_view token, WantedBits here) {
    if (token == "null") {
      keep(here, Kind::null, {});
    } else if (token == "true" || token == "false") {
      keep(here, Kind::boolean, token);
    } else if (is_json_number(token)) {
      keep(here, Kind::number, token);
    } else {
      return simdjson::TAPE_ERROR;
    }
    return simdjson::SUCCESS;
  }

  void keep(WantedBits here, Kind kind, std::string_view value) {
    for (; here != 0; here &= here - 1) {
      Wanted& wanted = wanted_[static_cast<unsigned>(__builtin_ctzll(here))];
      wanted.kind = kind;
      wanted.value = value;
    }
  }

  error_code fail_too_deep() {
    too_deep_ = true;
    return simdjson::DEPTH_ERROR;
  }

  // Makes a copy without invalid UTF-8 and lone surrogates; false when there were none.
  bool repair(std::string_view raw) {
    repaired_json_.clear();
    base::append_repaired_utf8(repaired_json_, raw);
    const bool changed = repaired_json_ != raw;
    const bool surrogates = replace_lone_surrogates(repaired_json_);
    repaired_json_.append(kPadding, ' ');
    return changed || surrogates;
  }

  const char* refuse(error_code error) {
    if (too_deep_) {
      reason_ = fmt::format("JSON nested deeper than {} levels", kMaxDepth);
    } else if (error == simdjson::INCORRECT_TYPE && !is_object_) {
      reason_ = "not a JSON object";
    } else if (error == simdjson::UNESCAPED_CHARS) {
      reason_ = "not valid JSON: a control character stands unescaped in a string";
    } else if (error == simdjson::UNCLOSED_STRING) {
      reason_ = "not valid JSON: a string is not closed";
    } else if (error == simdjson::TRAILING_CONTENT) {
      reason_ = "not valid JSON: something follows the object";
    } else if (error == simdjson::STRING_ERROR) {
      reason_ = "not valid JSON: a string has an escape that does not exist";
    } else if (error == simdjson::INCOMPLETE_ARRAY_OR_OBJECT) {
      reason_ = "not valid JSON: the object is not closed, or something follows it";
    } else if (error == simdjson::EMPTY) {
      reason_ = "not valid JSON: the record is empty";
    } else if (error == simdjson::MEMALLOC || error == simdjson::CAPACITY) {
      reason_ = "the record is too large to be parsed";
    } else {
      reason_ = "not valid JSON: wrong or missing comma, colon, bracket or value";
    }
    return reason_.c_str();
  }

  // Strings stay where simdjson has put them, which lasts until the next record.
  const char* fill(DocumentView& out) {
    out = {};
    out.is_valid_utf8 = true;
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      const Wanted& text = wanted_[i];
      if (text.kind != Kind::string) return refuse_field(text, "a string");
      texts_[i] = text.value;
    }
    out.texts = texts_;
    const Wanted& id = wanted_[texts_.size()];
    if (id.kind == Kind::string || id.kind == Kind::number) {
      out.key = id.value;
    } else if (id.kind != Kind::missing && id.kind != Kind::null) {
      return refuse_field(id, "a string or a number");
    }
    if (out.key.empty() && id_required_) {
      if (id.kind != Kind::string) return refuse_field(id, "a string or a number");
      reason_ = fmt::format("\"{}\" is empty", id.name);
      return reason_.c_str();
    }
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const Wanted& extra = wanted_[texts_.size() + 1 + i];
      const bool has_value = extra.kind == Kind::string || extra.kind == Kind::number || extra.kind == Kind::boolean;
      fields_[i] = has_value ? std::optional(extra.value) : std::nullopt;
    }
    out.fields = fields_;
    return nullptr;
  }

  const char* refuse_field(const Wanted& wanted, std::string_view expected) {
    reason_ = wanted.kind == Kind::missing
                  ? fmt::format("no field \"{}\"; it has: {}", wanted.name, present_fields(wanted.name))
                  : fmt::format("\"{}\" is {}, expected {}", wanted.name, with_article(wanted.kind), expected);
    return reason_.c_str();
  }

  // The names of the record's fields, and perhaps which of them `missing` was meant to be. Only for messages, so the
  // record, known to be valid, is simply read once more.
  std::string present_fields(const std::string& missing) {
    constexpr std::size_t kShown = 12, kHeld = 200;
    std::vector<std::string> names;
    ondemand::document document;
    ondemand::object object;
    if (parser_.iterate(json_.data(), json_.size(), json_.size() + kPadding).get(document) != simdjson::SUCCESS ||
        document.get_object().get(object) != simdjson::SUCCESS) {
      return {};
    }
    for (auto field : object) {
      std::string_view key;
      if (names.size() == kHeld || field.unescaped_key().get(key) != simdjson::SUCCESS) break;
      base::append_repaired_utf8(names.emplace_back(), key.substr(0, 40));
    }
    if (names.empty()) return "nothing";
    const std::span shown(names.data(), std::min(names.size(), kShown));
    return fmt::format("{}{}{}", fmt::join(shown, ", "), names.size() > kShown ? ", ..." : "",
                       base::did_you_mean(missing, names));
  }

  std::vector<Wanted> wanted_;  // text fields, then the id, then extra fields
  std::vector<std::string_view> texts_;
  std::vector<std::optional<std::string_view>> fields_;
  bool id_required_;
  ondemand::parser parser_;
  std::string_view json_;
  std::string repaired_json_, reason_;
  bool repaired_ = false, too_deep_ = false, is_object_ = false;
};

}  // namespace

std::unique_ptr<RecordParser> make_json_parser(const ReadOptions& options) {
  return std::make_unique<JsonParser>(options);
}

std::size_t skip_json_space(std::string_view text, std::size_t from) { return text.find_first_not_of(kSpace, from); }

void append_json_on_one_line(std::string& out, const RecordBatch& batch, std::size_t place) {
  // Strings of a valid record hold no raw line breaks, so every one of them stands outside strings.
  const std::size_t start = out.size();
  out += batch.raw(place);
  const auto is_break = [](char c) { return c == '\n' || c == '\r'; };
  std::replace_if(out.begin() + static_cast<std::ptrdiff_t>(start), out.end(), is_break, ' ');
}

}  // namespace neardup::io
