// What is added to kept records: how many documents each represents, and values from those that were removed.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "corpus/row_names.h"
#include "dedup/write.h"
#include "io/output.h"
#include "neardup/context.h"

namespace neardup::dedup {

// By representative: of each field of OutputOptions::collect a JSON array of the removed documents' values, in input
// order. Documents without the field, and values that the limits leave out, are skipped. Reads the collection once more
// unless there is nothing to collect.
using CollectedValues = std::map<Row, std::vector<std::string>>;
CollectedValues collect_values(const Outcome&, const Context&);

// The fields that OutputOptions asks for, in the order of Outputs::added(). The arguments live as long as the result.
std::function<io::Annotation(Row)> annotations_of(const Outcome&, const corpus::RowTexts& names,
                                                  const CollectedValues&);

}  // namespace neardup::dedup
