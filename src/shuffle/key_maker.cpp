#include <algorithm>
#include <array>
#include <utility>

#include "base/random.h"
#include "neardup/error.h"
#include "neardup/shuffle.h"
#include "neardup/similarity.h"
#include "shuffle/entry.h"

namespace neardup::shuffle {
namespace {

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;

// Of all pairs (lower, upper) of chunks, one key each; the same chunk twice is one of them.
std::uint64_t block_key(std::uint64_t key, std::uint32_t chunks, std::uint32_t lower, std::uint32_t upper) {
  return base::mix64(key + (std::uint64_t{lower} * chunks + upper + 1) * kGolden);
}

}  // namespace

HeavyKeys::HeavyKeys(std::span<const std::uint64_t> keys, std::span<const std::uint64_t> counts, std::uint64_t limit) {
  if (keys.size() != counts.size() || limit == 0) throw Error(ErrorCode::usage, "every heavy key has a count");
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (counts[i] > limit) chunks_[keys[i]] = static_cast<std::uint32_t>((counts[i] + limit - 1) / limit);
  }
}

std::uint32_t HeavyKeys::chunks(std::uint64_t key) const {
  if (chunks_.empty()) return 1;
  const auto found = chunks_.find(key);
  return found == chunks_.end() ? 1 : found->second;
}

struct KeyMaker::State {
  State(const KeyPlan& key_plan, CountersView feature_order)
      : plan(key_plan),
        order(feature_order),
        verifier(key_plan.definition),
        parts(key_plan.parts),
        hasher(key_plan.kind == KeyKind::bands ? key_plan.bands.hashes() : 1, key_plan.seed),
        sketch(key_plan.bands.hashes()) {}

  void make_prefix(std::span<const Feature> set);
  void make_keys(std::span<const std::uint64_t> set);
  [[nodiscard]] std::uint64_t fingerprint(std::span<const std::uint64_t> set) const {
    if (plan.definition.measure == Measure::hamming) return set.front();
    return neardup::simhash(simhash_sums(set)).bits;
  }
  void append(std::uint64_t key, UnitId unit, std::uint64_t facts, std::uint64_t previous);
  void append_entry(std::uint64_t key, UnitId, unsigned side, std::uint64_t size, std::uint64_t place,
                    std::uint64_t previous, const HeavyKeys&);

  KeyPlan plan;
  CountersView order;
  Verifier verifier;
  std::vector<std::vector<std::uint64_t>> parts;
  MinHasher hasher;
  std::vector<std::uint32_t> sketch;
  std::vector<std::uint64_t> keys;
  std::vector<std::pair<std::uint8_t, Feature>> ordered;
  std::array<std::uint64_t, 8> signature{};
  std::unordered_map<std::uint64_t, std::uint64_t> heavy;
};

// Rarest first, and among equally rare ones by hash.
void KeyMaker::State::make_prefix(std::span<const Feature> set) {
  const std::uint64_t size = verifier.prefix_size(set.size());
  ordered.clear();
  ordered.reserve(set.size());
  for (const Feature feature : set) ordered.emplace_back(order[feature], feature);
  const auto end = ordered.begin() + static_cast<std::ptrdiff_t>(size);
  if (end != ordered.end()) std::nth_element(ordered.begin(), end, ordered.end());
  std::sort(ordered.begin(), end);
  for (auto at = ordered.begin(); at != end; ++at) keys.push_back(at->second);
}

void KeyMaker::State::make_keys(std::span<const std::uint64_t> set) {
  keys.clear();
  if (set.empty()) return;
  if (plan.kind == KeyKind::prefix) return make_prefix(set);
  if (plan.kind == KeyKind::bands) {
    hasher.sketch(set, sketch);
    return plan.bands.keys(sketch, keys);
  }
  const std::uint64_t bits = fingerprint(set);
  for (std::size_t table = 0; table < plan.blocks.masks.size(); ++table) keys.push_back(plan.blocks.key(bits, table));
}

