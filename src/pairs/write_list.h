// How is a list of pairs written to a file?
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "corpus/names.h"
#include "neardup/pairs.h"
#include "pairs/search.h"
#include "report/list_output.h"

namespace neardup::pairs {

// Fields to put beside each pair, by side.
struct ShownFields {
  std::vector<std::string> left, right;
};
ShownFields shown_fields(const PairsListOptions&);

// The names of all records in a pair, and their fields, by side. A field "text" that a record does not have is the text
// that was compared.
std::vector<corpus::NamedRows> collect_names(const Searched&, const ShownFields&, const PairsOptions&, const Context&);

// Returns how many pairs were written. `visit` is called with each of them; empty: not.
std::uint64_t write_list(const Searched&, const PairsOptions&, const ShownFields&,
                         const std::vector<corpus::NamedRows>& named, report::ListOutput&,
                         const std::function<void(const Pair&)>& visit);

}  // namespace neardup::pairs
