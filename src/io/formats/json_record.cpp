#include "io/formats/json_record.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/utf8.h"
#include "io/collection.h"
#include "io/formats/formats.h"
#include "io/formats/json_fields.h"
#include "io/formats/json_text.h"
#include "io/read_options.h"
#include "neardup/error.h"

namespace neardup::io {
namespace {

namespace ondemand = simdjson::ondemand;
using simdjson::error_code;

static_assert(kPadding >= simdjson::SIMDJSON_PADDING);

error_code check_value(ondemand::value&, int depth);

// Placeholder for a value that is neither string, object nor array.
std::string_view json_token(ondemand::value& value) {
  const std::string_view token = value.raw_json_token();
  return token.substr(0, token.find_last_not_of(" \t\n\r") + 1);
}

// Goes through the elements of an array that lies `depth` deep, or a value, to see whether all of it is valid.
error_code check_elements(ondemand::array& array, int depth) {
  for (auto result : array) {
    ondemand::value element;
    if (const auto error = std::move(result).get(element)) return error;
    if (const auto error = check_value(element, depth + 1)) return error;
  }
  return simdjson::SUCCESS;
}

error_code check_value(ondemand::value& value, int depth) {
  ondemand::json_type type{};
  if (const auto error = value.type().get(type)) return error;
  const bool is_nested = type == ondemand::json_type::object || type == ondemand::json_type::array;
  if (is_nested && depth > kMaxJsonDepth) return simdjson::DEPTH_ERROR;
  if (type == ondemand::json_type::array) {
    ondemand::array array;
    if (const auto error = value.get_array().get(array)) return error;
    return check_elements(array, depth);
  }
  if (type == ondemand::json_type::string) {
    std::string_view text;
    return value.get_string().get(text);
  }
  if (type != ondemand::json_type::object)
    return token_kind(json_token(value)) ? simdjson::SUCCESS : simdjson::TAPE_ERROR;
  ondemand::object object;
  if (const auto error = value.get_object().get(object)) return error;
  for (auto result : object) {
    ondemand::field field;
    if (const auto error = std::move(result).get(field)) return error;
    std::string_view key;
    if (const auto error = field.unescaped_key().get(key)) return error;
    ondemand::value below = field.value();
    if (const auto error = check_value(below, depth + 1)) return error;
  }
  return simdjson::SUCCESS;
}

// The parts of a text that is an array, joined with newlines. A part is a string, or a message: an object whose
// `content` (or `text`) is a string or again such an array. Null, and messages that say nothing, are not parts.
class TextParts {
 public:
  error_code join(ondemand::array&, int depth);
  [[nodiscard]] const std::string& text() const { return text_; }
  // False when there was something else than strings and messages in the array.
  [[nodiscard]] bool are_text() const { return are_text_; }

 private:
  error_code add_all(ondemand::array&, int depth);
  error_code add(ondemand::value&, int depth);
  error_code add_message(ondemand::object&, int depth);
  error_code add_content(ondemand::value&, int depth);

