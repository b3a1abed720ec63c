// How does a batch of documents change an index?
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "index/neighbours.h"
#include "index/preparing.h"
#include "index/writer.h"
#include "neardup/index.h"

namespace neardup::indexing {

enum class AddMode { refuse, replace, check_first };

// Each works on one batch that is committed later.
std::vector<AddResult> add_documents(Changing&, std::span<const PreparedDocument>, AddMode);
// Adds documents; a key that is there with other content gets a number: KEY#2, KEY#3, ... What is there under such a
// key with the same content is not added again.
struct NumberedAdds {
  std::uint64_t added = 0, renamed = 0;
  std::unordered_map<std::string, std::uint64_t> last{};  // by key that several documents had: its last number
};
// Counts in `adds`, which goes along from batch to batch.
void add_numbered(Changing&, std::span<const PreparedDocument>, NumberedAdds& adds);
std::uint64_t remove_documents(Changing&, std::span<const std::string_view> keys);
// Returns the decision's id.
std::uint64_t decide(Changing&, const Decision&);
bool withdraw(Changing&, std::uint64_t id);

// The best of several neighbours, with its earliest document; among equal scores the earliest.
IndexMatch best_match(const LedgerView&, std::span<const Neighbour>);
std::vector<IndexMatch> all_matches(const LedgerView&, std::vector<Neighbour>, std::size_t limit);

}  // namespace neardup::indexing
