#include <algorithm>
#include <string>

#include "neardup/dedup.h"
#include "neardup/error.h"
#include "neardup/text_rules.h"
#include "search/finder.h"

namespace neardup {

std::vector<std::string> finder_names() {
  std::vector<std::string> names{"auto", "exact"};
  for (const search::FinderKind& kind : search::finders()) names.emplace_back(kind.name);
  return names;
}

void DedupOptions::validate() const {
  definition.validate();
  check_rules(definition.text);
  if (const auto names = finder_names(); std::find(names.begin(), names.end(), finder.name) == names.end()) {
    search::make_finder(definition, finder);
  }
  if (!(finder.target_recall > 0 && finder.target_recall < 1)) {
    throw Error(ErrorCode::usage, "`target_recall` must lie between 0 and 1, both excluded", "target_recall");
  }
  if (finder.distance > 64) throw Error(ErrorCode::usage, "`distance` must lie within 0 to 64", "distance");
  authority.validate();
  if (keep.empty()) throw Error(ErrorCode::usage, "`keep` needs at least one rule", "keep");
  if (output.annotate && output.save_removed) {
    throw Error(ErrorCode::usage, "`annotate` keeps every record, so `save_removed` would have nothing to write",
                "save_removed");
  }
  if (output.annotate && output.path.empty()) throw Error(ErrorCode::usage, "`annotate` needs an output", "output");
  if (output.resume && (output.path.empty() || output.path == "-")) {
    throw Error(ErrorCode::usage, "`resume` saves its state beside the output: `output` must name a file or a folder",
                "output");
  }
  if (output.save_removed && output.path.empty()) {
    throw Error(ErrorCode::usage, "`save_removed` needs a folder to write to", "output");
  }
}

}  // namespace neardup
