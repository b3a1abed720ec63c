#include <fmt/format.h>

#include "base/open_table.h"
#include "neardup/error.h"
#include "neardup/shuffle.h"
#include "neardup/similarity.h"

namespace neardup::shuffle {
namespace {

struct HeldSet {
  std::size_t begin, size;
};

}  // namespace

struct PairVerifier::State {
  State(const Definition& definition, bool has_sides) : verifier(definition), across(has_sides) {}

  [[nodiscard]] std::span<const Feature> set(UnitId unit, unsigned side) const {
    const auto found = held[side].find(unit);
    if (found == held[side].end())
      throw Error(ErrorCode::internal, fmt::format("the set of unit {:016x} did not come before its pairs", unit));
    return std::span(features).subspan(found->second.begin, found->second.size);
  }

  Verifier verifier;
  bool across;
  std::vector<Feature> features;
  std::unordered_map<UnitId, HeldSet, base::Mixed> held[2];
};

PairVerifier::PairVerifier(const Definition& definition, bool across)
    : state_(std::make_unique<State>(definition, across)) {}
PairVerifier::~PairVerifier() = default;
PairVerifier::PairVerifier(PairVerifier&&) noexcept = default;
PairVerifier& PairVerifier::operator=(PairVerifier&&) noexcept = default;

void PairVerifier::clear() {
  state_->features.clear();
  for (auto& side : state_->held) side.clear();
}

void PairVerifier::add(UnitId unit, unsigned side, std::span<const Feature> set) {
  State& state = *state_;
  if (!state.held[side].emplace(unit, HeldSet{state.features.size(), set.size()}).second) return;
  state.features.insert(state.features.end(), set.begin(), set.end());
}

std::optional<double> PairVerifier::verify(const UnitPair& pair) const {
  return state_->verifier.verify(state_->set(pair.left, 0), state_->set(pair.right, state_->across ? 1 : 0));
}

std::size_t PairVerifier::memory_bytes() const {
  constexpr std::size_t kHeldBytes = 64;  // of a node of the table and its bucket
  return state_->features.capacity() * sizeof(Feature) + (state_->held[0].size() + state_->held[1].size()) * kHeldBytes;
}

}  // namespace neardup::shuffle
