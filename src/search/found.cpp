#include "search/found.h"

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
  if (pairs) pairs->load(in, links->size());
  candidates = in.value<std::uint64_t>();
  parameters = in.text();
  recall = load_recall(in);
}

void save_recall(base::StateWriter& out, const std::optional<Recall>& recall) {
  out.value(recall.has_value());
  if (recall) out.value(*recall);
}

std::optional<Recall> load_recall(base::StateReader& in) {
  if (!in.value<bool>()) return std::nullopt;
  return in.value<Recall>();
}

}  // namespace neardup::search
