// How do clusters become arrays?
#pragma once

#include <cstdint>
#include <tuple>

#include "arrays.h"
#include "neardup/cluster.h"
#include "pairs.h"

namespace neardup::python {

Rows kept_rows(const Clusters&);
// The row that stands for each; -1 for bad records and what was set aside.
Rows representatives(const Clusters&);
Array<std::uint8_t> statuses(const Clusters&);
// Members of all clusters one behind the other, and where each cluster begins (one more at the end).
std::tuple<Rows, Rows> cluster_members(const Clusters&);

}  // namespace neardup::python
