#include "io/formats/json_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "base/ascii.h"
#include "base/choices.h"
#include "base/likely_text.h"
#include "base/utf8.h"
#include "io/record.h"

namespace neardup::io {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::size_t kShown = 12, kHeld = 200, kLongestName = 40;

struct Member {
  std::string name;
  std::size_t length = 0;  // of what may be text; 0: something else
};

// The members of an object, the first few hundred.
std::vector<Member> members_of(ondemand::object& object) {
  std::vector<Member> members;
  for (auto field : object) {
    std::string_view key;
    ondemand::value value;
    ondemand::json_type type{};
    if (members.size() == kHeld || field.unescaped_key().get(key) != simdjson::SUCCESS ||
        field.value().get(value) != simdjson::SUCCESS || value.type().get(type) != simdjson::SUCCESS) {
      break;
    }
    Member member;
    base::append_repaired_utf8(member.name, base::cut_to_code_point(key, kLongestName));
    std::string_view text;
    if (type == ondemand::json_type::array) member.length = 1;  // its name alone can tell
    if (type == ondemand::json_type::string && value.get_string().get(text) == simdjson::SUCCESS)
      member.length = std::max<std::size_t>(1, text.size());
    members.push_back(std::move(member));
  }
  return members;
}

// The member that most probably is the text: by its name, or else the longest one, if it can be a sentence.
std::optional<std::string> likely_text(const std::vector<Member>& members) {
  constexpr std::size_t kSentence = 20;
  const Member* best = nullptr;
  std::size_t best_rank = base::kNoTextName;
  for (const Member& member : members) {
    const std::size_t rank = base::text_name_rank(member.name);
    if (member.length == 0 || (rank == base::kNoTextName && member.length < kSentence)) continue;
    if (best == nullptr || rank < best_rank || (rank == best_rank && member.length > best->length)) {
      best = &member;
      best_rank = rank;
    }
  }
  return best == nullptr ? std::nullopt : std::optional(best->name);
}

// As far into the record as a dotted name leads: the object there, what leads to it, and what it lacks.
struct Descent {
  ondemand::object object;
  std::string way{};      // "content", or nothing at the top
  std::string missing{};  // "bdy"
  std::string blocked{};  // not empty: what leads further is there, but not an object
};

std::optional<Descent> descend(ondemand::document& document, const std::string& name) {
  Descent at;
  at.missing = name;
  if (document.get_object().get(at.object) != simdjson::SUCCESS) return std::nullopt;
  for (std::size_t dot = at.missing.find('.'); dot != std::string::npos; dot = at.missing.find('.')) {
    const std::string part = at.missing.substr(0, dot);
    ondemand::value value;
    if (at.object.find_field_unordered(part).get(value) != simdjson::SUCCESS) break;
    const std::string way = at.way.empty() ? part : fmt::format("{}.{}", at.way, part);
    ondemand::object below;
    if (value.get_object().get(below) != simdjson::SUCCESS) {
      at.blocked = way;
      return at;
    }
    at.object = below;
    at.way = way;
    at.missing.erase(0, dot + 1);
  }
  return at;
}

std::string listed(const std::vector<Member>& members) {
  if (members.empty()) return "nothing";
  std::vector<std::string_view> names;
  for (const Member& member : std::span(members).first(std::min(members.size(), kShown))) names.push_back(member.name);
  return fmt::format("{}{}", fmt::join(names, ", "), members.size() > kShown ? ", ..." : "");
}

}  // namespace

std::string unreadable_json(const JsonProblem& problem) {
  const std::string_view text = base::trimmed(problem.json);
  if (problem.is_line && (text.ends_with('{') || text.ends_with('[') || text.ends_with(','))) {
    return "not valid JSON: the object continues on the next line; JSONL needs one object per line, and a file that is "
           "one JSON object, not an array or JSONL, cannot be read (convert it with jq -c)";
  }
  if (problem.error == simdjson::DEPTH_ERROR) return fmt::format("JSON nested deeper than {} levels", kMaxJsonDepth);
  if (problem.error == simdjson::INCORRECT_TYPE && !problem.is_object) {
    const std::string_view kind = text.starts_with('"') ? "a string" : text.starts_with('[') ? "an array" : "a value";
    return fmt::format("not a JSON object but {}; records need fields, as in {{\"text\": \"...\"}}", kind);
  }
  switch (problem.error) {
    case simdjson::UNESCAPED_CHARS:
      return "not valid JSON: a control character stands unescaped in a string";
    case simdjson::UNCLOSED_STRING:
      return "not valid JSON: a string is not closed";
    case simdjson::TRAILING_CONTENT:
      return "not valid JSON: something follows the object";
    case simdjson::STRING_ERROR:
      return "not valid JSON: a string has an escape that does not exist";
    case simdjson::INCOMPLETE_ARRAY_OR_OBJECT:
      return "not valid JSON: the object is not closed, or something follows it";
    case simdjson::EMPTY:
      return "not valid JSON: the record is empty";
    case simdjson::MEMALLOC:
    case simdjson::CAPACITY:
      return "the record is too large to be parsed";
    default:
      return "not valid JSON: wrong or missing comma, colon, bracket or value";
  }
}

std::string missing_field(std::string_view object, const std::string& name, FieldUse use) {
  ondemand::parser parser;
  ondemand::document document;
  if (parser.iterate(object.data(), object.size(), object.size() + kPadding).get(document) != simdjson::SUCCESS)
    return fmt::format("no field \"{}\"", name);
  std::optional<Descent> at = descend(document, name);
  if (!at) return fmt::format("no field \"{}\"", name);
  if (!at->blocked.empty())
    return fmt::format("no field \"{}\"; \"{}\" is not an object, and so has no fields", name, at->blocked);
  // A search for a field leaves the object behind that field.
  if (at->object.reset().error() != simdjson::SUCCESS) return fmt::format("no field \"{}\"", name);
  const std::vector<Member> members = members_of(at->object);
  std::string message = fmt::format("no field \"{}\"; {} has: {}", name,
                                    at->way.empty() ? "it" : fmt::format("\"{}\"", at->way), listed(members));
  const std::string before = at->way.empty() ? "" : at->way + ".";
  std::vector<std::string> names;
  for (const Member& member : members) names.push_back(before + member.name);
  const std::string near = base::did_you_mean(before + at->missing.substr(0, at->missing.find('.')), names);
  if (!near.empty() || use != FieldUse::text) return message + near;
  if (const auto likely = likely_text(members))
    message += fmt::format("; did you mean `text_fields={}{}`?", before, *likely);
  return message;
}

}  // namespace neardup::io
