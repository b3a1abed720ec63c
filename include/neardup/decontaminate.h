// Which items of test sets are in training text?
//
//   auto report = neardup::decontaminate(train, {{"gsm8k", evals}}, {.output = {.path = "out"}}, context);
//
// In memory: collections of texts that the caller holds, and a function that receives every hit.
// docs/algorithms/passages.md says exactly when an item is hit.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/collection.h"
#include "neardup/context.h"
#include "neardup/definition.h"
#include "neardup/ignore.h"
#include "neardup/report.h"

namespace neardup {

enum class ContaminationAction { remove, trim, annotate };
ContaminationAction parse_contamination_action(std::string_view);
std::string to_string(ContaminationAction);

// Words [from, to) of a training document that are words of an item.
struct ContaminatedSpan {
  std::uint64_t from = 0, to = 0;            // bytes of the document's text
  std::uint64_t item_from = 0, item_to = 0;  // words of the item
};

struct ContaminationHit {
  DocId row = 0;
  std::string_view document, item, suite;
  std::uint64_t windows = 0, of = 0;  // of the item's distinct windows that count, those in the document
  std::vector<ContaminatedSpan> spans{};
  std::string longest{};  // the text of the longest span
};

struct DecontaminateOptions {
  unsigned window = 13;
  Threshold min_share{1, 2};
  std::uint64_t min_words = 8;                 // shorter items are not judged
  std::vector<std::string> eval_fields{};      // each field is an item of its own; none: the text
  std::optional<CommonLimit> ignore_common{};  // windows in more training documents than this do not count
  ContaminationAction action = ContaminationAction::remove;
  OnBadRecord on_bad_record = OnBadRecord::skip;
  OutputOptions output{};
  std::function<void(const ContaminationHit&)> visit{};  // in input order, from one thread at a time
  void validate() const;                                 // throws Error{usage}
};

struct SuiteReport {
  std::string name;
  std::uint64_t items = 0, judged = 0, hit = 0;
  std::uint64_t documents = 0;  // that hit one of its items
  [[nodiscard]] double share() const {
    return judged == 0 ? 0 : static_cast<double>(hit) / static_cast<double>(judged);
  }
};

struct DecontaminateReport : ReadFacts, RunFacts {
  std::vector<SuiteReport> suites{};  // one per file of test items
  std::uint64_t items = 0, too_short = 0, all_common = 0, hit = 0;
  std::uint64_t hits = 0;  // pairs of a document and an item
  std::uint64_t hit_documents = 0;
  std::uint64_t ignored_windows = 0;  // of items, because they are common
  std::uint64_t not_mapped = 0;       // documents left whole because their bytes are not their text
  BadRecords eval_bad{};
  std::vector<std::string> examples{};  // at most three, one line each
};
std::string to_json(const DecontaminateReport&);

DecontaminateReport decontaminate(const Collection& train, const Collection& evals, const DecontaminateOptions&,
                                  const Context&);

}  // namespace neardup
