#include "report/removed_by.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "corpus/names.h"
#include "io/collection.h"

namespace neardup::report {
namespace {

constexpr std::size_t kMostListed = 100;

void count(RemovedShare& share, const Clusters& clusters, DocId row) {
  if (clusters.status(row) == RowStatus::bad) return;
  ++share.documents;
  if (!clusters.is_kept(row)) ++share.removed;
}

// Largest first, ties in the order they came; the rest together.
RemovedBy listed(std::vector<RemovedShare> shares) {
  RemovedBy out;
  std::erase_if(shares, [](const RemovedShare& share) { return share.documents == 0; });
  std::ranges::stable_sort(shares,
                           [](const RemovedShare& a, const RemovedShare& b) { return a.documents > b.documents; });
  for (RemovedShare& share : shares) {
    if (out.largest.size() < kMostListed) {
      out.largest.push_back(std::move(share));
      continue;
    }
    ++out.others;
    out.of_others.documents += share.documents;
    out.of_others.removed += share.removed;
  }
  return out;
}

std::vector<RemovedShare> by_source(const corpus::Corpus& corpus, const Clusters& clusters) {
  const std::vector<io::Source>& sources = io::impl_of(corpus.collection).sources;
  std::vector<RemovedShare> shares;
  DocId row = 0;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    RemovedShare share{.name = sources[s].path};
    for (const DocId end = row + corpus.rows_of_source[s]; row < end; ++row) count(share, clusters, row);
    shares.push_back(std::move(share));
  }
  return shares;
}

// A field with a value of its own in every document is not worth memory: further values are counted together.
std::vector<RemovedShare> by_field(const corpus::Corpus& corpus, const Clusters& clusters, const std::string& field,
                                   const Context& context) {
  constexpr std::size_t kMostValues = 100'000;
  PerRow<bool> wanted(corpus.units.rows());
  for (const Row row : all<Row>(corpus.units.rows())) wanted[row] = corpus.units.status[row] != RowStatus::bad;
  const corpus::NamedRows named = corpus::collect_names(corpus, wanted, {field}, context);
  std::vector<RemovedShare> shares;
  std::unordered_map<std::string_view, std::size_t> place;
  for (const Row row : all<Row>(corpus.units.rows())) {
    if (!wanted[row]) continue;
    std::string_view value = named.fields.front()[row];
    if (place.size() >= kMostValues && !place.contains(value)) value = "...";
    const auto [at, is_new] = place.emplace(value, shares.size());
    if (is_new) shares.push_back({.name = std::string(value)});
    count(shares[at->second], clusters, index(row));
  }
  return shares;
}

}  // namespace

std::optional<RemovedBy> removed_by(const corpus::Corpus& corpus, const Clusters& clusters, const std::string& field,
                                    const Context& context) {
  if (field.empty() && io::impl_of(corpus.collection).sources.size() < 2) return std::nullopt;
  RemovedBy out = listed(field.empty() ? by_source(corpus, clusters) : by_field(corpus, clusters, field, context));
  out.field = field;
  return out;
}

}  // namespace neardup::report
