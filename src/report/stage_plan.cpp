#include "report/stage_plan.h"

#include <algorithm>
#include <utility>

#include "base/memory_plan.h"
#include "corpus/bottom_sample.h"
#include "corpus/volume.h"
#include "io/codecs/codecs.h"
#include "io/collection.h"

namespace neardup::report {
namespace {

// Everything here is measured on collections of texts, in seconds of one core for a quarter of a gigabyte (only ratios
// matter); bench/progress.py compares what comes of it with the clock. Reading and what is done to texts goes on all
// cores at once, codecs work on one.
struct Costs {
  double reading, collecting, comparing;
};
constexpr Costs kExact{.reading = 1.8, .collecting = 2.3, .comparing = 0.1};
constexpr Costs kSketched{.reading = 2.2, .collecting = 2.5, .comparing = 0.3};
constexpr Costs kHamming{.reading = 2.8, .collecting = 0, .comparing = 0.1};
constexpr Costs kEdit{.reading = 0.8, .collecting = 0.8, .comparing = 4};
constexpr double kCounting = 1.8, kNaming = 0.3, kShowing = 0.15, kWriting = 0.25;
constexpr double kCollectingAlone = 0.4;  // when recall is measured later, or not at all
constexpr double kMeasuringWhole = 6.6;
constexpr double kEveryPair = 0.7;  // more for comparing when every pair is wanted, not only connected components
constexpr double kGrouping = 1;     // mostly for the index of the sample, which has a limit
constexpr double kLargestSample = 300e6;
constexpr double kComparingTwo = 2e-3;  // an exact search, for each two documents, when they are not short
constexpr double kShort = 1000;
constexpr double kOrderingFew = 0.1, kOrderingMany = 0.7, kMany = 400e3;  // sorting suffers when it leaves the caches

struct CodecCosts {
  std::string_view name;
  double unpack, pack;
};
constexpr CodecCosts kCodecs[] = {
    {"gz", 1.1, 12}, {"zst", 0.3, 1.4}, {"lz4", 0.15, 0.6}, {"bz2", 8, 15}, {"xz", 3, 50}};

const CodecCosts& costs_of(std::string_view codec) {
  static constexpr CodecCosts kPlain{"", 0, 0};
  const auto* const found = std::ranges::find(kCodecs, codec, &CodecCosts::name);
  return found == std::end(kCodecs) ? kPlain : *found;
}

// A collection as it will be read, again and again.
struct Volume {
  double bytes = 0;          // of text, as far as one can tell
  double unpacking = 0;      // of the codecs, in each pass
  std::string_view codec{};  // of the first source

  void add(const Collection& collection) {
    for (const io::Source& source : io::impl_of(collection).sources) {
      const auto size = static_cast<double>(corpus::expected_bytes(source));
      bytes += size;
      unpacking += size * costs_of(source.codec->name).unpack;
      if (codec.empty()) codec = source.codec->name;
    }
  }
};

class Plan {
 public:
  Plan(const PlanRequest& request, const Context& context)
      : request_(request),
        costs_(!request.is_exact                                ? kSketched
               : request.definition.measure == Measure::hamming ? kHamming
               : request.definition.measure == Measure::edit    ? kEdit
                                                                : kExact),
        threads_(base::threads(context)),
        sample_bytes_(static_cast<double>(base::plan_memory(context).recall_sample)) {
    own_.add(request.collection);
    both_ = own_;
    if (request.against != nullptr) {
      other_.add(*request.against);
      both_.add(*request.against);
    }
  }

  std::vector<PlannedStage> stages() {
    if (request_.counts) {
      pass("counting features", kCounting, own_);
      pass("counting features", kCounting, other_);
    }
    if (request_.against != nullptr) match_other();
    if (request_.reads) pass("reading", costs_.reading, own_);
    if (request_.searches) {
      if (request_.is_exact) {
        join(own_, {});
      } else {
        search(own_, request_.measures_recall && request_.against == nullptr);
      }
    }
    if (request_.names) pass("looking up names", kNaming, own_);
    if (request_.last == "writing") {
      const std::string_view codec = request_.codec.empty() ? own_.codec : request_.codec;
      pass("writing", kWriting, own_, costs_of(codec).pack * own_.bytes);
    } else if (!request_.last.empty()) {
      pass(request_.last, kShowing, own_);
    }
    return std::move(stages_);
  }

 private:
  void add(std::string_view name, double work) {
    if (work > 0) stages_.push_back({name, work});
  }
  void pass(std::string_view name, double cost, const Volume& volume, double serial = 0) {
    add(name, cost * volume.bytes / threads_ + volume.unpacking + serial);
  }

  void match_other() {
    if (request_.is_exact) {
      pass("reading", costs_.reading, own_);
      pass("reading", costs_.reading, other_);
      join(own_, other_);
    } else {
      pass("reading", costs_.reading, both_);
      search(both_, request_.measures_recall);
      pass("reading", costs_.reading, other_);
    }
    if (request_.names) pass("looking up names", kNaming, other_);
  }

  void join(const Volume& left, const Volume& right) {
    if (costs_.collecting > 0) {
      pass("collecting", costs_.collecting, left);
      pass("collecting", costs_.collecting, right);
    }
    const double bytes = left.bytes + right.bytes, documents = static_cast<double>(request_.documents);
    double work = costs_.comparing * bytes;
    if (compares_sets(request_.definition.measure)) {
      add("ordering", (kOrderingFew + std::min(kOrderingMany, documents / kMany)) * bytes / threads_);
    }
    if (documents > 0 && compares_sets(request_.definition.measure)) {
      work += kComparingTwo * documents * documents * std::min(1.0, bytes / documents / kShort);
    }
    add("comparing", work / threads_);
  }

  void search(const Volume& volume, bool measures_recall) {
    const bool whole = measures_recall && is_measured_whole(volume);
    add("grouping",
        kGrouping * (measures_recall && !whole ? std::min(volume.bytes, kLargestSample) : 0.02 * volume.bytes));
    if (measures_recall && !whole) {
      pass("collecting and measuring recall", costs_.collecting, volume);
    } else {
      pass("collecting", kCollectingAlone, volume);
    }
    add("comparing", (costs_.comparing + (request_.names ? kEveryPair : 0)) * volume.bytes / threads_);
    if (!whole) return;
    pass("collecting", kMeasuringWhole, volume);
    add("comparing", costs_.comparing * volume.bytes / threads_);
  }

  // Few documents, but too large for a sample of them all to fit: search::find_pairs() measures them by an exact
  // search.
  [[nodiscard]] bool is_measured_whole(const Volume& volume) const {
    constexpr double kBytesPerFeature = 6;
    return request_.documents > 0 && request_.documents <= corpus::kMeasuredWhole &&
           volume.bytes / kBytesPerFeature > sample_bytes_ / corpus::BottomSample::kBytesPerFeature;
  }

  const PlanRequest& request_;
  const Costs& costs_;
  double threads_, sample_bytes_;
  Volume own_, other_, both_;
  std::vector<PlannedStage> stages_;
};

}  // namespace

std::vector<PlannedStage> plan_stages(const PlanRequest& request, const Context& context) {
  return Plan(request, context).stages();
}

void announce_stages(const PlanRequest& request, const Context& context) {
  if (context.observer != nullptr) context.observer->plan(plan_stages(request, context));
}

}  // namespace neardup::report