  std::string text_;
  bool has_part_ = false, are_text_ = false;
};

error_code TextParts::join(ondemand::array& array, int depth) {
  text_.clear();
  has_part_ = false;
  are_text_ = true;
  return add_all(array, depth);
}

error_code TextParts::add_all(ondemand::array& array, int depth) {
  for (auto result : array) {
    ondemand::value element;
    if (const auto error = std::move(result).get(element)) return error;
    if (const auto error = add(element, depth + 1)) return error;
  }
  return simdjson::SUCCESS;
}

error_code TextParts::add(ondemand::value& part, int depth) {
  ondemand::json_type type{};
  if (const auto error = part.type().get(type)) return error;
  if (type == ondemand::json_type::string) {
    std::string_view text;
    if (const auto error = part.get_string().get(text)) return error;
    if (std::exchange(has_part_, true)) text_ += '\n';
    text_ += text;
    return simdjson::SUCCESS;
  }
  if (type == ondemand::json_type::object && depth <= kMaxJsonDepth) {
    ondemand::object message;
    if (const auto error = part.get_object().get(message)) return error;
    return add_message(message, depth);
  }
  are_text_ = are_text_ && type == ondemand::json_type::null;
  return check_value(part, depth);
}

error_code TextParts::add_message(ondemand::object& message, int depth) {
  for (auto result : message) {
    ondemand::field field;
    if (const auto error = std::move(result).get(field)) return error;
    std::string_view key;
    if (const auto error = field.unescaped_key().get(key)) return error;
    const bool is_said = key == "content" || key == "text";
    ondemand::value value = field.value();
    if (const auto error = is_said ? add_content(value, depth + 1) : check_value(value, depth + 1)) return error;
  }
  return simdjson::SUCCESS;
}

// Something else than a string or an array, such as the null beside a call of a tool, is nothing said.
error_code TextParts::add_content(ondemand::value& value, int depth) {
  ondemand::json_type type{};
  if (const auto error = value.type().get(type)) return error;
  if (type == ondemand::json_type::string) return add(value, depth);
  if (type != ondemand::json_type::array || depth > kMaxJsonDepth) return check_value(value, depth);
  ondemand::array array;
  if (const auto error = value.get_array().get(array)) return error;
  return add_all(array, depth);
}

// One field that was requested, and what the record at hand has for it.
struct Wanted {
  std::string name;
  std::vector<std::string> path;  // `name` cut at its dots; one part: no dots
  JsonKind kind = JsonKind::missing;
  bool literal = false;      // found under its whole name, which goes before a nested one
  std::string_view value{};  // of strings, numbers and booleans
  // Of an array that is a text: its parts, joined with newlines.
  std::string joined{};
  bool parts_are_text = false;
};

using WantedBits = std::uint64_t;  // which of the wanted fields may lie below the current value
constexpr std::size_t kMaxWanted = 64;

class JsonParser final : public RecordParser {
 public:
  explicit JsonParser(const ReadOptions& options)
      : texts_(text_fields(options).size()),
        fields_(options.extra_fields.size()),
        texts_bits_(texts_.size() >= kMaxWanted ? ~WantedBits{0} : (WantedBits{1} << texts_.size()) - 1),
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
      if (!repair(raw)) return refuse(error, batch);
      error = read({repaired_json_.data(), repaired_json_.size() - kPadding});
      if (error != simdjson::SUCCESS) return refuse(error, batch);
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
    for (Wanted& wanted : wanted_) wanted.kind = JsonKind::missing, wanted.literal = false;
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
        wanted.kind = JsonKind::missing;  // of repeated keys the last one counts
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
        if (depth > kMaxJsonDepth) return simdjson::DEPTH_ERROR;
        ondemand::object object;
        if (const auto error = value.get_object().get(object)) return error;
        keep(here, JsonKind::object, {});
        return walk(object, depth, below);
      }
      case ondemand::json_type::array: {
        if (depth > kMaxJsonDepth) return simdjson::DEPTH_ERROR;
        ondemand::array array;
        if (const auto error = value.get_array().get(array)) return error;
        keep(here, JsonKind::array, {});
        return (here & texts_bits_) != 0 ? join(array, depth, here & texts_bits_) : check_elements(array, depth);
      }
      case ondemand::json_type::string: {
        std::string_view text;
        if (const auto error = value.get_string().get(text)) return error;
        keep(here, JsonKind::string, text);
        return simdjson::SUCCESS;
      }
      default: {
        const std::string_view token = json_token(value);
        const auto kind = token_kind(token);
        if (!kind) return simdjson::TAPE_ERROR;
        keep(here, *kind, *kind == JsonKind::null ? std::string_view() : token);
        return simdjson::SUCCESS;
      }
    }
  }

  // A text that is an array.
  error_code join(ondemand::array& array, int depth, WantedBits here) {
    if (const auto error = parts_.join(array, depth)) return error;
    for (; here != 0; here &= here - 1) {
      Wanted& wanted = wanted_[static_cast<unsigned>(__builtin_ctzll(here))];
      wanted.joined = parts_.text();
      wanted.parts_are_text = parts_.are_text();
    }
    return simdjson::SUCCESS;
  }

  void keep(WantedBits here, JsonKind kind, std::string_view value) {
    for (; here != 0; here &= here - 1) {
      Wanted& wanted = wanted_[static_cast<unsigned>(__builtin_ctzll(here))];
      wanted.kind = kind;
      wanted.value = value;
    }
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

  const char* refuse(error_code error, const RecordBatch& batch) {
    reason_ = unreadable_json({.json = json_,
                               .error = static_cast<int>(error),
                               .is_object = is_object_,
                               .is_line = batch.source->format->framing == Format::Framing::json_lines});
    return reason_.c_str();
  }

  // Strings stay where simdjson has put them, which lasts until the next record.
  const char* fill(DocumentView& out) {
    out = DocumentView::of_fields(texts_);
    out.fields = fields_;
    out.is_valid_utf8 = true;
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      const Wanted& text = wanted_[i];
      if (text.kind == JsonKind::array && text.parts_are_text) {
        texts_[i] = text.joined;
      } else if (text.kind == JsonKind::string) {
        texts_[i] = text.value;
      } else {
        return refuse_field(text, FieldUse::text);
      }
    }
    const Wanted& id = wanted_[texts_.size()];
    if (id.kind == JsonKind::string || id.kind == JsonKind::number) {
      out.key = id.value;
    } else if (id.kind != JsonKind::missing && id.kind != JsonKind::null) {
      return refuse_field(id, FieldUse::other);
    }
    if (out.key.empty() && id_required_) {
      if (id.kind != JsonKind::string) return refuse_field(id, FieldUse::other);
      reason_ = fmt::format("\"{}\" is empty", id.name);
      return reason_.c_str();
    }
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const Wanted& extra = wanted_[texts_.size() + 1 + i];
      const bool has_value =
          extra.kind == JsonKind::string || extra.kind == JsonKind::number || extra.kind == JsonKind::boolean;
      fields_[i] = has_value ? std::optional(extra.value) : std::nullopt;
    }
    return nullptr;
  }

  const char* refuse_field(const Wanted& wanted, FieldUse use) {
    const char* const expected = use == FieldUse::text ? "a string" : "a string or a number";
    reason_ = wanted.kind == JsonKind::missing ? missing_field(json_, wanted.name, use)
              : wanted.kind == JsonKind::array && use == FieldUse::text
                  ? fmt::format("\"{}\" is an array, but not of strings or messages", wanted.name)
                  : fmt::format("\"{}\" is {}, expected {}", wanted.name, with_article(wanted.kind), expected);
    return reason_.c_str();
  }

  std::vector<Wanted> wanted_;  // text fields, then the id, then extra fields
  std::vector<std::string_view> texts_;
  std::vector<std::optional<std::string_view>> fields_;
  WantedBits texts_bits_;  // which of the wanted fields are texts
  bool id_required_;
  TextParts parts_;
  ondemand::parser parser_;
  std::string_view json_;
  std::string repaired_json_, reason_;
  bool repaired_ = false, is_object_ = false;
};

}  // namespace

std::unique_ptr<RecordParser> make_json_parser(const ReadOptions& options) {
  return std::make_unique<JsonParser>(options);
}

}  // namespace neardup::io
