// What an interrupted run has finished already, and what this one leaves for the next.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dedup/checkpoint.h"
#include "dedup/plan.h"
#include "report/outputs.h"

namespace neardup::dedup {

// Does nothing unless OutputOptions::resume asks for it.
class Resume {
 public:
  Resume(const Collection&, const Collection* against, const DedupOptions&, const Context&);

  [[nodiscard]] bool is_on() const { return checkpoint_.has_value(); }
  [[nodiscard]] bool has(std::string_view stage) const { return checkpoint_ && checkpoint_->has(stage); }
  void load(const char* stage, const std::function<void(base::StateReader&)>& take) {
    checkpoint_->load(stage, take);
    loaded_.emplace_back(stage);
  }
  // The same for what belongs to a stage that is named otherwise.
  void load_quietly(std::string_view stage, const std::function<void(base::StateReader&)>& take) const {
    checkpoint_->load(stage, take);
  }
  void save(std::string_view stage, const std::function<void(base::StateWriter&)>& put) {
    if (checkpoint_) checkpoint_->save(stage, put);
  }
  void drop(std::string_view stage) {
    if (checkpoint_) checkpoint_->drop(stage);
  }
  // Files that will be worthless if this run is killed.
  void expect_to_leave(const report::Outputs& outputs) {
    if (checkpoint_) checkpoint_->expect_to_leave(outputs.unfinished());
  }
  // After the run has succeeded.
  void remove() {
    if (checkpoint_) checkpoint_->remove();
  }
  [[nodiscard]] const std::vector<std::string>& loaded() const { return loaded_; }

 private:
  std::optional<Checkpoint> checkpoint_;
  std::vector<std::string> loaded_;  // stages, in order
};

}  // namespace neardup::dedup
