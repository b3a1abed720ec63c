// What does advice look like on a terminal?
#pragma once

#include <string>

#include "neardup/advise.h"

namespace neardup::cli {

struct AdviceLook {
  std::size_t width = 80;
  bool colour = false;
  bool unicode = true;  // bars of eighths; otherwise of #
};

// The whole screen; `command` is what to run next.
std::string show_advice(const Advice&, const std::string& command, const AdviceLook&);

}  // namespace neardup::cli
