#include "match/match_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/counted.h"
#include "base/guard.h"
#include "base/memory_plan.h"
#include "base/pair_output.h"
#include "base/system.h"
#include "hamming/kinds.h"
#include "neardup/error.h"

namespace neardup {
namespace matching {
namespace {

constexpr unsigned kBits = 64;
constexpr std::uint64_t kEnormous = 20'000'000;  // matches: half a gigabyte and more of text

// Says everything once, although a search for each chunk may repeat itself. Threads: as an Observer.
class OnceObserver final : public Observer {
 public:
  explicit OnceObserver(Observer& observer) : observer_(observer) {}
  void plan(std::span<const PlannedStage> stages) override { observer_.plan(stages); }
  void expect(double seconds) override { observer_.expect(seconds); }
  void stage(std::string_view name, std::uint64_t total, std::string_view unit) override {
    observer_.stage(name, total, unit);
  }
  void advance(std::uint64_t amount) override { observer_.advance(amount); }
  void warning(std::string_view message) override {
    if (std::ranges::find(said_, message) != said_.end()) return;
    said_.emplace_back(message);
    observer_.warning(message);
  }

 private:
  Observer& observer_;
  std::vector<std::string> said_;
};

// Tells that very many pairs are coming.
class WarningSink final : public PairSink {
 public:
  WarningSink(PairSink& sink, const Context& context) : sink_(sink), context_(context) {}
  bool accept(std::span<const Pair> pairs) override {
    const bool few = seen_ <= kEnormous;
    seen_ += pairs.size();
    if (few && seen_ > kEnormous && context_.observer != nullptr) {
      context_.observer->warning(fmt::format(
          "more than {} million matches: `matches=first` writes one for each query, and a lower `distance` finds "
          "fewer",
          kEnormous / 1'000'000));
    }
    return sink_.accept(pairs);
  }

 private:
  PairSink& sink_;
  const Context& context_;
  std::uint64_t seen_ = 0;
};

void check(const MatchSides& sides, const MatchOptions& options) {
  const HammingKind& kind = hamming::kind_by_name(options.index.kind);
  if (options.search.distance > kBits)
    throw Error(ErrorCode::usage, fmt::format("`distance` {} is not within 0 to {}", options.search.distance, kBits),
                "distance");
  check_same_making(sides.base, sides.queries);
  if (!kind.exact && !sides.queries.has_volatility()) {
    throw Error(ErrorCode::usage,
                fmt::format("`method` {} needs the volatility of the queries, which {} does not contain", kind.name,
                            sides.queries.name()),
                "volatility");
  }
}

constexpr std::size_t kBlockRows = 1u << 14;

// Goes through fingerprints in the caller's memory.
class MemoryReader final : public io::FingerprintReader {
 public:
  MemoryReader(const FingerprintsView& view, std::uint64_t first_row) : view_(view), next_(first_row) {}

  bool next() override {
    first_ = next_;
    next_ = std::min<std::uint64_t>(first_ + kBlockRows, view_.bits.size());
    return first_ < next_;
  }
  [[nodiscard]] std::uint64_t first_row() const override { return first_; }
  [[nodiscard]] std::size_t rows() const override { return static_cast<std::size_t>(next_ - first_); }

  void load(io::FingerprintSections sections, io::FingerprintBlock& out) override {
    out.clear();
    out.first_row = first_;
    const std::span<const std::uint64_t> bits = view_.bits.subspan(first_, rows());
    out.bits.assign(bits.begin(), bits.end());
    out.missing.assign((bits.size() + 63) / 64, 0);
    for (std::size_t i = 0; i < bits.size(); ++i)
      if (!view_.has(first_ + i)) out.missing[i / 64] |= std::uint64_t{1} << i % 64;
    if (!sections.volatility) return;
    const std::span<const Volatility> volatility = view_.volatility.subspan(first_, rows());
    out.volatility.assign(volatility.begin(), volatility.end());
  }

 private:
  const FingerprintsView& view_;
  std::uint64_t first_ = 0, next_;
};

// Fingerprints in the caller's memory, read like those of a file. Its records have no ids.
class MemorySource final : public io::FingerprintSource {
 public:
  MemorySource(const FingerprintsView& view, std::string name) : FingerprintSource(std::move(name)), view_(view) {
    for (std::uint64_t row = 0; row < view.bits.size(); ++row) missing_ += view.has(row) ? 0 : 1;
  }
  [[nodiscard]] const std::optional<io::FingerprintMaking>& making() const override { return making_; }
  [[nodiscard]] FingerprintOrder order() const override { return FingerprintOrder::input; }
  [[nodiscard]] bool has_volatility() const override { return view_.bits.empty() || !view_.volatility.empty(); }
  [[nodiscard]] std::uint64_t rows() const override { return view_.bits.size(); }
  [[nodiscard]] std::uint64_t missing() const override { return missing_; }
  [[nodiscard]] std::unique_ptr<io::FingerprintReader> read(std::uint64_t from) const override {
    return std::make_unique<MemoryReader>(view_, from);
  }

