// Which flags describe a second collection that the first is compared with?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app.h"
#include "neardup/collection.h"

namespace neardup::cli {

// Options that are not given for the second collection are those of the first, but it is always read whole: --limit and
// --sample apply only to the input.
struct AgainstFields {
  std::vector<std::string> text_fields;
  std::string id_field;
  std::optional<char> delimiter;
  std::optional<Quote> quote;

  [[nodiscard]] bool given() const { return !text_fields.empty() || !id_field.empty() || delimiter || quote; }
  [[nodiscard]] ReadOptions applied(ReadOptions as_first) const;
};
// `side`: what the help calls the second collection.
void add_against_field_flags(CLI::App&, AgainstFields&, const char* side = "the other side");

struct AgainstFlags {
  std::vector<std::string> inputs;
  AgainstFields fields;

  [[nodiscard]] InputFiles files(InputFiles as_first) const;
  [[nodiscard]] ReadOptions reading(ReadOptions as_first) const;
  // Throws Error{usage} for flags that describe a collection that was not named, and when standard input is to be both
  // this collection and the list of the first one's files.
  void check(const InputFiles& first) const;
};
// `help` says what --against does in this verb.
void add_against_flags(CLI::App&, AgainstFlags&, const char* help);

}  // namespace neardup::cli
