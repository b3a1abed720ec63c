#include "documents.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "problem.h"

namespace neardup::server {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kMostDepth = 16;
constexpr std::size_t kMostIdBytes = 1024;
// A parser that once met a long text does not keep its memory.
constexpr std::size_t kKeptCapacity = std::size_t{4} << 20;

[[noreturn]] void bad(const std::string& detail) { throw Problem(ProblemCode::bad_request, detail); }

// A number of a field, as text.
std::string number_text(const dom::element& value) {
  if (value.is_int64()) return fmt::format("{}", std::int64_t(value));
  if (value.is_uint64()) return fmt::format("{}", std::uint64_t(value));
  return fmt::format("{}", double(value));
}

}  // namespace

std::string_view Arena::copy(std::string_view text) {
  const std::span<char> place = make<char>(text.size());
  if (!text.empty()) std::memcpy(place.data(), text.data(), text.size());
  return {place.data(), place.size()};
}

std::optional<Fingerprint> parse_fingerprint(std::string_view digits) {
  constexpr std::size_t kDigits = 16;
  std::uint64_t bits = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
  if (digits.size() != kDigits || error != std::errc() || end != digits.data() + kDigits) return std::nullopt;
  return Fingerprint{bits};
}

void check_id(std::string_view id) {
  if (id.empty()) bad("id: an empty text is not an id");
  if (id.size() > kMostIdBytes)
    bad(fmt::format("id: it has {} bytes; at most {} are allowed", id.size(), kMostIdBytes));
}

struct DocumentParser::State {
  explicit State(const Index& opened)
      : index(opened),
        takes_tokens(opened.options().definition.features.kind == FeatureKind::tokens),
        takes_fingerprints(opened.options().definition.measure == Measure::hamming &&
                           opened.options().definition.length_ratio.num == 0) {
    renew();
  }

  void renew() {
    parser = std::make_unique<dom::parser>();
    constexpr std::size_t kFirst = std::size_t{16} << 10;
    if (parser->allocate(kFirst, kMostDepth) != simdjson::SUCCESS) throw std::bad_alloc();
  }

  dom::element parse(const char* json, std::size_t size, bool is_padded) {
    if (parser->capacity() > kKeptCapacity) renew();
    dom::element root;
    const simdjson::error_code error = parser->parse(json, size, !is_padded).get(root);
    if (error == simdjson::MEMALLOC) throw std::bad_alloc();
    if (error != simdjson::SUCCESS)
      throw Problem(ProblemCode::bad_json, fmt::format("cannot read the JSON: {}", simdjson::error_message(error)));
    return root;
  }

  IndexDocument document(const dom::element& element, NeedsId needs_id, Arena& arena);
  void take_member(std::string_view name, const dom::element& value, Arena& arena, IndexDocument& out);
  void take_tokens(const dom::element& value, Arena& arena, IndexDocument& out) const;
  void take_fields(const dom::element& value, Arena& arena, IndexDocument& out) const;
  void check_text() const {
    if (takes_tokens) throw Problem(ProblemCode::invalid_document, "this index compares tokens, not texts");
  }

  const Index& index;
  bool takes_tokens, takes_fingerprints;
  std::unique_ptr<dom::parser> parser;
};

namespace {

std::string_view text_member(std::string_view name, const dom::element& value) {
  if (!value.is_string()) bad(fmt::format("{}: expected a text", name));
  return value;
}

}  // namespace

void DocumentParser::State::take_tokens(const dom::element& value, Arena& arena, IndexDocument& out) const {
  if (!takes_tokens) throw Problem(ProblemCode::invalid_document, "this index compares texts, not tokens");
  dom::array items;
  if (value.get_array().get(items) != simdjson::SUCCESS) bad("tokens: expected a list of integers");
  const std::span<std::uint64_t> tokens = arena.make<std::uint64_t>(items.size());
  // An array that is longer than its own count of 24 bits reports fewer items; then the text is too long anyway.
  std::size_t place = 0;
  for (const dom::element item : items) {
    if (place == tokens.size() || item.get_uint64().get(tokens[place]) != simdjson::SUCCESS)
      bad("tokens: expected a list of integers from 0 to 18446744073709551615");
    ++place;
  }
  out.document.tokens = tokens;
}

