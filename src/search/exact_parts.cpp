#include "search/exact_parts.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <span>
#include <vector>

#include "base/pair_output.h"
#include "base/parallel.h"
#include "base/system.h"
#include "corpus/volume.h"
#include "join/algorithms.h"
#include "join/set_builder.h"
#include "neardup/similarity.h"

namespace neardup::search {
namespace {

// Joins spilled sets part by part.
class PartedJoin {
 public:
  PartedJoin(const ExactRequest& request, const SetSpill& spill, PairSink& sink, JoinStats& stats,
             const Context& context)
      : request_(request),
        spill_(spill),
        memory_(base::reservation(context)),
        meeting_(base::reservation(context)),
        output_(sink, request.options.max_pairs),
        stats_(stats),
        context_(context),
        verifier_(request.definition()) {}

  void run() {
    order_sets();
    // Reading is over, but not all that it took has gone back to the system.
    const std::uint64_t left = base::memory_left(context_), used = corpus::reading_bytes(context_);
    most_tokens_ = std::max(left > used ? left - used : 0, kLeastMeeting) / kBytesPerToken;
    cut_parts();
    stats_.rounds = 0;
    for (std::size_t part = 0; part < parts_.size() && !output_.enough(); ++part) meet_smaller(part);
    stats_.pairs = output_.count();
    stats_.stopped = output_.enough();
  }

 private:
  // In a meeting: SetBuilder::bytes_for() with two different ones among three tokens.
  static constexpr std::uint64_t kBytesPerToken = 28, kLeastMeeting = 1u << 20;
  static constexpr std::uint64_t kPartsInAMeeting = 4;

  struct Part {
    std::size_t first, last;  // in order_
    std::uint64_t tokens = 0;
    std::uint32_t least_size = 0, largest_size = 0;
  };

  [[nodiscard]] std::uint32_t size_of(const SetSpill::Entry& entry) const {
    return request_.sides[entry.side].units.size[entry.unit];
  }

  void order_sets() {
    std::size_t units = 0;
    for (const corpus::Corpus& side : request_.sides) units += side.units.units();
    memory_.hold((spill_.size() + units) * sizeof(std::uint32_t));
    order_.resize(spill_.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      const SetSpill::Entry &x = spill_.entry(a), &y = spill_.entry(b);
      return size_of(x) != size_of(y) ? size_of(x) < size_of(y) : a < b;
    });
  }

  void cut_parts() {
    for (const corpus::Corpus& side : request_.sides) part_of_.emplace_back(side.units.units(), 0);
    for (std::size_t at = 0; at < order_.size(); ++at) {
      const SetSpill::Entry& entry = spill_.entry(order_[at]);
      if (parts_.empty() || parts_.back().tokens + entry.count > most_tokens_ / kPartsInAMeeting) {
        parts_.push_back({.first = at, .last = at, .least_size = size_of(entry)});
      }
      Part& part = parts_.back();
      part.last = at + 1;
      part.tokens += entry.count;
      part.largest_size = size_of(entry);
      part_of_[entry.side][entry.unit] = static_cast<std::uint32_t>(parts_.size() - 1);
    }
  }

  // Every pair has its larger set in one part; its smaller one is there too or in an earlier part.
  void meet_smaller(std::size_t part) {
    const std::uint64_t least = verifier_.min_size(parts_[part].least_size);
    std::vector<std::size_t> others;
    std::uint64_t tokens = parts_[part].tokens;
    bool with_itself = true;
    for (std::size_t other = part; other-- > 0 && parts_[other].largest_size >= least;) {
      if (tokens + parts_[other].tokens > most_tokens_ && !others.empty()) {
        meet(part, others, with_itself);
        if (output_.enough()) return;
        others.clear();
        tokens = parts_[part].tokens;
        with_itself = false;
      }
      others.push_back(other);
      tokens += parts_[other].tokens;
    }
    if (with_itself || !others.empty()) meet(part, others, with_itself);
  }

