// Which sources, or which values of a field, did removed documents come from?
#pragma once

#include <optional>
#include <string>

#include "corpus/corpus.h"
#include "neardup/cluster.h"
#include "neardup/context.h"
#include "neardup/report.h"

namespace neardup::report {

// By source where `field` is empty, and then nothing for a single source. A field needs the collection to be read once
// more; documents without it have the empty name.
std::optional<RemovedBy> removed_by(const corpus::Corpus&, const Clusters&, const std::string& field, const Context&);

}  // namespace neardup::report
