#include <fmt/format.h>

#include "base/counted.h"
#include "cluster/keep_rules.h"

namespace neardup::cluster {
namespace {

constexpr std::uint64_t kFew = 10;  // fewer than one in so many

std::string kind_of_value(KeepRule::Kind kind) {
  return kind == KeepRule::Kind::newest || kind == KeepRule::Kind::oldest ? "dates" : "numbers";
}

}  // namespace

std::string keep_warning(const KeepRule& rule, const RuleCounts& counts) {
  if (rule.field.empty() || counts.documents == 0) return {};
  const std::string name = fmt::format("`keep={}`: ", to_string(rule));
  if (counts.present == 0) return name + fmt::format("no record has a field \"{}\"", rule.field);
  const std::uint64_t unusable = counts.present - counts.usable;
  if (rule.kind == KeepRule::Kind::prefer) {
    if (counts.usable > 0) return {};
    return name + fmt::format("no record has the value \"{}\"; the first one has \"{}\"", rule.value, counts.unusable);
  }
  if (unusable > counts.present / kFew) {
    return name + fmt::format("{} of {} could not be read as {}, for example \"{}\"", base::with_commas(unusable),
                              base::counted(counts.present, "value", "values"), kind_of_value(rule.kind),
                              counts.unusable);
  }
  if (counts.usable < counts.documents / kFew) {
    return name + fmt::format("only {} of {} have a field \"{}\"", base::with_commas(counts.usable),
                              base::counted(counts.documents, "document", "documents"), rule.field);
  }
  return {};
}

}  // namespace neardup::cluster
