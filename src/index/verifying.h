// Do the rows and files of an index fit together?
#pragma once

#include "index/ledger.h"
#include "neardup/index.h"

namespace neardup::indexing {

// Appends what is wrong to the report, at most a hundred lines. Reads every row once.
void verify_rows(const LedgerView&, VerifyReport&, const Context&);

}  // namespace neardup::indexing
