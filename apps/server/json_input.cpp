#include "json_input.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>

#include "body_decoder.h"
#include "problem.h"

namespace neardup::server {
namespace {

namespace dom = simdjson::dom;

[[noreturn]] void wrong(std::string_view name, std::string_view expected) {
  throw Problem(ProblemCode::bad_request, fmt::format("{}: expected {}", name, expected));
}

}  // namespace

struct JsonInput::State {
  std::unique_ptr<dom::parser> parser;  // null for an object within another
  std::vector<std::pair<std::string_view, dom::element>> members;

  void take(const dom::object& object) {
    for (const auto& [name, value] : object) {
      const bool is_known =
          std::ranges::any_of(members, [key = name](const auto& member) { return member.first == key; });
      if (is_known) throw Problem(ProblemCode::bad_request, fmt::format("\"{}\" is given twice", name));
      members.emplace_back(name, value);
    }
  }

  // Removes the member; null counts as absent.
  std::optional<dom::element> find(std::string_view name) {
    const auto found = std::ranges::find_if(members, [&](const auto& member) { return member.first == name; });
    if (found == members.end()) return std::nullopt;
    const dom::element value = found->second;
    members.erase(found);
    return value;
  }
};

JsonInput::JsonInput(const Request& request, std::uint64_t most_bytes) : state_(std::make_unique<State>()) {
  if (media_type(request.content_type) != "application/json")
    throw Problem(ProblemCode::unsupported_media_type, "Content-Type must be application/json");
  const std::string body = decoded_body(request.body, request.content_encoding, most_bytes);
  state_->parser = std::make_unique<dom::parser>();
  constexpr std::size_t kMostDepth = 16;
  if (state_->parser->allocate(body.size(), kMostDepth) != simdjson::SUCCESS) throw std::bad_alloc();
  dom::element root;
  if (const auto error = state_->parser->parse(body).get(root); error != simdjson::SUCCESS)
    throw Problem(ProblemCode::bad_json, fmt::format("cannot read the JSON: {}", simdjson::error_message(error)));
  dom::object object;
  if (root.get_object().get(object) != simdjson::SUCCESS)
    throw Problem(ProblemCode::bad_request, "expected a JSON object");
  state_->take(object);
}

JsonInput::JsonInput(std::unique_ptr<State> state) : state_(std::move(state)) {}
JsonInput::~JsonInput() = default;
JsonInput::JsonInput(JsonInput&&) noexcept = default;
JsonInput& JsonInput::operator=(JsonInput&&) noexcept = default;

std::optional<std::string> JsonInput::text(std::string_view name) {
  const auto value = state_->find(name);
  if (!value) return std::nullopt;
  if (!value->is_string()) wrong(name, "a text");
  return std::string(std::string_view(*value));
}

std::string JsonInput::required_text(std::string_view name) {
  if (auto value = text(name)) return std::move(*value);
  throw Problem(ProblemCode::bad_request, fmt::format("{}: missing", name));
}

bool JsonInput::flag(std::string_view name, bool fallback) {
  const auto value = state_->find(name);
  if (!value) return fallback;
  if (!value->is_bool()) wrong(name, "true or false");
  return bool(*value);
}

std::uint64_t JsonInput::number(std::string_view name, std::uint64_t fallback, std::uint64_t least,
                                std::uint64_t most) {
  const auto value = state_->find(name);
  if (!value) return fallback;
  std::uint64_t number = 0;
  if (value->get_uint64().get(number) != simdjson::SUCCESS || number < least || number > most)
    wrong(name, fmt::format("an integer from {} to {}", least, most));
  return number;
}

std::vector<std::string> JsonInput::required_texts(std::string_view name, std::size_t most) {
  const auto value = state_->find(name);
  dom::array items;
  if (!value || value->get_array().get(items) != simdjson::SUCCESS || items.size() > most)
    wrong(name, fmt::format("a list of at most {} texts", most));
  std::vector<std::string> out;
  for (const dom::element item : items) {
    if (!item.is_string()) wrong(name, "a list of texts");
    out.emplace_back(std::string_view(item));
  }
  return out;
}

JsonInput JsonInput::required_object(std::string_view name) {
  const auto value = state_->find(name);
  dom::object object;
  if (!value || value->get_object().get(object) != simdjson::SUCCESS) wrong(name, "an object");
  auto state = std::make_unique<State>();
  state->take(object);
  return JsonInput(std::move(state));
}

void JsonInput::finish() const {
  if (!state_->members.empty())
    throw Problem(ProblemCode::bad_request, fmt::format("unknown member \"{}\"", state_->members.front().first));
}

}  // namespace neardup::server
