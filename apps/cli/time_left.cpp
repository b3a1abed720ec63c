#include "time_left.h"

#include <algorithm>
#include <cmath>

namespace neardup::cli {
namespace {

constexpr double kLeastShare = 0.01;    // of a stage, before its pace says anything
constexpr double kLeastSeconds = 0.25;  // the same: opening files and starting threads is no pace
constexpr double kPlanCounts = 0.05;    // what is known beforehand counts as much as so large a share that is done

}  // namespace

void TimeLeft::plan(std::span<const PlannedStage> stages) {
  planned_.resize(begun_);
  for (const PlannedStage& stage : stages) planned_.push_back({std::string(stage.name), stage.work});
}

void TimeLeft::expect(double seconds) { expected_next_ = seconds; }

void TimeLeft::begin(std::string_view name, std::uint64_t total, std::string_view unit, double now) {
  if (is_planned() && teaches_) {
    taught_seconds_ += now - started_;
    taught_work_ += planned_[begun_ - 1].work;
  }
  const auto next = std::find_if(planned_.begin() + static_cast<std::ptrdiff_t>(begun_), planned_.end(),
                                 [&](const Planned& stage) { return stage.name == name; });
  current_is_planned_ = next != planned_.end();
  if (current_is_planned_) begun_ = static_cast<std::size_t>(next - planned_.begin()) + 1;
  teaches_ = unit == "bytes";
  done_ = first_done_ = 0;
  total_ = total;
  started_ = now;
  expected_ = expected_next_;
  expected_next_.reset();
}

void TimeLeft::advance(std::uint64_t amount, double now) {
  done_ += amount;
  if (first_done_ != 0) return;
  first_done_ = amount;
  first_advance_ = now;
}

double TimeLeft::share_done() const {
  return total_ == 0 ? 0 : std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_));
}

double TimeLeft::pace(double now) const {
  double seconds = taught_seconds_, work = taught_work_;
  if (is_planned() && teaches_ && share_done() >= kLeastShare && now - started_ >= kLeastSeconds) {
    seconds += now - started_;
    work += share_done() * planned_[begun_ - 1].work;
  }
  return work > 0 ? seconds / work : 0;
}

std::optional<double> TimeLeft::left_of_stage(double now) const {
  const double elapsed = now - started_, share = share_done();
  const double known = taught_work_ > 0 ? taught_seconds_ / taught_work_ : 0;
  std::optional<double> beforehand = expected_;
  if (!beforehand && is_planned() && known > 0) beforehand = known * planned_[begun_ - 1].work;
  const double since_first = now - first_advance_;
  const double first_share = total_ == 0 ? 0 : static_cast<double>(first_done_) / static_cast<double>(total_);
  if (share < kLeastShare || elapsed < kLeastSeconds) {
    if (!beforehand) return std::nullopt;
    return std::max(0.0, *beforehand - elapsed);
  }
  // Most of the first step's time is that of getting started, unless it is a large step.
  const bool steps_are_small = since_first >= kLeastSeconds && share - first_share >= kLeastShare;
  const double seen = steps_are_small ? since_first / (share - first_share) : elapsed / share;
  if (!beforehand) return (1 - share) * seen;
  // Between the two by ratio, so that a forecast that is wrong by far is soon forgotten.
  const double belief = share / (share + kPlanCounts);
  const double whole = seen * std::pow(std::max(*beforehand, kLeastSeconds) / seen, 1 - belief);
  // However wrong the plan was, what is left goes to nothing together with the work.
  return (1 - share) * whole;
}

std::optional<double> TimeLeft::seconds(double now) const {
  const auto left = left_of_stage(now);
  if (planned_.empty()) return left;
  const double seconds_per_work = pace(now);
  if (!left || seconds_per_work == 0) return std::nullopt;
  double work = 0;
  for (std::size_t i = begun_; i < planned_.size(); ++i) work += planned_[i].work;
  return *left + work * seconds_per_work;
}

}  // namespace neardup::cli
