// What speaks of documents by their names from outside: authority, lists of protected documents, results of an engine.
#pragma once

#include <optional>

#include "clean/protection.h"
#include "clean/query_log.h"
#include "clean/read.h"
#include "clean/run_file.h"
#include "corpus/row_names.h"
#include "neardup/clean.h"
#include "report/run_frame.h"

namespace neardup::clean {

struct Lookup {
  std::optional<RunFile> run_file;  // none: the built-in search
  corpus::RowTexts names;           // of all documents, when they were wanted and had to be looked up anyway
};

// Whether authority has to be found out, and whether the collection has to be read once more for names.
bool has_authority(const CleanOptions&, const Collection&);
bool needs_addresses(const CleanPlan&);

// Fills the authority and the protection of the repository, and what the report says of them.
Lookup look_up(const CleanPlan&, const QueryLog&, CleanRead&, CleanReport&, report::RunFrame&, const Context&);

}  // namespace neardup::clean
