// What are the documents called that are spoken of in the end, and what do people want to see of them?
#pragma once

#include <string>
#include <vector>

#include "corpus/units.h"
#include "neardup/context.h"
#include "neardup/document.h"

namespace neardup::corpus {

struct NamesRequest {
  const Collection& collection;
  const UnitTable& table;
  const RepeatedIds& ids;
  std::uint64_t content;            // ReadResult::content
  const std::vector<bool>& wanted;  // by row
  std::vector<std::string> fields{};
};

struct NamedRows {
  Names names;
  std::vector<Names> fields;  // by field; empty where a record does not have it
};

// Reads the collection once more, or not at all when nobody is wanted.
NamedRows collect_names(const NamesRequest&, const Context&);

}  // namespace neardup::corpus
