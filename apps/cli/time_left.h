// How long will the rest of a run take?
//
// The run tells its plan, in which every stage has an amount of work. Stages that go through the input byte by byte
// teach how long a piece of work takes on this machine and on this input, first from what is done of the first; the
// stages to come are reckoned with that. A stage of another nature (comparing) is believed when it knows its own time,
// and once it advances, its own pace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/context.h"

namespace neardup::cli {

// Times are seconds since some moment, given by the caller.
class TimeLeft {
 public:
  void plan(std::span<const PlannedStage>);  // what follows the stage that runs
  void expect(double seconds);               // of the stage that begins next
  void begin(std::string_view name, std::uint64_t total, std::string_view unit, double now);
  void advance(std::uint64_t amount, double now);

  // From 1; 0 while no planned stage has begun.
  [[nodiscard]] std::size_t stage() const { return begun_; }
  [[nodiscard]] std::size_t stages() const { return planned_.size(); }
  // Of everything that is planned, or of this stage where nothing is; nothing while it is unknown.
  [[nodiscard]] std::optional<double> seconds(double now) const;

 private:
  struct Planned {
    std::string name;
    double work;
  };
  [[nodiscard]] bool is_planned() const { return current_is_planned_; }
  [[nodiscard]] double share_done() const;
  // Seconds that a piece of work takes, or 0 while that is not known.
  [[nodiscard]] double pace(double now) const;
  [[nodiscard]] std::optional<double> left_of_stage(double now) const;

  std::vector<Planned> planned_;
  std::size_t begun_ = 0;
  bool current_is_planned_ = false;
  bool teaches_ = false;  // the current stage goes through the input
  std::uint64_t done_ = 0, total_ = 0;
  double started_ = 0;
  double first_advance_ = 0;  // what a stage does before it advances at all says nothing about its pace
  std::uint64_t first_done_ = 0;
  double taught_seconds_ = 0, taught_work_ = 0;  // of finished stages
  std::optional<double> expected_, expected_next_;
};

}  // namespace neardup::cli
