#include "join/signature_lists.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <span>

#include "base/parallel.h"
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
  constexpr std::size_t kSets = 4096;  // at once
  const bool is_alone = base::threads(join_.context) == 1;
  const auto add = [&](std::uint32_t& length) {
    if (is_alone) {
      ++length;
    } else {
      std::atomic_ref(length).fetch_add(1, std::memory_order_relaxed);
    }
  };
  const auto visit = [&](Place place, const SizeClass&, std::span<const Rank> prefix, std::uint32_t indexed) {
    std::uint32_t* const lengths = ends_.data() + 1 + 2 * sets_.side(place);
    std::uint32_t k = 0;
    for (; k < indexed; ++k) add(lengths[flat(prefix[k])]);
    for (; k < prefix.size(); ++k) add(lengths[flat(prefix[k]) + 1]);
  };
  base::parallel_for(join_.context, (sets_.size() + kSets - 1) / kSets, [&](std::size_t first, std::size_t last) {
    for_each_prefix(sets_, classes_, static_cast<Place>(first * kSets),
                    static_cast<Place>(std::min<std::size_t>(last * kSets, sets_.size())), visit);
  });
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

std::uint64_t SignatureLists::bytes() const {
  std::uint64_t words = entries_.size();
  for (const auto& entries : sorted_) words += entries.capacity();
  return ends_.size() * sizeof(std::uint32_t) + words * sizeof(std::uint64_t);
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
  fill(first, last, begin);
  return last;
}

// Calls visit(token, kind, place, position, the signature of what follows the token) for every entry of the lists of
// [first, last) that sets in [from, to) have, set by set and token by token.
template <class Visit>
void SignatureLists::for_each_entry(Rank first, Rank last, Place from, Place to, const Visit& visit) const {
  for_each_prefix(
      sets_, classes_, from, to,
      [&](Place place, const SizeClass&, std::span<const Rank> prefix, std::uint32_t indexed) {
        if (prefix.back() < first || prefix.front() >= last) return;
        auto k = static_cast<std::uint32_t>(std::lower_bound(prefix.begin(), prefix.end(), first) - prefix.begin());
        while (k < prefix.size() && prefix[k] < last && !is_used(prefix[k])) ++k;
        if (k == prefix.size() || prefix[k] >= last) return;
        Signature rest(sets_.tokens(place).subspan(k), words_);
        for (; k < prefix.size() && prefix[k] < last; ++k) {
          rest.flip(prefix[k]);
          if (!is_used(prefix[k])) continue;
          const unsigned kind = 2 * sets_.side(place) + (k < indexed ? 0 : 1);
          visit(prefix[k], kind, place, std::uint64_t{sets_.hidden(place)} + k, rest);
        }
      });
}

// With several threads, each makes the entries of some sets and sorts them into parts of the tokens; then each puts the
// entries of some parts into their lists, in the order of the sets.
void SignatureLists::fill(Rank first, Rank last, std::uint64_t count) {
  const unsigned threads = base::threads(join_.context);
  const auto list_end = [&](Rank token, unsigned kind) -> std::uint32_t& { return ends_[1 + flat(token) + kind]; };
  if (threads == 1) {
    for_each_entry(first, last, 0, sets_.size(),
                   [&](Rank token, unsigned kind, Place place, std::uint64_t position, const Signature& rest) {
                     rest.store(place, position, entries_.data() + list_end(token, kind)++ * stride());
                   });
    return;
  }
  constexpr unsigned kSharesOfAThread = 4;
  const unsigned shares = kSharesOfAThread * threads;  // of the sets, and of the tokens
  std::vector<Rank> borders;
  for (unsigned part = 0; part <= shares; ++part)
    borders.push_back(part == shares ? last : first_of_share(first, last, count * part / shares));

  sorted_.resize(std::size_t{shares} * shares);
  const std::size_t width = 1 + stride();  // the list, then the entry
  tbb::parallel_for(0u, shares, [&](unsigned share) {
    const auto place = [&](unsigned at) { return static_cast<Place>(std::uint64_t{sets_.size()} * at / shares); };
    std::vector<std::uint64_t>* const parts = sorted_.data() + std::size_t{share} * shares;
    for (unsigned part = 0; part < shares; ++part) parts[part].reserve(count * width / shares / shares * 5 / 4);
    std::array<std::uint64_t, 2 + 8> entry;
    unsigned part = 0;
    for_each_entry(first, last, place(share), place(share + 1),
                   [&](Rank token, unsigned kind, Place at, std::uint64_t position, const Signature& rest) {
                     if (token < borders[part]) part = 0;  // another set
                     while (token >= borders[part + 1]) ++part;
                     entry[0] = flat(token) + kind;
                     rest.store(at, position, entry.data() + 1);
                     parts[part].insert(parts[part].end(), entry.data(), entry.data() + width);
                   });
  });
  tbb::parallel_for(0u, shares, [&](unsigned part) {
    for (unsigned share = 0; share < shares; ++share) {
      std::vector<std::uint64_t>& entries = sorted_[std::size_t{share} * shares + part];
      for (std::size_t at = 0; at < entries.size(); at += width)
        std::copy_n(entries.data() + at + 1, stride(), entries_.data() + ends_[1 + entries[at]]++ * stride());
      entries.clear();
    }
  });
}

// The first token of [first, last) before whose lists there are at least so many entries.
Rank SignatureLists::first_of_share(Rank first, Rank last, std::uint64_t entries) const {
  while (first < last) {
    const Rank middle = first + (last - first) / 2;
    if (ends_[flat(middle) + 1] < entries) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first;
}

}  // namespace neardup::joins
