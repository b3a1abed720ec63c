// Pairs as a list in a file.
#pragma once

#include <string>

#include "neardup/pairs.h"

namespace neardup::pairs {

// What a file of statistics holds.
std::string stats_json(const PairsReport&);

}  // namespace neardup::pairs
