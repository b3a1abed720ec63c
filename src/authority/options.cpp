#include "neardup/authority.h"

#include <fmt/format.h>

#include <cmath>

#include "neardup/error.h"

namespace neardup {

void AuthorityOptions::validate() const {
  if (!(damping >= 0 && damping < 1)) {
    throw Error(ErrorCode::usage, fmt::format("`damping` {}: expected a number from 0 up to, but not, 1", damping),
                "damping");
  }
  if (!(tolerance > 0) || !std::isfinite(tolerance)) {
    throw Error(ErrorCode::usage, fmt::format("`tolerance` {}: expected a number above 0", tolerance), "tolerance");
  }
  if (!field.empty() && !scores.empty()) {
    throw Error(ErrorCode::usage,
                fmt::format("`authority` names the field {} and the file {}: expected one of them", field, scores),
                "authority");
  }
  if (!links.empty() && (!field.empty() || !scores.empty())) {
    throw Error(
        ErrorCode::usage,
        fmt::format("`links` {} and `authority` {}: expected one of them", links, field.empty() ? scores : field),
        "authority");
  }
}

}  // namespace neardup
