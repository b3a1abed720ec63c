// `match`: read, search, sort, name, write.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/guard.h"
#include "base/json_writer.h"
#include "base/memory_plan.h"
#include "base/system.h"
#include "io/codecs/codecs.h"
#include "io/output.h"
#include "match/match_files.h"
#include "match/match_names.h"
#include "match/match_plan.h"
#include "match/match_search.h"
#include "neardup/error.h"
#include "report/tsv_output.h"
#include "search/pair_store.h"

namespace neardup {
namespace matching {
namespace {

constexpr std::uint64_t kEnormous = 20'000'000;  // matches: half a gigabyte and more of text

// Says everything once, although a search for each chunk may repeat itself. Threads: as an Observer.
class OnceObserver final : public Observer {
 public:
  explicit OnceObserver(Observer* observer) : observer_(observer) {}
  void stage(std::string_view name, std::uint64_t total, std::string_view unit) override {
    if (observer_ != nullptr) observer_->stage(name, total, unit);
  }
  void advance(std::uint64_t amount) override {
    if (observer_ != nullptr) observer_->advance(amount);
  }
  void warning(std::string_view message) override {
    if (std::ranges::find(said_, message) != said_.end()) return;
    said_.emplace_back(message);
    if (observer_ != nullptr) observer_->warning(message);
  }

