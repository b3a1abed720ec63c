// What does a verb say about itself? Helps, the manual and completions are all made from this.
#pragma once

#include <string>
#include <vector>

#include "app.h"

namespace neardup::cli {

struct FlagText {
  std::string name;        // "--output"
  std::string short_name;  // "-o", or nothing
  std::string value;       // "PATH"; nothing for a switch
  std::string help;
  std::string fallback;            // its default, in words; may be nothing
  std::vector<std::string> words;  // values to offer
  bool repeats = false;

  // Whether a value may name a file or folder.
  [[nodiscard]] bool takes_path() const;
};

struct FlagGroup {
  std::string heading;
  std::vector<FlagText> flags;
};

struct VerbDescription {
  VerbText text;
  std::vector<FlagGroup> groups;              // in the order of the help
  std::vector<std::string> argument_words{};  // what the arguments choose from; empty: they are files
};

VerbDescription describe(const CLI::App&, const VerbText&);

}  // namespace neardup::cli