 private:
  const FingerprintsView& view_;
  std::uint64_t missing_ = 0;
  std::optional<io::FingerprintMaking> making_;  // the caller knows
};

// The view must outlive the source; `name` is for messages. Throws Error{usage} for spans of different sizes,
// Error{limit} for 2^32 rows.
std::unique_ptr<io::FingerprintSource> source_of(const FingerprintsView& view, std::string name) {
  for (const auto& [what, size] :
       {std::pair("status", view.status.size()), std::pair("volatility", view.volatility.size())}) {
    if (size != 0 && size != view.bits.size()) {
      throw Error(ErrorCode::usage, fmt::format("the {} has {} fingerprints, but {} entries of `{}`", name,
                                                view.bits.size(), size, what));
    }
  }
  if (view.bits.size() > std::numeric_limits<std::uint32_t>::max())
    throw Error(ErrorCode::limit, fmt::format("the {} has 2^32 fingerprints or more: search them in parts", name));
  return std::make_unique<MemorySource>(view, std::move(name));
}

}  // namespace

FoundMatches search_matches(const MatchSides& sides, const MatchOptions& options,
                            const std::optional<MatchPlan>& forced, const Context& given) {
  check(sides, options);
  std::optional<OnceObserver> observer;
  Context context = given;
  if (given.observer != nullptr) context.observer = &observer.emplace(*given.observer);
  MatchPlan plan = forced ? *forced : plan_match(sides, options, context);
  for (;;) {
    // The store outlives this call, and so does the context that was given.
    FoundMatches found{
        .pairs = std::make_unique<search::PairStore>(base::plan_memory(base::memory_left(context)).pairs, given)};
    WarningSink warning(*found.pairs, context);
    try {
      found.report = search_as_planned(sides, options, plan, warning, context);
    } catch (const Error& error) {
      // The last resort: fingerprints crowd so much that an index takes more than any plan could know.
      if (error.code() != ErrorCode::limit) throw;
      plan = smaller(plan, sides, options, error);
      continue;
    }
    found.pairs->finish();
    found.report.search.matches = found.pairs->size();
    return found;
  }
}

std::string explain(const MatchSides& sides, const MatchOptions& options, const Context& context) {
  check(sides, options);
  const MatchPlan plan = plan_match(sides, options, context);
  std::string text;
  const auto line = [&](std::string_view what, const std::string& value) {
    text += fmt::format("{:<9}{}\n", what, value);
  };
  for (const auto& [what, side] : {std::pair("base", &sides.base), std::pair("queries", &sides.queries)}) {
    line(what,
         fmt::format("{}: {}, {} without one", side->name(), base::counted(side->rows(), "fingerprint", "fingerprints"),
                     base::counted(side->missing(), "document", "documents")));
  }
  const HammingKind& kind = hamming::kind_by_name(options.index.kind);
  line("method", fmt::format("{}: {}", kind.name, kind.summary));
  line("plan", describe(plan, sides));
  line("memory", fmt::format("{} bytes at least for an index of {} fingerprints; it may take {}",
                             base::with_commas(need_of(options).bytes(plan.part_rows)),
                             base::with_commas(plan.part_rows), base::with_commas(plan.index_bytes)));
  text += fmt::format("\nTables of sorted copies for {} fingerprints and distance {}:\n",
                      base::with_commas(plan.part_rows), options.search.distance);
  try {
    text += choose_design(plan.part_rows, kBits, options.search.distance, plan.index_bytes).explanation;
  } catch (const Error& error) {
    text += fmt::format("none: {}\n", error.what());
  }
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

}  // namespace matching

MatchReport find_matches(const FingerprintsView& base, const FingerprintsView& queries, const MatchOptions& options,
                         PairSink& sink, const Context& context) {
  return base::guarded(context, [&](const Context& call) {
    const base::Stopwatch watch;
    const auto left = matching::source_of(queries, "queries"), right = matching::source_of(base, "base");
    auto [report, pairs] = matching::search_matches({.base = *right, .queries = *left}, options, std::nullopt, call);
    base::PairOutput output(sink, 0);
    base::PairBatch batch(output);
    pairs->for_each([&](const Pair& pair) { batch.add(pair.left, pair.right, pair.score); });
    batch.finish();
    base::check_stop(call);
    report.peak_memory_bytes = base::peak_memory_bytes();
    report.seconds = watch.seconds();
    return std::move(report);
  });
}

std::string explain_match(const FingerprintsView& base, const FingerprintsView& queries, const MatchOptions& options,
                          const Context& context) {
  return base::guarded(context, [&](const Context& call) {
    const auto left = matching::source_of(queries, "queries"), right = matching::source_of(base, "base");
    return matching::explain({.base = *right, .queries = *left}, options, call);
  });
}

}  // namespace neardup
