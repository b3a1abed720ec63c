#include "view_flags.h"

#include <fmt/format.h>

#include <algorithm>

#include "console.h"
#include "neardup/error.h"
#include "words.h"

namespace neardup::cli {
namespace {

constexpr std::size_t kWideEnough = 100;

}  // namespace

DiffLook ViewFlags::look() const {
  DiffLook out;
  out.width = width != 0 ? width : std::clamp<std::size_t>(stdout_columns(), 40, 1000);
  out.colour = colour == "always" || (colour == "auto" && stdout_has_colour());
  out.full = full;
  const bool side = diff == "side" || (diff == "auto" && out.width >= kWideEnough);
  out.style = !wants_diff() ? DiffStyle::none : side ? DiffStyle::side : DiffStyle::inlined;
  return out;
}

void add_view_flags(CLI::App& app, ViewFlags& flags) {
  add_value(
      app, kOutputGroup,
      {"--diff",
       "HOW",
       "side (by side), inline, none, or auto: side where the terminal has 100 columns. Words are compared folded, "
       "as neardup sees them, and shown unchanged",
       flags.diff,
       {"auto", "side", "inline", "none"}},
      [&](const std::string& value) { flags.diff = value; });
  add_switch(app, kOutputGroup, "--full", "Show the whole diff: fold nothing and leave out no change", flags.full);
  add_value(app, kOutputGroup, {"--width", "N", "Columns to fill", "the terminal's, else 80"},
            [&](const std::string& value) {
              constexpr std::uint64_t kLeast = 40, kMost = 1000;
              const std::uint64_t width = parse_count("--width", value);
              if (width < kLeast || width > kMost)
                throw Error(ErrorCode::usage, fmt::format("--width {}: expected {} to {}", value, kLeast, kMost));
              flags.width = width;
            });
  add_value(app, kOutputGroup,
            {"--color",
             "WHEN",
             "auto, always or never; without colour changes are [-removed-] and {+added+}",
             flags.colour,
             {"auto", "always", "never"}},
            [&](const std::string& value) { flags.colour = value; });
}

}  // namespace neardup::cli
