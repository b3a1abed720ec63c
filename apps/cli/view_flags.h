// Which flags say how a comparison looks?
#pragma once

#include <cstddef>
#include <string>

#include "app.h"
#include "diff_view.h"

namespace neardup::cli {

struct ViewFlags {
  std::string diff = "auto", colour = "auto";
  std::size_t width = 0;  // 0: the terminal's
  bool full = false;

  [[nodiscard]] bool wants_diff() const { return diff != "none"; }
  [[nodiscard]] DiffLook look() const;
};
void add_view_flags(CLI::App&, ViewFlags&);

}  // namespace neardup::cli
