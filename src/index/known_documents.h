// How is a run of deduplicate() that is not complete written down?
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "index/store.h"
#include "neardup/known.h"

namespace neardup::indexing {

// The row of Table::meta called "run".
inline constexpr const char* kPendingRow = "run";
std::string encode(const PendingRun&);
PendingRun decode_pending(std::string_view);
std::optional<PendingRun> pending_run(const StoreView&);

}  // namespace neardup::indexing
