// What does a person want to see of two documents?
#pragma once

#include <string>

#include "diff_view.h"
#include "neardup/compare.h"

namespace neardup::cli {

struct CompareLook {
  std::string a, b;  // the documents as the user named them
  DiffLook diff;
};

std::string show(const Comparison&, const CompareLook&);
// The words that differ, and how many; nothing else.
std::string show_words(const Comparison&, const DiffLook&);

}  // namespace neardup::cli
