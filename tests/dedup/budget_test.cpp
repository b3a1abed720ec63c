// Calls that share a budget and an arena.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "neardup/clean.h"
#include "neardup/fingerprint.h"
#include "neardup/match.h"
#include "neardup/memory.h"
#include "neardup/pairs.h"
#include "neardup/threads.h"
#include "support/collections.h"
#include "support/runs.h"
#include "support/scratch.h"

namespace neardup::test {
namespace {

std::vector<std::string> some_texts() {
  base::Random random(1);
  return near_copies(random, 600);
}

// The most that was reserved when something was said.
class Watching final : public Observer {
 public:
  explicit Watching(const MemoryBudget& budget) : budget_(budget) {}
  void stage(std::string_view, std::uint64_t, std::string_view) override { look(); }
  void advance(std::uint64_t) override { look(); }
  void warning(std::string_view) override { look(); }
  [[nodiscard]] std::size_t most() const { return most_; }

 private:
  void look() { most_ = std::max(most_, budget_.reserved()); }
  const MemoryBudget& budget_;
  std::size_t most_ = 0;
};

// A call and all that it answers, as text.
struct Call {
  const char* name;
  std::function<std::string(const Context&)> run;
};

std::string deduplicated(const DedupOptions& options, const Context& context) {
  std::string answer;
  for (const auto& [name, bytes] : TextsRun(some_texts(), options, context).files)
    answer += name + '\n' + (has_times(name) ? "" : bytes);
  return answer;
}

std::string found_pairs(const Definition& definition, const Context& context) {
  PairList pairs;
  find_pairs(Collection::from_texts(some_texts()), nullptr, {.definition = definition}, pairs, context);
  std::string answer;
  for (const Pair& pair : pairs.pairs()) answer += std::to_string(pair.left) + ' ' + std::to_string(pair.right) + '\n';
  return answer;
}

std::string matched(const Context& context) {
  const ScratchFolder folder;
  write_fingerprints(Collection::from_texts(some_texts()), {},
                     {.output = folder / "a.fps", .order = FingerprintOrder::fingerprint}, context);
  match_files({.base = folder / "a.fps", .queries = folder / "a.fps", .output = folder / "pairs.tsv"}, {}, context);
  return bytes_of(folder / "pairs.tsv");
}

std::string cleaned(const Context& context) {
  const ScratchFolder folder;
  std::string queries;
  for (int word = 0; word < 50; ++word) queries += "w" + std::to_string(word) + '\n';
  write_bytes(folder / "log.txt", queries);
  CleanOptions options;
  options.log = {.path = folder / "log.txt", .format = "lines"};
  const CleanResult result = clean_up(Collection::from_texts(some_texts()), options, context);
  std::string answer;
  for (std::size_t row = 0; row < result.clusters.rows(); ++row) answer += result.clusters.is_kept(row) ? '1' : '0';
  return answer;
}

std::vector<Call> calls() {
  const Definition loose{.threshold = {1, 2}};
  return {
      {"deduplicate exactly", [=](const Context& c) { return deduplicated({.definition = loose}, c); }},
      {"deduplicate by minhash",
       [=](const Context& c) { return deduplicated({.definition = loose, .finder = "minhash"}, c); }},
      {"deduplicate by simhash",
       [=](const Context& c) { return deduplicated({.definition = loose, .finder = "simhash"}, c); }},
      {"deduplicate as stars",
       [=](const Context& c) { return deduplicated({.definition = loose, .clusters = ClusterKind::star}, c); }},
      {"pairs of sets", [=](const Context& c) { return found_pairs(loose, c); }},
      {"pairs of strings",
       [](const Context& c) {
         return found_pairs({.measure = Measure::edit, .threshold = {5, 1}}, c);
       }},
      {"pairs of fingerprints",
       [](const Context& c) {
         return found_pairs({.measure = Measure::hamming, .threshold = {3, 1}, .weights = Weights::tfidf}, c);
       }},
      {"match", matched},
      {"clean", cleaned},
  };
}

TEST(SharedBudget, HasEverythingBackWhenACallIsOver) {
  for (const Call& call : calls()) {
    SCOPED_TRACE(call.name);
    for (const std::size_t limit : {std::size_t{64} << 20, std::size_t{1} << 30}) {
      const auto memory = std::make_shared<MemoryBudget>(limit);
      Watching watching(*memory);
      EXPECT_FALSE(call.run({.observer = &watching, .threads = 2, .memory = memory}).empty());
      EXPECT_EQ(memory->reserved(), 0u);
      EXPECT_GT(watching.most(), 1000u) << "a call reserves what it holds";
    }
  }
}

TEST(SharedBudget, HasEverythingBackWhenACallIsStopped) {
  for (const Call& call : calls()) {
    SCOPED_TRACE(call.name);
    for (int stop_at = 0; stop_at < 6; ++stop_at) {
      const auto memory = std::make_shared<MemoryBudget>(std::size_t{1} << 30);
      std::stop_source stop;
      int events = 0;
      EveryEvent observer([&](std::string_view) {
        if (events++ == stop_at) stop.request_stop();
      });
      try {
        call.run({.stop = stop.get_token(), .observer = &observer, .threads = 2, .memory = memory});
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::interrupted);
      }
      EXPECT_EQ(memory->reserved(), 0u);
    }
  }
}

TEST(SharedBudget, ChangesNoAnswerHoweverLittleIsLeft) {
  for (const Call& call : calls()) {
    SCOPED_TRACE(call.name);
    const std::string plenty = call.run({.threads = 2});
    const auto memory = std::make_shared<MemoryBudget>(std::size_t{1} << 30);
    const Reservation others = memory->reserve((std::size_t{1} << 30) - (std::size_t{64} << 20), "another call");
    EXPECT_EQ(call.run({.threads = 2, .memory = memory}), plenty);
    EXPECT_EQ(memory->reserved(), others.bytes());
  }
}

TEST(SharedBudget, AndArenaServeCallsAtTheSameTime) {
  const auto memory = std::make_shared<MemoryBudget>(std::size_t{1} << 30);
  const auto arena = std::make_shared<ThreadArena>(3);
  const Context context{.arena = arena, .memory = memory};
  for (const Call& call : calls()) {
    SCOPED_TRACE(call.name);
    const std::string alone = call.run({.threads = 1});
    std::string here, there;
    {
      const std::jthread other([&] { there = call.run(context); });
      here = call.run(context);
    }
    EXPECT_EQ(here, alone);
    EXPECT_EQ(there, alone);
    EXPECT_EQ(memory->reserved(), 0u);
  }
}

TEST(SharedBudget, CountsTheEvidenceThatAResultHolds) {
  const auto memory = std::make_shared<MemoryBudget>(std::size_t{1} << 30);
  {
    const DedupResult result =
        deduplicate(Collection::from_texts(some_texts()), {.keep_evidence = true}, {.memory = memory});
    EXPECT_GT(memory->reserved(), 0u);
    std::size_t pairs = 0;
    result.for_each_pair([&](const Pair&) { ++pairs; });
    EXPECT_GT(pairs, 0u);
  }
  EXPECT_EQ(memory->reserved(), 0u);
}

}  // namespace
}  // namespace neardup::test
