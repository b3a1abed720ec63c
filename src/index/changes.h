// How does a batch of documents change an index?
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "index/neighbours.h"
#include "index/preparing.h"
#include "index/writer.h"
#include "neardup/index.h"

namespace neardup::indexing {

enum class AddMode { refuse, replace, check_first };

// Each works on one batch that is committed later.
std::vector<AddResult> add_documents(Changing&, std::span<const PreparedDocument>, AddMode);
std::uint64_t remove_documents(Changing&, std::span<const std::string_view> keys);
// Returns the decision's id.
std::uint64_t decide(Changing&, const Decision&);
bool withdraw(Changing&, std::uint64_t id);

// The best of several neighbours, with its earliest document; among equal scores the earliest.
IndexMatch best_match(const LedgerView&, std::span<const Neighbour>);
std::vector<IndexMatch> all_matches(const LedgerView&, std::vector<Neighbour>, std::size_t limit);

}  // namespace neardup::indexing
