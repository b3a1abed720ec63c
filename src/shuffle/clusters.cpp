#include <algorithm>
#include <utility>

#include "base/numbering.h"
#include "base/open_table.h"
#include "cluster/cluster.h"
#include "cluster/keep_rules.h"
#include "neardup/error.h"
#include "neardup/shuffle.h"

namespace neardup::shuffle {

std::vector<UnitPair> contract(std::span<const UnitPair> edges) {
  base::Numbering<UnitId> numbering;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> numbered;
  numbered.reserve(edges.size());
  for (const UnitPair& edge : edges)
    numbered.emplace_back(numbering.number(edge.left).first, numbering.number(edge.right).first);
  cluster::UnionFind links(numbering.size());
  for (const auto& [a, b] : numbered) links.unite(a, b);
  const std::span<const UnitId> units = numbering.keys();
  std::vector<UnitId> smallest(units.begin(), units.end());
  for (std::uint32_t i = 0; i < units.size(); ++i) {
    UnitId& least = smallest[links.find(i)];
    least = std::min(least, units[i]);
  }
  std::vector<UnitPair> forest;
  for (std::uint32_t i = 0; i < units.size(); ++i) {
    const UnitId least = smallest[links.find(i)];
    if (least != units[i]) forest.push_back({least, units[i]});
  }
  std::sort(forest.begin(), forest.end());
  return forest;
}

struct StarBuilder::State {
  std::uint64_t component = 0;
  std::unordered_map<UnitId, UnitId, base::Mixed> taken;  // by whom
};

StarBuilder::StarBuilder() : state_(std::make_unique<State>()) {}
StarBuilder::~StarBuilder() = default;

bool StarBuilder::add(std::uint64_t component, const UnitPair& pair) {
  State& state = *state_;
  if (std::exchange(state.component, component) != component) state.taken.clear();
  if (state.taken.contains(pair.left)) return false;
  return state.taken.emplace(pair.right, pair.left).second;
}

struct KeepValues::State {
  explicit State(std::span<const KeepRule> rules) : table({rules.begin(), rules.end()}), fields(table.fields()) {}
  cluster::KeepTable table;
  std::vector<std::string> fields;
};

KeepValues::KeepValues(std::span<const KeepRule> rules) : state_(std::make_unique<State>(rules)) {
  if (state_->table.wants_authority()) {
    throw Error(ErrorCode::usage, "the keep rule `authority` ranks all documents at once: give a field with max:FIELD",
                "keep");
  }
}
KeepValues::~KeepValues() = default;
KeepValues::KeepValues(KeepValues&&) noexcept = default;
KeepValues& KeepValues::operator=(KeepValues&&) noexcept = default;

const std::vector<std::string>& KeepValues::fields() const { return state_->fields; }
std::size_t KeepValues::columns() const { return state_->table.columns(); }

std::vector<std::uint64_t> KeepValues::of(const DocumentView& document) const {
  std::vector<cluster::RuleCounts> counts = state_->table.no_counts();
  return state_->table.values_of(document, state_->fields, counts);
}

}  // namespace neardup::shuffle
