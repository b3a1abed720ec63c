// How is a second collection named, with which the first is compared?
#pragma once

#include <string>
#include <vector>

#include "app.h"
#include "neardup/collection.h"

namespace neardup::cli {

// What is not said of the second collection is as for the first.
struct AgainstFlags {
  std::vector<std::string> inputs;
  std::vector<std::string> text_fields;
  std::string id_field;

  [[nodiscard]] InputFiles files(InputFiles as_first) const;
  [[nodiscard]] ReadOptions reading(ReadOptions as_first) const;
  // Throws Error{usage} for flags that describe a collection that was not named, and when standard input is to be both
  // this collection and the list of the first one's files.
  void check(const InputFiles& first) const;
};
// `help` says what --against does in this verb.
void add_against_flags(CLI::App&, AgainstFlags&, const char* help);

}  // namespace neardup::cli
