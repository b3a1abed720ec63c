// The two kinds of sources over Arrow data.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "arrow/rows.h"
#include "neardup/arrow.h"

namespace neardup::arrow {

std::shared_ptr<const Plan> make_plan(const ArrowSchema&, const ArrowColumns&, std::span<const std::string> fields);

// Over arrays that are held, and rows that went to a file. The context has a budget.
std::shared_ptr<const DocumentSource> keep_documents(Stream, const ArrowColumns&, std::span<const std::string> fields,
                                                     const Context&);

}  // namespace neardup::arrow
