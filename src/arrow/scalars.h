// How is a cell that is not a string written as text, so that it reads like the same value in JSON?
#pragma once

#include <string>

#include "arrow/cells.h"

namespace neardup::arrow {

// Numbers, booleans, dates, times and timestamps.
bool is_scalar(Kind);

// The text of a cell of such a kind; false for what JSON has no number for (NaN and the infinities).
//
// Floats in their shortest form that reads back as the same number; decimals with all their digits; dates as
// 2025-01-31, timestamps as RFC 3339 has them: 2025-01-31T10:00:00Z with a zone (they are in UTC), without the Z
// otherwise. Fractions of seconds have the digits of their unit, and none when they are 0.
bool append_scalar(const Cell&, std::string& out);

}  // namespace neardup::arrow
