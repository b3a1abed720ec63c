#include "dedup/stage_plan.h"

#include <utility>

#include "io/codecs.h"
#include "io/collection.h"

namespace neardup::dedup {
namespace {

// Measured on several collections of texts (bench/progress.py compares the forecasts with what came); what a byte costs
// in the first reading is 1.
struct Costs {
  double reading, collecting, comparing;
};
constexpr Costs kExact{.reading = 1, .collecting = 0.9, .comparing = 0.3};
constexpr Costs kSketched{.reading = 1, .collecting = 0.5, .comparing = 0.1};
constexpr Costs kHamming{.reading = 1, .collecting = 0, .comparing = 0.05};
constexpr Costs kEdit{.reading = 1, .collecting = 0.5, .comparing = 2};
constexpr double kCounting = 1, kGrouping = 0.05, kNaming = 0.15, kWriting = 0.2;
constexpr double kInflated = 5;  // what a compressed byte stands for

double bytes_of(const Collection& collection) {
  double bytes = 0;
  for (const io::Source& source : collection.impl().sources) {
    bytes += static_cast<double>(source.file_bytes) * (source.codec == &io::plain_codec() ? 1 : kInflated);
  }
  return bytes;
}

class Plan {
 public:
  explicit Plan(const PlanRequest& request)
      : request_(request),
        costs_(!request.is_exact                                ? kSketched
               : request.definition.measure == Measure::hamming ? kHamming
               : request.definition.measure == Measure::edit    ? kEdit
                                                                : kExact),
        bytes_(bytes_of(request.collection)),
        other_bytes_(request.against == nullptr ? 0 : bytes_of(*request.against)) {}

  std::vector<PlannedStage> stages() {
    if (request_.counts) {
      add("counting features", kCounting * bytes_);
      if (request_.against != nullptr) add("counting features", kCounting * other_bytes_);
    }
    if (request_.against != nullptr) match_other();
    if (request_.reads) add("reading", costs_.reading * bytes_);
    if (request_.searches) search(bytes_, 0, request_.measures_recall && request_.against == nullptr);
    if (request_.names) add("looking up names", kNaming * bytes_);
    if (!request_.last.empty()) add(request_.last, kWriting * bytes_);
    return std::move(stages_);
  }

 private:
  void add(std::string_view name, double work) {
    if (work > 0) stages_.push_back({name, work});
  }

  void match_other() {
    if (request_.is_exact) {
      add("reading", costs_.reading * bytes_);
      add("reading", costs_.reading * other_bytes_);
      search(bytes_, other_bytes_, false);
    } else {
      const double both = bytes_ + other_bytes_;
      add("reading", costs_.reading * both);
      search(both, 0, request_.measures_recall);
      add("reading", costs_.reading * other_bytes_);
    }
    if (request_.names) add("looking up names", kNaming * other_bytes_);
  }

  void search(double first, double second, bool measures_recall) {
    if (!request_.is_exact) add("grouping", kGrouping * first);
    add(measures_recall && !request_.is_exact ? "collecting and measuring recall" : "collecting",
        costs_.collecting * first);
    add("collecting", costs_.collecting * second);
    add("comparing", costs_.comparing * (first + second));
  }

  const PlanRequest& request_;
  const Costs& costs_;
  double bytes_, other_bytes_;
  std::vector<PlannedStage> stages_;
};

}  // namespace

std::vector<PlannedStage> plan_stages(const PlanRequest& request) { return Plan(request).stages(); }

void announce_stages(const PlanRequest& request, const Context& context) {
  if (context.observer != nullptr) context.observer->plan(plan_stages(request));
}

}  // namespace neardup::dedup
