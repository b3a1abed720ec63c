// How is a second collection named, with which the first is compared?
#pragma once

#include <string>
#include <vector>

#include "app.h"
#include "neardup/collection.h"

namespace neardup::cli {

// What is not said of the second collection is as for the first, but it is always read whole: --limit and --sample are
// about the input.
struct AgainstFields {
  std::vector<std::string> text_fields;
  std::string id_field;

  [[nodiscard]] bool given() const { return !text_fields.empty() || !id_field.empty(); }
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