  void meet(std::size_t part, const std::vector<std::size_t>& others, bool with_itself) {
    const joins::OrderedSets sets = load(part, others);
    JoinOptions options = request_.options;
    options.forecast = {};
    // One more than there is room for tells "stopped" from "that was all".
    if (options.max_pairs != 0) options.max_pairs += 1 - output_.count();
    options.skip = [&](DocId left, DocId right) {
      const bool left_here = part_of_.front()[unit_of(left)] == part,
                 right_here = part_of_.back()[unit_of(right)] == part;
      if (left_here == right_here && !(left_here && with_itself)) return true;
      return request_.options.skip && request_.options.skip(left, right);
    };
    JoinStats stats;
    joins::run_set_join(sets, options, output_, stats, context_);
    add(stats);
  }

  [[nodiscard]] joins::OrderedSets load(std::size_t part, const std::vector<std::size_t>& others) {
    const base::Stopwatch watch;
    std::vector<std::uint32_t> entries;
    std::uint64_t tokens = 0;
    const auto take = [&](const Part& taken) {
      entries.insert(entries.end(), order_.begin() + static_cast<std::ptrdiff_t>(taken.first),
                     order_.begin() + static_cast<std::ptrdiff_t>(taken.last));
      tokens += taken.tokens;
    };
    take(parts_[part]);
    for (const std::size_t other : others) take(parts_[other]);
    std::sort(entries.begin(), entries.end());  // as they stand in the file

    joins::SetBuilder::Expected expected{.sides = static_cast<unsigned>(request_.sides.size()),
                                         .distinct_tokens = tokens / 3 * 2,
                                         .tokens = tokens,
                                         .sets = entries.size(),
                                         .seed = request_.sides.front().content.seed() + part};
    for (;; expected.distinct_tokens = expected.distinct_tokens * 2 + 1024) {
      meeting_.hold(joins::SetBuilder::bytes_for(expected));
      joins::SetBuilder builder(expected);
      std::atomic<bool> full = false;
      std::mutex adding;
      base::parallel_for(context_, entries.size(), [&](std::size_t first, std::size_t last) {
        std::vector<Feature> set;
        std::vector<joins::SetBuilder::Slot> slots;
        for (std::size_t i = first; i < last && !full; ++i) {
          const SetSpill::Entry& entry = spill_.entry(entries[i]);
          set.resize(entry.count);
          spill_.read(entries[i], set.data());
          slots.clear();
          if (!builder.encode(entry.side, set, slots)) full = true;
          const std::lock_guard lock(adding);
          builder.add(entry.side, index(entry.unit), size_of(entry), slots);
        }
      });
      if (full) continue;
      joins::OrderedSets sets = builder.finish(context_);
      meeting_.hold(sets.memory_bytes());
      stats_.seconds.order += watch.seconds();
      return sets;
    }
  }

  void add(const JoinStats& stats) {
    ++stats_.rounds;
    stats_.algorithm = stats.algorithm;
    stats_.index.entries += stats.index.entries;
    stats_.index.bytes = std::max(stats_.index.bytes, stats.index.bytes);
    stats_.filters.resize(std::max(stats_.filters.size(), stats.filters.size()));
    for (std::size_t i = 0; i < stats.filters.size(); ++i) {
      stats_.filters[i].name = stats.filters[i].name;
      stats_.filters[i].pairs += stats.filters[i].pairs;
    }
    stats_.candidates += stats.candidates;
    stats_.seconds.index += stats.seconds.index;
    stats_.seconds.join += stats.seconds.join;
  }

  const ExactRequest& request_;
  const SetSpill& spill_;
  Reservation memory_, meeting_;
  std::uint64_t most_tokens_ = 0;  // in a meeting
  base::PairOutput output_;        // what all meetings find counts together towards the pairs that are asked for
  JoinStats& stats_;
  const Context& context_;
  Verifier verifier_;
  std::vector<std::uint32_t> order_;  // entries of the spill by the size of their sets
  std::vector<Part> parts_;
  std::vector<PerUnit<std::uint32_t>> part_of_;  // by side
};

}  // namespace

void join_spilled(const ExactRequest& request, const SetSpill& spill, PairSink& sink, JoinStats& stats,
                  const Context& context) {
  PartedJoin(request, spill, sink, stats, context).run();
}

}  // namespace neardup::search
