#include "search/exact_parts.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <vector>

#include "base/memory_plan.h"
#include "base/pair_output.h"
#include "base/system.h"
#include "corpus/volume.h"
#include "join/algorithms.h"
#include "neardup/similarity.h"
#include "search/build_sets.h"
#include "search/part_plan.h"

namespace neardup::search {
namespace {

constexpr std::uint64_t kLeastMeeting = 1u << 20;

// What a meeting may take. Reading is over, but not all that it took has gone back to the system.
std::uint64_t meeting_bytes(const Context& context) {
  const std::uint64_t left = base::memory_left(context), used = corpus::reading_bytes(context);
  return std::max(left > used ? left - used : 0, kLeastMeeting);
}

// All meetings are one stage of the run: they advance together.
class WholeStage final : public Observer {
 public:
  WholeStage(Observer* observer, std::uint64_t documents) : observer_(observer) {
    if (observer_ != nullptr) observer_->stage("comparing", documents, "documents in parts");
  }
  void stage(std::string_view, std::uint64_t, std::string_view) override {}
  void advance(std::uint64_t amount) override {
    if (observer_ != nullptr) observer_->advance(amount);
  }
  void warning(std::string_view message) override {
    if (observer_ != nullptr) observer_->warning(message);
  }

 private:
  Observer* observer_;
};

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
        context_(context) {}

  void run() {
    order_sets();
    const std::uint64_t most_bytes = meeting_bytes(context_);
    check_memory(most_bytes);
    cut_parts(most_bytes);
    const std::vector<PartMeeting> meetings = plan_meetings(parts_, Verifier(request_.definition()), most_bytes);
    WholeStage whole(context_.observer, loaded_sets(parts_, meetings));
    context_.observer = &whole;
    stats_.rounds = 0;
    for (const PartMeeting& meeting : meetings) {
      if (output_.enough()) break;
      meet(meeting);
    }
    stats_.pairs = output_.count();
    stats_.stopped = output_.enough();
  }

 private:
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

  void check_memory(std::uint64_t most_bytes) const {
    std::vector<SizedSets> sizes;
    for (const std::uint32_t at : order_) {
      const SetSpill::Entry& entry = spill_.entry(at);
      if (sizes.empty() || sizes.back().size != size_of(entry)) sizes.push_back({.size = size_of(entry)});
      ++sizes.back().sets;
      sizes.back().tokens += entry.count;
    }
    const std::uint64_t least = least_meeting_bytes(sizes, Verifier(request_.definition()));
    if (least <= most_bytes) return;
    const std::uint64_t held = context_.memory != nullptr ? context_.memory->reserved() : 0;
    base::throw_too_small(context_, "compare these documents in reasonable time",
                          held + corpus::reading_bytes(context_) + least, base::LeastMemory::estimated);
  }

  void cut_parts(std::uint64_t most_bytes) {
    for (const corpus::Corpus& side : request_.sides) part_of_.emplace_back(side.units.units(), 0);
    PartCutter cutter(most_bytes);
    for (const std::uint32_t at : order_) {
      const SetSpill::Entry& entry = spill_.entry(at);
      const std::size_t part = cutter.add({.size = size_of(entry), .sets = 1, .tokens = entry.count});
      part_of_[entry.side][entry.unit] = static_cast<std::uint32_t>(part);
    }
    parts_ = cutter.parts();
    begins_.push_back(0);
    for (const SetPart& part : parts_) begins_.push_back(begins_.back() + part.sets);
  }

  void meet(const PartMeeting& meeting) {
    const joins::OrderedSets sets = load(meeting);
    JoinOptions options = request_.options;
    options.forecast = {};
    // One more than there is room for tells "stopped" from "that was all".
    if (options.max_pairs != 0) options.max_pairs += 1 - output_.count();
    options.skip = [&](DocId left, DocId right) {
      const bool left_here = part_of_.front()[unit_of(left)] == meeting.part,
                 right_here = part_of_.back()[unit_of(right)] == meeting.part;
      if (left_here == right_here && !(left_here && meeting.with_itself)) return true;
      return request_.options.skip && request_.options.skip(left, right);
    };
    JoinStats stats;
    joins::run_set_join(sets, options, output_, stats, context_);
    add(stats);
  }

  [[nodiscard]] joins::OrderedSets load(const PartMeeting& meeting) {
    const base::Stopwatch watch;
    std::vector<std::uint32_t> entries;
    const auto take = [&](std::size_t first, std::size_t last) {
      entries.insert(entries.end(), order_.begin() + static_cast<std::ptrdiff_t>(begins_[first]),
                     order_.begin() + static_cast<std::ptrdiff_t>(begins_[last]));
    };
    take(meeting.part, meeting.part + 1);
    take(meeting.first, meeting.last);
    std::sort(entries.begin(), entries.end());  // as written in the file
    std::uint64_t tokens = 0;
    for (const std::uint32_t entry : entries) tokens += spill_.entry(entry).count;
    joins::OrderedSets sets = build_sets(
        {.sides = static_cast<unsigned>(request_.sides.size()),
         .distinct_tokens = tokens / 3 * 2,
         .tokens = tokens,
         .sets = entries.size(),
         .seed = request_.sides.front().content.seed() + meeting.part,
         .may_repeat = request_.sides.front().ignored != nullptr},
        [&](std::size_t i, std::vector<Feature>& buffer) {
          const SetSpill::Entry& entry = spill_.entry(entries[i]);
          buffer.resize(entry.count);
          spill_.read(entries[i], buffer.data());
          return SetToBuild{
              .side = entry.side, .number = index(entry.unit), .full_size = size_of(entry), .features = buffer};
        },
        meeting_, context_);
    stats_.seconds.order += watch.seconds();
    return sets;
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
  base::PairOutput output_;  // what all meetings find counts together towards the pairs that are asked for
  JoinStats& stats_;
  Context context_;                   // the observer of each meeting is told of all of them
  std::vector<std::uint32_t> order_;  // entries of the spill by the size of their sets
  std::vector<SetPart> parts_;
  std::vector<std::uint64_t> begins_;            // of each part in order_; one more at the end
  std::vector<PerUnit<std::uint32_t>> part_of_;  // by side
};

}  // namespace

void join_spilled(const ExactRequest& request, const SetSpill& spill, PairSink& sink, JoinStats& stats,
                  const Context& context) {
  PartedJoin(request, spill, sink, stats, context).run();
}

}  // namespace neardup::search
