// What does the command line call the options of the library, and what can its user do about an error?
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "neardup/error.h"

namespace neardup::cli {

struct OptionName {
  std::string_view id;        // of the library: `text_fields`, or a setting that has a flag of its own: `verify=false`
  std::string_view flag;      // "--text"
  std::string_view remedy{};  // what to do when an error is about it; empty: the flag says enough
  std::optional<ErrorCode> code{};  // of those errors; absent: any
};
std::span<const OptionName> option_names();

// A message or warning of the library with flags in the place of options: `finder=exact` becomes --finder exact.
std::string with_flags(std::string_view message);

// What an error says to the user of the command line: its message, and behind it in brackets the remedy, or else the
// flag it is about, unless the message names that flag already.
std::string explain(const Error&);

}  // namespace neardup::cli
