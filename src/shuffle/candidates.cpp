#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "base/radix_sort.h"
#include "base/random.h"
#include "neardup/error.h"
#include "neardup/shuffle.h"
#include "shuffle/entry.h"
#include "simd/dispatch.h"
#include "similarity/measures.h"

namespace neardup::shuffle {
namespace {

constexpr std::uint32_t kLanes = 8;            // postings that the kernel looks at together
constexpr std::uint32_t kProbesAtOnce = 1024;  // bounds the room for hits
constexpr std::size_t kSeenPairs = std::size_t{1} << 18;
constexpr std::int64_t kNothingPasses = -(std::int64_t{1} << 40);

struct Place {
  std::uint64_t key;
  std::uint32_t entry;
};

// Remembers the latest pairs. A pair that is forgotten comes twice, which only costs time.
class SeenPairs {
 public:
  bool is_new(const UnitPair& pair) {
    UnitPair& slot = slots_[base::mix64(pair.left ^ base::mix64(pair.right)) % kSeenPairs];
    if (slot == pair) return false;
    slot = pair;
    return true;
  }

 private:
  std::vector<UnitPair> slots_ = std::vector<UnitPair>(kSeenPairs);
};

}  // namespace

struct CandidateFinder::State {
  explicit State(const KeyPlan& key_plan)
      : plan(key_plan), kernels(simd::kernels()), hits(std::size_t{kProbesAtOnce} * kLanes) {}

  [[nodiscard]] Entry entry(std::uint32_t i) const { return Entry(words + std::size_t{i} * plan.entry_words()); }
  void find_in_group(std::span<const Place> places, std::vector<UnitPair>& out);
  void find_sets(std::vector<UnitPair>& out);
  void find_blocks(std::vector<UnitPair>& out);
  void make_columns();
  [[nodiscard]] bool can_meet(const Entry& a, const Entry& b) const;
  template <class M>
  [[nodiscard]] bool can_match(const Entry& a, const Entry& b) const;
  [[nodiscard]] bool sizes_can_match(const Entry& a, const Entry& b) const;
  void consider(const Entry& a, const Entry& b, std::vector<UnitPair>& out);

