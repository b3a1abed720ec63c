#include <algorithm>
#include <string>

#include "search/finder.h"
#include "neardup/dedup.h"
#include "neardup/error.h"
#include "neardup/text_rules.h"

namespace neardup {

std::vector<std::string> finder_names() {
  std::vector<std::string> names{"auto", "exact"};
  for (const search::FinderKind& kind : search::finders()) names.emplace_back(kind.name);
  return names;
}

void DedupOptions::validate() const {
  definition.validate();
  check_rules(definition.text);
  if (const auto names = finder_names(); std::find(names.begin(), names.end(), finder) == names.end()) {
    search::make_finder(finder, {.definition = definition});
  }
  if (!(target_recall > 0 && target_recall < 1)) {
    throw Error(ErrorCode::usage, "--target-recall must lie between 0 and 1, both excluded");
  }
  if (distance > 64) throw Error(ErrorCode::usage, "--distance must lie within 0 to 64");
  authority.validate();
  if (keep.empty()) throw Error(ErrorCode::usage, "--keep needs at least one rule");
  if (output.annotate && output.save_removed) {
    throw Error(ErrorCode::usage, "--annotate keeps every record, so --save-removed would have nothing to write");
  }
  if (output.annotate && output.path.empty()) throw Error(ErrorCode::usage, "--annotate needs an output: -o PATH");
  if (output.resume && (output.path.empty() || output.path == "-")) {
    throw Error(ErrorCode::usage, "--resume saves its state beside the output: -o must name a file or a folder");
  }
  if (output.save_removed && output.path.empty()) {
    throw Error(ErrorCode::usage, "--save-removed needs an output folder: -o FOLDER");
  }
}

}  // namespace neardup