void KeyMaker::State::append(std::uint64_t key, UnitId unit, std::uint64_t facts, std::uint64_t previous) {
  const std::uint64_t part = (base::mix64(key) >> 32) * plan.parts >> 32;
  std::vector<std::uint64_t>& out = parts[part];
  out.insert(out.end(), {key, unit, facts, previous});
  out.insert(out.end(), signature.begin(), signature.begin() + plan.words);
}

void KeyMaker::State::append_entry(std::uint64_t key, UnitId unit, unsigned side, std::uint64_t size,
                                   std::uint64_t place, std::uint64_t previous, const HeavyKeys& heavy_keys) {
  const std::uint32_t chunks = heavy_keys.chunks(key);
  if (chunks == 1) return append(key, unit, Entry::facts(size, side, Chunk::none, place), previous);
  const auto own = static_cast<std::uint32_t>(base::mix64(unit + kGolden) % chunks);
  for (std::uint32_t other = 0; other < chunks; ++other) {
    const Chunk chunk = other == own ? Chunk::none : own < other ? Chunk::lower : Chunk::upper;
    append(block_key(key, chunks, std::min(own, other), std::max(own, other)), unit,
           Entry::facts(size, side, chunk, place), previous);
  }
}

KeyMaker::KeyMaker(const KeyPlan& plan, CountersView order) {
  plan.validate();
  state_ = std::make_unique<State>(plan, order);
}
KeyMaker::~KeyMaker() = default;
KeyMaker::KeyMaker(KeyMaker&&) noexcept = default;
KeyMaker& KeyMaker::operator=(KeyMaker&&) noexcept = default;

std::span<const std::uint64_t> KeyMaker::keys(std::span<const std::uint64_t> set) {
  state_->make_keys(set);
  return state_->keys;
}

void KeyMaker::count(std::span<const std::uint64_t> set, Counters& shared) {
  for (const std::uint64_t key : keys(set)) shared.add(key);
}

void KeyMaker::count_heavy(std::span<const std::uint64_t> set, CountersView shared) {
  for (const std::uint64_t key : keys(set))
    if (shared[key] == Counters::kFull) ++state_->heavy[key];
}

std::vector<KeyCount> KeyMaker::heavy() const {
  std::vector<KeyCount> counts;
  for (const auto& [key, count] : state_->heavy) counts.push_back({key, count});
  std::sort(counts.begin(), counts.end(), [](const KeyCount& a, const KeyCount& b) { return a.key < b.key; });
  return counts;
}

void KeyMaker::add_entries(UnitId unit, unsigned side, std::span<const std::uint64_t> set, CountersView shared,
                           const HeavyKeys& heavy) {
  State& state = *state_;
  state.make_keys(set);
  const bool is_block = state.plan.kind == KeyKind::blocks;
  const std::span signature = std::span(state.signature).first(state.plan.words);
  std::fill(signature.begin(), signature.end(), 0);
  if (is_block && !set.empty()) {
    signature[0] = state.fingerprint(set);
  } else {
    for (const Feature feature : set) flip(signature, feature);
  }
  std::uint64_t previous = 0;
  for (std::size_t place = 0; place < state.keys.size(); ++place) {
    const std::uint64_t key = state.keys[place];
    if (state.plan.kind == KeyKind::prefix) flip(signature, key);  // what follows is left
    if (shared[key] < 2) continue;
    const std::uint64_t told = state.plan.kind == KeyKind::bands ? 0 : place;
    state.append_entry(key, unit, side, set.size(), told, previous, heavy);
    if (!is_block) previous = key;
  }
}

std::span<const std::uint64_t> KeyMaker::entries(std::uint32_t part) const { return state_->parts.at(part); }

std::uint64_t KeyMaker::entry_bytes() const {
  std::uint64_t words = 0;
  for (const auto& part : state_->parts) words += part.size();
  return words * sizeof(std::uint64_t);
}

void KeyMaker::clear_entries() {
  for (auto& part : state_->parts) part.clear();
}

}  // namespace neardup::shuffle
