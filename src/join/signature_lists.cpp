#include "join/signature_lists.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "base/system.h"
#include "simd/dispatch.h"

namespace neardup::joins {
namespace {

constexpr double kFew = 1.5;  // sets that look at another

// The parity signature of some tokens. kernels.h has the same hash.
class Signature {
 public:
  Signature(std::span<const Rank> tokens, std::size_t words) : words_(words) {
    simd::kernels().parity(tokens.data(), tokens.size(), std::max<std::size_t>(1, words), whole_.data());
    folded_ = whole_[0] ^ whole_[0] >> 32;
    folded_ ^= folded_ >> 16;
  }
  void flip(Rank token) {
    const std::uint32_t h = token * 0x9e3779b1u >> 16;
    folded_ ^= std::uint64_t{1} << (h & 15);
    if (words_ > 0) whole_[(h >> 6) & (words_ - 1)] ^= std::uint64_t{1} << (h & 63);
  }
  void store(Place place, std::uint64_t position, std::uint64_t* out) const {
    position = std::min<std::uint64_t>(position, Occurrence::kFar);
    out[0] = std::uint64_t{place} << 32 | position << 16 | (folded_ & 0xffff);
    for (std::size_t w = 0; w < words_; ++w) out[1 + w] = whole_[w];
  }

