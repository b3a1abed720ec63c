#include <algorithm>
#include <array>

#include "base/system.h"
#include "join/edit_join.h"
#include "join/edit_probe.h"
#include "join/edit_segment_index.h"
#include "simd/dispatch.h"

namespace neardup::joins {
namespace {

constexpr std::uint64_t kStringsPerLookup = 16;

template <class Symbol>
class SegmentSearch {
 public:
  SegmentSearch(EditProbe<Symbol>& probe, const StringSet& strings, const SegmentIndex& index,
                std::uint32_t max_distance, bool may_scan)
      : probe_(probe),
        index_(index),
        symbols_(strings.symbols<Symbol>()),
        max_distance_(max_distance),
        may_scan_(may_scan),
        seen_(largest_group(strings) / 64 + 1) {}

  void operator()(StringPlace place, const StringSet::Group& group, std::span<const StringSet::Group* const> partners) {
    for (const StringSet::Group* partner : partners) {
      if (probe_.enough()) return;
      partner_ = partner;
      last_ = std::min(partner->last, place);  // among equally long strings only earlier ones
      signature_ = index_.signatures()[place];
      most_different_ = static_cast<unsigned>(
          std::min<std::uint64_t>(64, 2 * std::uint64_t{max_distance_} - (group.length - partner->length)));
      probe_.counts.filters[0] += last_ - partner->first;
      const auto tables = index_.tables(*partner);
      if (tables.empty() || !find_lists(place, group, tables)) {
        scan({nullptr, index_.signatures().data() + partner->first, last_ - partner->first});
      } else {
        for (const SegmentTable::List& list : lists_) scan(list);
        for (const StringPlace found : found_) seen_[(found - partner->first) / 64] = 0;
        found_.clear();
      }
    }
  }

 private:
  static StringPlace largest_group(const StringSet& strings) {
    StringPlace largest = 0;
    for (const StringSet::Group& group : strings.groups()) largest = std::max(largest, group.size());
    return largest;
  }

  // Looks up every substring that can be a segment of a partner; false when the lists would be no shorter than the
  // group.
  //
  // A whole segment that is more than s places away from where it was, s being its number, has more than s edits
  // before it. That leaves fewer than T - s for the T - s segments behind it: one of those is whole too and can find
  // the pair instead. Places counted from the end say the same about T - s. What neither rules out is looked up (the
  // paper's multi-match-aware selection, which shows that both may be used at once).
  bool find_lists(StringPlace place, const StringSet::Group& group, std::span<const SegmentTable> tables) {
    const Symbol* text = symbols_of(symbols_, group, place).data();
    const std::int64_t longer = group.length - partner_->length;
    std::uint64_t total = 0;
    lists_.clear();
    for (std::uint32_t s = 0; s < tables.size(); ++s) {
      const Segment segment = segment_of(partner_->length, static_cast<std::uint32_t>(tables.size()), s);
      const std::int64_t start = segment.start, before = s, behind = max_distance_ - s;
      const std::int64_t first = std::max({std::int64_t{0}, start - before, start + longer - behind});
      const std::int64_t last =
          std::min({std::int64_t{group.length} - segment.length, start + before, start + longer + behind});
      for (std::int64_t at = first; at <= last; ++at) {
        SegmentTable::List list = tables[s].find(hash_segment(text + at, segment.length));
        if (list.size != 0 && last_ < partner_->last) {
          list.size =
              static_cast<std::size_t>(std::lower_bound(list.places, list.places + list.size, last_) - list.places);
        }
        if (list.size == 0) continue;
        total += list.size;
        if (may_scan_ && total >= last_ - partner_->first) return false;
        lists_.push_back(list);
      }
      probe_.count_work(segment.length);
    }
    return true;
  }

  // Compares with those of a list, or of the whole group (no places), whose signatures allow it.
  void scan(const SegmentTable::List& list) {
    probe_.counts.filters[1] += list.size;
    for (std::size_t begin = 0; begin < list.size && !probe_.enough(); begin += kScan) {
      const std::size_t size = std::min(kScan, list.size - begin);
      const std::size_t passed =
          kernels_.filter_signatures(list.signatures + begin, size, signature_, most_different_, passed_.data());
      probe_.count_work(size);
      for (std::size_t i = 0; i < passed; ++i) {
        if (list.places == nullptr) {
          ++probe_.counts.filters[2];
          probe_.compare(static_cast<StringPlace>(partner_->first + begin + passed_[i]), *partner_);
        } else {
          compare_once(list.places[begin + passed_[i]]);
        }
      }
    }
  }

  void compare_once(StringPlace other) {
    std::uint64_t& word = seen_[(other - partner_->first) / 64];
    const std::uint64_t bit = std::uint64_t{1} << (other - partner_->first) % 64;
    if ((word & bit) != 0) return;
    word |= bit;
    found_.push_back(other);
    ++probe_.counts.filters[2];
    probe_.compare(other, *partner_);
  }

  static constexpr std::size_t kScan = 1024;

  EditProbe<Symbol>& probe_;
  const SegmentIndex& index_;
  const neardup_kernels& kernels_ = simd::kernels();
  const Symbol* symbols_;
  std::uint32_t max_distance_;
  bool may_scan_;  // a whole group in place of its lists
  const StringSet::Group* partner_ = nullptr;
  StringPlace last_ = 0;  // partners of the current string are before
  std::uint64_t signature_ = 0;
  unsigned most_different_ = 0;
  std::vector<SegmentTable::List> lists_;
  std::vector<std::uint64_t> seen_;  // bits by place in the partners' group
  std::vector<StringPlace> found_;
  std::array<std::uint32_t, kScan + 16> passed_;
};

// Pairs that will be looked at, roughly: all where there is no index, else those with equal segments.
double expected_comparisons(const StringSet& strings, const SegmentIndex& index, std::uint32_t max_distance) {
  double sum = 0;
  for (const StringSet::Group& group : strings.groups()) {
    for (const SegmentTable& table : index.tables(group)) sum += table.lists().equal_pairs();
    for (const StringSet::Group* partner : strings.partner_groups(group, max_distance)) {
      if (index.tables(*partner).empty()) sum += pairs_between(group, *partner);
    }
  }
  return sum;
}

}  // namespace

void edit_segments(const EditJoin& join, std::uint64_t strings_per_lookup) {
  const base::Stopwatch watch;
  const std::uint32_t max_distance = max_edits(join);
  const SegmentIndex index(join.strings, max_distance, strings_per_lookup, join.context);
  join.stats.index.entries = index.entries();
  join.stats.index.bytes = index.bytes();
  join.stats.seconds.index = watch.seconds();
  warn_if_many_comparisons(join, expected_comparisons(join.strings, index, max_distance));
  const EditCounts counts = join.strings.with_symbol_type([&]<class Symbol>() {
    return probe_all<Symbol>(join, [&](EditProbe<Symbol>& probe) {
      return SegmentSearch<Symbol>(probe, join.strings, index, max_distance, strings_per_lookup != 0);
    });
  });
  // "segments" counts entries looked at: a pair that shares two segments is in it twice.
  counts.fill(join.stats, {"length", "segments", "signature"});
  join.stats.seconds.join = watch.seconds();
}

void edit_segments(const EditJoin& join) { edit_segments(join, kStringsPerLookup); }

}  // namespace neardup::joins