 private:
  Observer* observer_;
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

struct Sides {
  std::unique_ptr<io::FingerprintSource> base, queries;
};

Sides open_sides(const MatchOptions& options, const Context& context) {
  constexpr unsigned kBits = 64;
  if (options.search.distance > kBits)
    throw Error(ErrorCode::usage, fmt::format("`distance` {} is not within 0 to {}", options.search.distance, kBits),
                "distance");
  const bool exact = is_exact(options.method);
  if (options.base == "-" && options.queries == "-")
    throw Error(ErrorCode::usage, "- is named twice; standard input can be read only once");
  Sides sides;
  sides.base = io::open_fingerprints(options.base, context);
  sides.queries = io::open_fingerprints(options.queries, context);
  check_same_making(*sides.base, *sides.queries);
  if (!exact && !sides.queries->has_volatility()) {
    throw Error(ErrorCode::usage,
                fmt::format("`method` {} needs the volatility of the queries, which {} does not hold", options.method,
                            options.queries),
                "volatility");
  }
  return sides;
}

void write_stats(base::JsonWriter& json, const MatchReport& report) {
  json.string("method", report.method);
  json.string("description", report.description);
  json.integer("base", report.base);
  json.integer("base_without_features", report.base_without);
  json.integer("queries", report.queries);
  json.integer("queries_without_features", report.queries_without);
  json.integer("matches", report.search.matches);
  json.integer("chunks", report.chunks);
  json.integer("index_bytes", report.index_bytes);
  json.integer("probes", report.search.probes);
  json.integer("compared", report.search.compared);
  json.integer("largest_probe_count", report.search.largest_probe_count);
  json.string("fallback", report.search.fallback);
  json.raw("build_seconds", fmt::format("{:.6f}", report.build_seconds));
  json.raw("search_seconds", fmt::format("{:.6f}", report.search.search_seconds));
  json.raw("seconds", fmt::format("{:.3f}", report.seconds));
  json.integer("peak_bytes", report.peak_bytes);
}

std::string grouped(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string explain(const MatchOptions& options, const Context& context) {
  constexpr unsigned kBits = 64;
  const Sides sides = open_sides(options, context);
  const MatchPlan plan = plan_match(*sides.base, *sides.queries, options, context);
  std::string text;
  const auto line = [&](std::string_view what, const std::string& value) {
    text += fmt::format("{:<9}{}\n", what, value);
  };
  line("base", fmt::format("{}: {} fingerprints, {} documents without", options.base, grouped(sides.base->rows()),
                           grouped(sides.base->missing())));
  line("queries", fmt::format("{}: {} fingerprints, {} documents without", options.queries,
                              grouped(sides.queries->rows()), grouped(sides.queries->missing())));
  for (const HammingKind& kind : hamming_kinds()) {
    if (kind.name == options.method) line("method", fmt::format("{}: {}", kind.name, kind.summary));
  }
  line("plan", describe(plan, *sides.base, *sides.queries));
  line("memory", fmt::format("{} bytes at least for an index of {} fingerprints; it may take {}",
                             grouped(least_index_bytes(options.method, plan.part_rows)), grouped(plan.part_rows),
                             grouped(plan.index_bytes)));
  text += fmt::format("\nTables of sorted copies for {} fingerprints and distance {}:\n", grouped(plan.part_rows),
                      options.search.distance);
  try {
    text += choose_design(plan.part_rows, kBits, options.search.distance, plan.index_bytes).explanation;
  } catch (const Error& error) {
    text += fmt::format("none: {}\n", error.what());
  }
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

}  // namespace

MatchReport match_as_planned(const MatchOptions& options, const std::optional<MatchPlan>& forced,
                             const Context& given) {
  const base::Stopwatch watch;
  OnceObserver observer(given.observer);
  Context context = given;
  context.observer = &observer;
  const std::array inputs{options.base, options.queries};
  for (const std::string& output : {options.output, options.stats}) {
    if (!output.empty() && output != "-") io::check_apart_from_files(inputs, output, context);
  }
  report::TsvOutput out(options.output, options.overwrite, context);
  std::unique_ptr<io::OutputTransaction> stats;
  if (!options.stats.empty())
    stats = std::make_unique<io::OutputTransaction>(options.stats, options.overwrite, context);
  const Sides sides = open_sides(options, context);
  MatchReport report;
  report.method = options.method;
  report.base = sides.base->rows();
  report.base_without = sides.base->missing();
  report.queries = sides.queries->rows();
  report.queries_without = sides.queries->missing();

  MatchPlan plan = forced ? *forced : plan_match(*sides.base, *sides.queries, options, context);
  std::optional<search::PairStore> pairs;
  MatchOutcome outcome;
  for (bool done = false; !done;) {
    pairs.emplace(base::plan_memory(base::memory_left(context)).pairs, context);
    WarningSink warning(*pairs, context);
    try {
      outcome =
          search_files({.base = *sides.base, .queries = *sides.queries, .options = options}, plan, warning, context);
      done = true;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::limit) throw;
      plan = smaller(plan, *sides.queries, options, error);
    }
  }
  pairs->finish();
  report.description = std::move(outcome.description);
  report.chunks = outcome.chunks;
  report.index_bytes = outcome.index_bytes;
  report.build_seconds = outcome.build_seconds;
  report.search = std::move(outcome.search);
  report.search.search_seconds = outcome.search_seconds;
  report.search.queries = report.queries;
  report.search.matches = pairs->size();

  out.write("left\tright\tscore\n");
  MatchWriter writer(
      *sides.queries, *sides.base, base::plan_memory(context).names, [&](std::string_view line) { out.write(line); }, context);
  pairs->for_each([&](const Pair& pair) { writer.add(pair); });
  writer.finish();
  out.close();
  report.peak_bytes = base::peak_memory_bytes();
  report.seconds = watch.seconds();
  if (stats != nullptr) {
    const auto sink = io::open_sink(base::files(context), stats->working_path(), io::plain_codec());
    sink->write(to_json(report) + "\n");
    sink->close();
  }
  base::check_stop(context);
  io::OutputTransaction::commit_together({out.transaction(), stats.get()});
  return report;
}

}  // namespace matching

MatchReport match(const MatchOptions& options, const Context& context) {
  return base::guarded(
      context, [&](const Context& call) { return matching::match_as_planned(options, std::nullopt, call); });
}

std::string explain_match(const MatchOptions& options, const Context& context) {
  return base::guarded(context, [&](const Context& call) { return matching::explain(options, call); });
}

std::string to_json(const MatchReport& report) {
  base::JsonWriter json;
  json.begin_object();
  matching::write_stats(json, report);
  json.end_object();
  return json.text();
}

}  // namespace neardup