 private:
  std::size_t words_;
  std::array<std::uint64_t, 8> whole_;
  std::uint64_t folded_;  // to 16 bits, without words
};

}  // namespace

SignatureLists::SignatureLists(const SetJoin& join, const SizeClasses& classes, std::size_t bytes_at_once)
    : join_(join),
      sets_(join.sets),
      classes_(classes),
      bytes_at_once_(bytes_at_once),
      kinds_(2 * join.sets.sides()),
      used_(join.sets.universe() / 64 + 1),
      ends_(flat(join.sets.universe()) + 1) {
  count();
  plan();
}

bool SignatureLists::meet_rarely() const {
  constexpr double kMany = 20;
  // Links of chains are counted in 32 bits.
  return looks_at_each_ < kFew && meetings_ < kMany * static_cast<double>(total_) && total_ < UINT32_MAX;
}

// In a join with itself a list's only owner looks at it too.
template <class Length>
double SignatureLists::meetings(Length length) const {
  double met = 0;
  for (unsigned side = 0; side < sets_.sides(); ++side) {
    const unsigned partner = sets_.sides() == 1 ? 0 : 1 - side;
    const double lookers = double{0} + length(2 * side) + length(2 * side + 1);
    if (sets_.sides() == 2 || lookers > 1) met += 0.5 * length(2 * partner) * lookers;
  }
  return met;
}

double SignatureLists::meetings(Rank token) const {
  return meetings([&](unsigned kind) { return entries(token, kind).count; });
}

bool SignatureLists::is_settled(Rank token) const {
  constexpr std::uint32_t kWorthAsking = 32;
  if (!join_.options.settled || sets_.sides() != 1 || entries_of(token) < kWorthAsking) return false;
  thread_local std::vector<DocId> numbers;
  numbers.clear();
  for (const Entries& some : {indexed(token, 0), probing(token, 0)}) {
    for (std::uint32_t i = 0; i < some.count; ++i) numbers.push_back(sets_.number(some[i].place()));
  }
  return join_.options.settled(numbers);
}

void SignatureLists::count() {
  const auto visit = [&](Place place, const SizeClass&, std::span<const Rank> prefix, std::uint32_t indexed) {
    std::uint32_t* const counts = ends_.data() + 1 + 2 * sets_.side(place);
    std::uint32_t k = 0;
    for (; k < indexed; ++k) ++counts[flat(prefix[k])];
    for (; k < prefix.size(); ++k) ++counts[flat(prefix[k]) + 1];
  };
  for_each_prefix(sets_, classes_, visit);
}

void SignatureLists::plan() {
  for (Rank token = 0; token < sets_.universe(); ++token) {
    const double met = meetings([&](unsigned kind) { return ends_[1 + flat(token) + kind]; });
    if (met == 0) continue;
    used_[token / 64] |= std::uint64_t{1} << (token % 64);
    meetings_ += met;
    for (unsigned side = 0; side < sets_.sides(); ++side) {
      const std::uint32_t indexed = ends_[1 + flat(token) + 2 * side];
      total_ += indexed;
      longest_ = std::max(longest_, indexed);
    }
  }
  if (total_ == 0) return;

  double slack = 0, within_reach = 0;
  Place first = 0;
  for (const SizeClass& size : classes_.all()) {
    const double sets = size.end - first, middle = (double{0} + first + size.end) / 2;
    within_reach += sets * std::max(0.0, middle - size.first_partner) / (middle + 1);
    slack += sets * static_cast<double>(size.index_slack);
    first = size.end;
  }
  looks_at_each_ = meetings_ * within_reach / sets_.size() / static_cast<double>(total_);
  // Both partners have their share of the slack.
  words_ = suitable_words(2 * slack / 16 / sets_.size(), looks_at_each_);
}

// Two sets that have nothing in common differ in about half of the bits, and that should be well above what partners of
// average size may fail to share. More bits than that cost more to read and to write than they dismiss; so do any
// beyond the folded ones where a set is hardly looked at. The more often it is, the rarer should a mistake be. (The
// numbers are where one more step began to pay, on 15 collections of 60 thousand to two million sets.)
std::size_t SignatureLists::suitable_words(double average_slack, double looks_at_each) {
  if (looks_at_each < kFew) return 0;
  const double wanted = average_slack + std::log2(looks_at_each);
  return wanted <= 7.9 ? 0 : wanted <= 24 ? 1 : wanted <= 50 ? 2 : wanted <= 80 ? 4 : 8;
}

Rank SignatureLists::make(Rank first) {
  // From lengths to where each list begins, which grows to where it ends while it is filled.
  ends_[flat(first)] = 0;
  std::uint64_t begin = 0;
  Rank last = first;
  for (; last < sets_.universe() && (last == first || begin * stride() * 8 < bytes_at_once_); ++last) {
    for (std::size_t at = flat(last) + 1; at <= flat(last + 1); ++at) {
      const std::uint32_t length = is_used(last) ? ends_[at] : 0;
      ends_[at] = static_cast<std::uint32_t>(begin);
      begin += length;
    }
  }
  if (entries_.size() < begin * stride()) {
    entries_ = {};
    entries_ = base::ZeroedArray<std::uint64_t>(begin * stride());
  }
  // Every thread goes through all sets and takes care of its own share of the tokens.
  const unsigned shares = base::threads(join_.context);
  const auto border = [&](unsigned share) {
    if (share == shares) return last;
    Rank low = first, high = last;  // the first token whose lists begin at this share of the entries or later
    while (low < high) {
      const Rank middle = low + (high - low) / 2;
      if (ends_[flat(middle) + 1] < begin * share / shares) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
  std::vector<Rank> borders;
  for (unsigned share = 0; share <= shares; ++share) borders.push_back(border(share));
  tbb::parallel_for(0u, shares, [&](unsigned share) { make_share(borders[share], borders[share + 1]); });
  return last;
}

void SignatureLists::make_share(Rank first, Rank last) {
  const auto visit = [&](Place place, const SizeClass&, std::span<const Rank> prefix, std::uint32_t indexed) {
    if (prefix.back() < first || prefix.front() >= last) return;
    auto k = static_cast<std::uint32_t>(std::lower_bound(prefix.begin(), prefix.end(), first) - prefix.begin());
    while (k < prefix.size() && prefix[k] < last && !is_used(prefix[k])) ++k;
    if (k == prefix.size() || prefix[k] >= last) return;
    Signature rest(sets_.tokens(place).subspan(k), words_);
    std::uint32_t* const ends = ends_.data() + 1 + 2 * sets_.side(place);
    for (; k < prefix.size() && prefix[k] < last; ++k) {
      rest.flip(prefix[k]);
      if (!is_used(prefix[k])) continue;
      std::uint32_t& end = ends[flat(prefix[k]) + (k < indexed ? 0 : 1)];
      rest.store(place, std::uint64_t{sets_.hidden(place)} + k, entries_.data() + end++ * stride());
    }
  };
  for_each_prefix(sets_, classes_, visit);
}

}  // namespace neardup::joins