  KeyPlan plan;
  const neardup_kernels& kernels;
  const std::uint64_t* words = nullptr;
  std::vector<Place> places, scratch;
  // Of the group at hand, ordered by previous key: its entries, and before which place those with another one end.
  std::vector<std::uint32_t> group, ends_before;
  std::vector<std::int64_t> allowances;
  std::vector<std::uint64_t> columns, probes;
  std::vector<neardup_hit> hits;
  std::vector<std::uint32_t> near;
  SeenPairs seen;
  std::uint64_t compared = 0;
};

bool CandidateFinder::State::can_meet(const Entry& a, const Entry& b) const {
  if (plan.across && a.side() == b.side()) return false;
  return a.chunk() == Chunk::none || a.chunk() != b.chunk();
}

// Exact where the key is the first that the two share: none of the features before it is shared, and of those behind it
// at least as many are not as the signatures differ in.
template <class M>
bool CandidateFinder::State::can_match(const Entry& a, const Entry& b) const {
  const std::uint64_t x = a.size(), y = b.size();
  const std::uint64_t need = M::min_overlap(x, y, plan.definition.threshold);
  if (need > std::min(x, y)) return false;
  std::uint64_t differing = a.place() + b.place();
  if (plan.kind == KeyKind::prefix && need > std::min(x - a.place(), y - b.place())) return false;
  for (unsigned w = 0; w < plan.words; ++w)
    differing += static_cast<std::uint64_t>(std::popcount(a.signature()[w] ^ b.signature()[w]));
  return differing + 2 * need <= x + y;
}

bool CandidateFinder::State::sizes_can_match(const Entry& a, const Entry& b) const {
  if (plan.definition.measure == Measure::hamming) return true;
  return similarity::with_measure(plan.definition.measure, [&]<class M>() {
    return M::min_overlap(a.size(), b.size(), plan.definition.threshold) <= std::min(a.size(), b.size());
  });
}

void CandidateFinder::State::consider(const Entry& a, const Entry& b, std::vector<UnitPair>& out) {
  UnitPair pair{a.unit(), b.unit()};
  const bool swap = plan.across ? a.side() > b.side() : pair.left > pair.right;
  if (swap) std::swap(pair.left, pair.right);
  if (!plan.across && pair.left == pair.right) return;
  if (seen.is_new(pair)) out.push_back(pair);
}

// What each may differ in, in 16ths, and signatures in columns and in rows. Postings behind the last match nothing.
void CandidateFinder::State::make_columns() {
  const std::size_t count = group.size(), stride = (count + kLanes - 1) / kLanes * kLanes;
  allowances.assign(stride, kNothingPasses);
  columns.assign(stride * plan.words, 0);
  probes.resize(count * (1 + plan.words));
  for (std::size_t i = 0; i < count; ++i) {
    const Entry each = entry(group[i]);
    const std::int64_t slack = similarity::with_measure(plan.definition.measure, [&]<class M>() {
      const Threshold& t = plan.definition.threshold;
      return std::max(M::slack_of_larger(each.size(), t), M::slack_of_smaller(each.size(), t));
    });
    allowances[i] = (slack + 15) / 16 - 16 * static_cast<std::int64_t>(each.place());
    std::uint64_t* probe = probes.data() + i * (1 + plan.words);
    probe[0] = static_cast<std::uint64_t>(allowances[i]);
    for (unsigned w = 0; w < plan.words; ++w) columns[w * stride + i] = probe[1 + w] = each.signature()[w];
  }
}

void CandidateFinder::State::find_sets(std::vector<UnitPair>& out) {
  make_columns();
  const auto count = static_cast<std::uint32_t>(group.size());
  const neardup_columns postings{allowances.data(), columns.data(), allowances.size(), plan.words};
  for (std::uint32_t block = 0; block < count; block += kLanes) {
    const std::uint32_t last = std::min(block + kLanes, count) - 1;
    const std::uint32_t before = *std::max_element(ends_before.begin() + block, ends_before.begin() + last + 1);
    compared += std::uint64_t{before} * kLanes;
    for (std::uint32_t from = 0; from < before; from += kProbesAtOnce) {
      const std::size_t found = kernels.match_postings(&postings, block, probes.data(), from,
                                                       std::min(before, from + kProbesAtOnce), hits.data());
      for (std::size_t h = 0; h < found; ++h) {
        const auto [i, j] = hits[h];
        if (j >= count || i >= ends_before[j]) continue;
        const Entry a = entry(group[i]), b = entry(group[j]);
        const bool passes = can_meet(a, b) && similarity::with_measure(plan.definition.measure,
                                                                       [&]<class M>() { return can_match<M>(a, b); });
        if (passes) consider(a, b, out);
      }
    }
  }
}

void CandidateFinder::State::find_blocks(std::vector<UnitPair>& out) {
  columns.clear();
  for (const std::uint32_t i : group) columns.push_back(*entry(i).signature());
  near.resize(group.size() + kLanes);
  for (std::uint32_t j = 1; j < group.size(); ++j) {
    compared += j;
    const std::size_t found =
        kernels.filter_signatures(columns.data(), j, columns[j], plan.blocks.distance, near.data());
    for (std::size_t h = 0; h < found; ++h) {
      const Entry a = entry(group[near[h]]), b = entry(group[j]);
      if (plan.blocks.owner(*a.signature(), *b.signature()) != a.place()) continue;
      if (can_meet(a, b) && sizes_can_match(a, b)) consider(a, b, out);
    }
  }
}

void CandidateFinder::State::find_in_group(std::span<const Place> places_of_group, std::vector<UnitPair>& out) {
  group.clear();
  for (const Place& place : places_of_group) group.push_back(place.entry);
  if (plan.kind == KeyKind::blocks) return find_blocks(out);
  std::sort(group.begin(), group.end(),
            [&](std::uint32_t a, std::uint32_t b) { return entry(a).previous() < entry(b).previous(); });
  ends_before.resize(group.size());
  for (std::uint32_t i = 0; i < group.size(); ++i) {
    const std::uint64_t previous = entry(group[i]).previous();
    const bool met_before = i > 0 && previous != 0 && previous == entry(group[i - 1]).previous();
    ends_before[i] = met_before ? ends_before[i - 1] : i;
  }
  if (ends_before.back() != 0) find_sets(out);
}

CandidateFinder::CandidateFinder(const KeyPlan& plan) {
  plan.validate();
  state_ = std::make_unique<State>(plan);
}
CandidateFinder::~CandidateFinder() = default;
CandidateFinder::CandidateFinder(CandidateFinder&&) noexcept = default;
CandidateFinder& CandidateFinder::operator=(CandidateFinder&&) noexcept = default;

void CandidateFinder::find(std::span<const std::uint64_t> entries, std::vector<UnitPair>& out) {
  State& state = *state_;
  if (entries.size() % state.plan.entry_words() != 0) throw Error(ErrorCode::input, "not a list of entries");
  const std::size_t count = entries.size() / state.plan.entry_words();
  if (count > UINT32_MAX) throw Error(ErrorCode::limit, "more than 2^32 entries in one part: use more parts");
  state.words = entries.data();
  state.places.resize(count);
  state.scratch.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) state.places[i] = {state.entry(i).key(), i};
  base::radix_sort(std::span(state.places), std::span(state.scratch), 64, [](const Place& p) { return p.key; });
  for (std::size_t begin = 0; begin < count;) {
    std::size_t end = begin + 1;
    while (end < count && state.places[end].key == state.places[begin].key) ++end;
    if (end - begin > 1) state.find_in_group(std::span(state.places).subspan(begin, end - begin), out);
    begin = end;
  }
}

std::uint64_t CandidateFinder::compared() const { return state_->compared; }

}  // namespace neardup::shuffle
