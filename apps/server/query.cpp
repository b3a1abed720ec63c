#include "query.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "http.h"
#include "problem.h"

namespace neardup::server {
namespace {

std::string decoded_parameter(std::string_view text) {
  std::string spaced(text);
  std::ranges::replace(spaced, '+', ' ');
  if (auto decoded = percent_decoded(spaced)) return std::move(*decoded);
  throw Problem(ProblemCode::bad_request, "the query has a % that is not followed by two hexadecimal digits");
}

}  // namespace

std::optional<std::uint64_t> parse_decimal(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || (text.size() > 1 && text[0] == '0'))
    return std::nullopt;
  return number;
}

Query::Query(std::string_view query) {
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view part = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (part.empty()) continue;
    const std::size_t equals = std::min(part.find('='), part.size());
    parameters_.emplace_back(decoded_parameter(part.substr(0, equals)),
                             decoded_parameter(part.substr(std::min(equals + 1, part.size()))));
  }
}

std::optional<std::string> Query::text(std::string_view name) {
  const auto has_name = [&](const auto& parameter) { return parameter.first == name; };
  const auto found = std::ranges::find_if(parameters_, has_name);
  if (found == parameters_.end()) return std::nullopt;
  std::string value = std::move(found->second);
  parameters_.erase(found);
  if (std::ranges::any_of(parameters_, has_name))
    throw Problem(ProblemCode::bad_request, fmt::format("the parameter {} is given twice", name));
  return value;
}

std::uint64_t Query::number(std::string_view name, std::uint64_t fallback, std::uint64_t least, std::uint64_t most) {
  const std::optional<std::string> value = text(name);
  if (!value) return fallback;
  const std::optional<std::uint64_t> number = parse_decimal(*value);
  if (!number || *number < least || *number > most)
    throw Problem(ProblemCode::bad_request, fmt::format("{}: expected a number from {} to {}", name, least, most));
  return *number;
}

std::size_t Query::choice(std::string_view name, std::initializer_list<std::string_view> words) {
  const std::optional<std::string> value = text(name);
  if (!value) return 0;
  const auto* const found = std::ranges::find(words, *value);
  if (found == words.end())
    throw Problem(ProblemCode::bad_request, fmt::format("{}: expected one of {}", name, fmt::join(words, ", ")));
  return static_cast<std::size_t>(found - words.begin());
}

void Query::finish() const {
  if (!parameters_.empty())
    throw Problem(ProblemCode::bad_request, fmt::format("unknown parameter \"{}\"", parameters_.front().first));
}

}  // namespace neardup::server
