#include <fmt/format.h>

#include "neardup/error.h"
#include "neardup/ignore.h"

namespace neardup {

bool CommonLimit::exceeded(std::uint64_t count, std::uint64_t documents) const {
  __extension__ using Product = unsigned __int128;
  return count > 1 && Product{count} * most.den > Product{most.num} * (is_share ? documents : 1);
}

CommonLimit parse_common_limit(std::string_view text) {
  const auto refuse = [&] {
    throw Error(ErrorCode::usage,
                fmt::format("\"{}\" is not a limit: give a number of documents such as 100, or a share such as 0.05 or "
                            "5%",
                            text),
                "ignore_common");
  };
  CommonLimit limit;
  try {
    if (text.ends_with('%')) {
      const Threshold percent = parse_threshold(text.substr(0, text.size() - 1));
      // 2.5% is 5/2 of a hundredth.
      limit = {.is_share = true, .most = parse_threshold(fmt::format("{}/{}", percent.num, percent.den * 100))};
    } else {
      limit = {.is_share = text.find_first_of("./") != text.npos, .most = parse_threshold(text)};
    }
  } catch (const Error&) {
    refuse();
  }
  if (limit.most.num == 0 || (limit.is_share && limit.most.num > limit.most.den)) refuse();
  return limit;
}

std::string to_string(const CommonLimit& limit) {
  if (!limit.is_share) return to_string(limit.most);
  const std::string share = to_string(limit.most);
  return share.find_first_of("./") == share.npos ? share + ".0" : share;  // a plain number would be one of documents
}

void IgnoreOptions::validate(const Definition& definition) const {
  if (!within.empty() && !common)
    throw Error(ErrorCode::usage, "`within` says where documents are counted: it needs `ignore_common`", "within");
  if (!any()) return;
  if (!compares_sets(definition.measure))
    throw Error(ErrorCode::usage,
                fmt::format("{} does not compare sets of features, so none of them can be ignored: `ignore_common` and "
                            "`ignore` serve jaccard, cosine, dice, overlap and containment",
                            to_string(definition.measure)),
                common ? "ignore_common" : "ignore");
  if (definition.features.minwise != 0)
    throw Error(ErrorCode::usage,
                "minwise keeps a few features of each document: `ignore_common` and `ignore` need all",
                common ? "ignore_common" : "ignore");
}

}  // namespace neardup
