// Which of a finder's candidates meet the definition?
#pragma once

#include <memory>
#include <span>

#include "search/finder.h"
#include "search/found.h"
#include "search/scorer.h"
#include "search/sketched.h"

namespace neardup::search {

// Verifies candidates, whose sets are loaded, and keeps what meets the definition in `found`.
class VerifyingSink final : public CandidateSink {
 public:
  VerifyingSink(const SketchedRequest&, Found&, const Context&);
  ~VerifyingSink() override;

  void consider(Unit a, Unit b) override;
  bool asks_for_connections() const override { return wanted_ == Wanted::connections; }
  bool settled(std::span<const Unit> units) override;
  void consider_all(std::span<const Unit> a, std::span<const Unit> b, const IsCandidate&) override;

  void finish();  // after the last candidate

 private:
  struct Locals;  // what each thread has found
  class Accepting;

  [[nodiscard]] bool is_wanted(Unit a, Unit b) const;
  void join(std::span<const Unit> a, std::span<const Unit> b, const IsCandidate&);

  const Definition& definition_;
  const corpus::Units& units_;
  Scorer scorer_;
  Wanted wanted_;
  const TwoSides* sides_;
  Found& found_;
  Context context_;  // reports no progress: candidates are a part of a stage
  std::unique_ptr<Locals> locals_;
};

}  // namespace neardup::search