void DocumentParser::State::take_fields(const dom::element& value, Arena& arena, IndexDocument& out) const {
  dom::object members;
  if (value.get_object().get(members) != simdjson::SUCCESS) bad("fields: expected an object");
  const std::vector<std::string>& names = index.fields();
  const std::span<std::optional<std::string_view>> fields = arena.make<std::optional<std::string_view>>(names.size());
  for (const auto& [name, content] : members) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) bad(fmt::format("fields: this index has no field \"{}\"", name));
    std::optional<std::string_view>& field = fields[static_cast<std::size_t>(found - names.begin())];
    if (content.is_null()) continue;
    if (content.is_string()) {
      field = arena.copy(content);
    } else if (content.is_number()) {
      field = arena.copy(number_text(content));
    } else if (content.is_bool()) {
      field = bool(content) ? "true" : "false";
    } else {
      bad(fmt::format("fields: \"{}\" must be a text, a number, true, false or null", name));
    }
  }
  out.document.fields = fields;
}

void DocumentParser::State::take_member(std::string_view name, const dom::element& value, Arena& arena,
                                        IndexDocument& out) {
  if (name == "id") {
    const std::string_view id = text_member(name, value);
    check_id(id);
    out.document.key = arena.copy(id);
  } else if (name == "text" || name == "html") {
    check_text();
    out.document.text = arena.copy(text_member(name, value));
    out.is_html = name == "html";
  } else if (name == "fingerprint") {
    out.fingerprint = parse_fingerprint(text_member(name, value));
    if (!out.fingerprint) bad("fingerprint: expected 16 hexadecimal digits");
    if (!takes_fingerprints)
      throw Problem(ProblemCode::invalid_document, "this index does not compare ready fingerprints", "measure");
  } else if (name == "tokens") {
    take_tokens(value, arena, out);
  } else if (name == "fields") {
    take_fields(value, arena, out);
  } else {
    bad(fmt::format("unknown member \"{}\"", name));
  }
}

IndexDocument DocumentParser::State::document(const dom::element& element, NeedsId needs_id, Arena& arena) {
  dom::object members;
  if (element.get_object().get(members) != simdjson::SUCCESS) bad("expected an object: a document");
  IndexDocument out;
  out.document.is_valid_utf8 = true;  // simdjson has checked
  unsigned contents = 0, ids = 0, lists = 0;
  for (const auto& [name, value] : members) {
    take_member(name, value, arena, out);
    ++(name == "id" ? ids : name == "fields" ? lists : contents);
  }
  if (contents != 1) bad("a document needs exactly one of text, html, fingerprint and tokens");
  if (ids > 1 || lists > 1) bad("a member is given twice");
  if (ids == 0 && needs_id == NeedsId::yes) bad("id: missing");
  return out;
}

DocumentParser::DocumentParser(const Index& index) : state_(std::make_unique<State>(index)) {}
DocumentParser::~DocumentParser() = default;

bool DocumentParser::parse_body(const std::string& json, NeedsId needs_id, std::size_t most_documents, Arena& arena,
                                std::vector<IndexDocument>& out) {
  const dom::element root =
      state_->parse(json.data(), json.size(), json.capacity() - json.size() >= simdjson::SIMDJSON_PADDING);
  dom::array documents;
  if (root["documents"].get_array().get(documents) != simdjson::SUCCESS) {
    out.push_back(state_->document(root, needs_id, arena));
    return false;
  }
  dom::object members;
  if (root.get_object().get(members) != simdjson::SUCCESS || members.size() != 1)
    bad("only \"documents\" can stand beside documents");
  if (documents.size() == 0) bad("documents: the list is empty");
  if (documents.size() > most_documents)
    throw Problem(ProblemCode::body_too_large,
                  fmt::format("documents: at most {} per request; /v1/bulk takes any number", most_documents));
  for (const dom::element element : documents) out.push_back(state_->document(element, needs_id, arena));
  return true;
}

IndexDocument DocumentParser::parse_line(std::string_view json, NeedsId needs_id, Arena& arena) {
  static_assert(kPadding >= simdjson::SIMDJSON_PADDING);
  return state_->document(state_->parse(json.data(), json.size(), true), needs_id, arena);
}

IndexDocument DocumentParser::raw_text(std::string_view id, std::string_view body, bool is_html) const {
  state_->check_text();
  IndexDocument out;
  out.document.key = id;
  out.document.text = body;
  out.is_html = is_html;
  return out;
}

}  // namespace neardup::server
