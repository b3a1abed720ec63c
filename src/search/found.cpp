#include "search/found.h"

#include <algorithm>

#include "base/system.h"

namespace neardup::search {

Found::Found(std::size_t units, Wanted wanted, const Context& context)
    : links(std::make_unique<cluster::UnionFind>(units)), memory(base::reservation(context)) {
  memory.hold(units * sizeof(std::uint32_t));
  if (wanted == Wanted::all_pairs) pairs = std::make_unique<PairStore>(context);
}

void Found::save(base::StateWriter& out) const {
  links->save(out);
  if (pairs) pairs->save(out);
  out.value(candidates);
  out.text(parameters);
  save_recall(out, recall);
}

void Found::load(base::StateReader& in) {
  links->load(in);
  if (pairs) {
    pairs->load(in, links->size());
    pairs->for_each([&](const Pair& pair) {
      if (!links->same(static_cast<std::uint32_t>(pair.left), static_cast<std::uint32_t>(pair.right))) in.fail();
    });
  }
  candidates = in.value<std::uint64_t>();
  parameters = in.text();
  recall = load_recall(in);
}

bool are_connected(cluster::UnionFind& links, std::span<const DocId> units) {
  return std::ranges::all_of(units, [&](DocId unit) {
    return links.same(static_cast<std::uint32_t>(unit), static_cast<std::uint32_t>(units.front()));
  });
}

void save_recall(base::StateWriter& out, const std::optional<Recall>& recall) {
  out.value(recall.has_value());
  if (recall) out.value(*recall);
}

std::optional<Recall> load_recall(base::StateReader& in) {
  if (!in.flag()) return std::nullopt;
  return in.value<Recall>();
}

}  // namespace neardup::search
