// What do people search for, and how often?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/clean.h"
#include "neardup/context.h"
#include "neardup/features.h"

namespace neardup::clean {

// What is left of a query once its spelling no longer matters: string() gives its words with one space between them,
// nothing for what has no words. Threads: one per thread.
inline FeatureExtractor query_folding() { return FeatureExtractor({.kind = FeatureKind::words, .length = 1}, 0); }

struct LoggedQuery {
  std::string text;         // folded words with one space between them
  std::uint64_t count = 0;  // over all spellings that fold to the same
  std::uint64_t place = 0;  // of its first data line or record, from 1; a header is none
  std::string id{};         // of its first record, where the log has ids
};

struct QueryLog {
  std::vector<LoggedQuery> queries;  // by decreasing count, then by place; `min_count` and `top` applied
  bool has_ids = false;
  QueryLogReport report;
};

// The caller's own queries, or a file in any codec the inputs may have. Throws Error{input} or Error{usage}: no such
// file, no queries at all, no such field, and under OnBadRecord::fail the first bad line.
QueryLog read_query_log(const QueryLogOptions&, OnBadRecord, const Context&);

}  // namespace neardup::clean
