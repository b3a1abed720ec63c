// Which documents belong together, and which one of them stays?
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/pair.h"

namespace neardup {

enum class ClusterKind {
  components,  // connected through similar pairs
  star,        // every member is near the kept one
  complete,    // all members are near each other
};

ClusterKind parse_cluster_kind(std::string_view);
std::string to_string(ClusterKind);

// One rule of `--keep`. Rules apply in turn; what is still tied then goes to the earliest document.
struct KeepRule {
  enum class Kind { first, last, longest, shortest, max, min, newest, oldest, prefer, authority };
  Kind kind = Kind::first;
  std::string field{};  // for max, min, newest, oldest, prefer; for authority where a field holds it
  std::string value{};  // for prefer
  friend bool operator==(const KeepRule&, const KeepRule&) = default;
};

// "longest,max:score,prefer:lang=en"
std::vector<KeepRule> parse_keep_rules(std::string_view);
std::string to_string(const KeepRule&);

}  // namespace neardup
