// The last reading: texts are cut, records written, and every cut is noted.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "neardup/trim.h"
#include "passages/search.h"
#include "report/outputs.h"
#include "trim/passage_table.h"
#include "trim/read.h"

namespace neardup::trimming {

struct TrimWriting {
  const Collection& collection;
  const TrimOptions& options;
  const TrimReading& reading;
  const passages::PassageCuts& cuts;
};

// Fills the report's counts and examples, and the lists of a folder.
void write_trimmed(const TrimWriting&, report::Outputs&, TrimReport&, const Context&);

// Throws Error{usage} when texts of these sources cannot be cut as they are to be written.
void check_trimmable(const Collection&, const TrimOptions&);

std::string run_record(const Collection&, const Collection* other, const TrimOptions&, const TrimReport&,
                       const Context&);

}  // namespace neardup::trimming
