#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <sstream>
#include <tuple>

#include "match/match_plan.h"
#include "neardup/match.h"
#include "support/failing_files.h"
#include "support/fingerprints.h"
#include "support/runs.h"
#include "support/scratch.h"

namespace neardup::test {
namespace {

using matching::MatchPlan;
using testing::HasSubstr;

using Records = std::vector<NamedFingerprint>;

// What `match` must write.
std::string naive_match(const Records& base, const Records& queries, const SearchOptions& search) {
  std::string out = "left\tright\tscore\n";
  for (const NamedFingerprint& query : queries) {
    for (const NamedFingerprint& row : base) {
      if (!query.fingerprint || !row.fingerprint) continue;
      const auto distance = static_cast<unsigned>(std::popcount(query.fingerprint->bits ^ row.fingerprint->bits));
      if (distance > search.distance) continue;
      out += query.id + '\t' + row.id + '\t' + std::to_string(distance) + '\n';
      if (search.matches == MatchKind::first) break;
    }
  }
  return out;
}

// Groups of fingerprints a few bits apart, copies, and some documents without features.
Records clustered(base::Random& random, std::size_t count, const std::string& prefix) {
  Records records;
  std::uint64_t centre = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (random.below(4) == 0) centre = base::mix64(1 + random.below(30));
    std::uint64_t bits = centre;
    for (std::uint64_t flips = random.below(5); flips > 0; --flips) bits ^= std::uint64_t{1} << random.below(64);
    records.push_back({Fingerprint{bits}, prefix + std::to_string(i)});
    if (random.below(15) == 0) records.back().fingerprint.reset();
  }
  return records;
}

MatchOptions options_for(std::string_view kind, const SearchOptions& search) {
  return {.index = {.kind = std::string(kind)}, .search = search};
}

class MatchFolder {
 public:
  MatchFolder(const Records& base, const Records& queries) {
    write_fps(folder_ / "base.fps", base, {.volatility = true, .block_records = 16});
    write_fps(folder_ / "queries.fps", queries, {.volatility = true, .block_records = 7});
  }
  [[nodiscard]] MatchFiles files() const {
    return {.base = folder_ / "base.fps",
            .queries = folder_ / "queries.fps",
            .output = folder_ / "pairs.tsv",
            .overwrite = Overwrite::replace};
  }
  std::string run(const MatchOptions& options, const std::optional<MatchPlan>& plan, unsigned threads) {
    Context context{.threads = threads, .temp_folder = folder_ / "temp"};
    report = matching::match_as_planned(files(), options, plan, context);
    return bytes_of(folder_ / "pairs.tsv");
  }
  std::string operator/(const std::string& name) const { return folder_ / name; }

  MatchReport report;

 private:
  ScratchFolder folder_;
};

TEST(Match, IsBruteForceForEveryExactMethodPlanAndNumberOfThreads) {
  base::Random random(11);
  for (int round = 0; round < 12; ++round) {
    const Records base = clustered(random, random.below(300), "b"), queries = clustered(random, random.below(200), "q");
    MatchFolder folder(base, queries);
    SearchOptions search;
    search.distance = static_cast<unsigned>(random.below(6));
    for (const MatchKind matches : {MatchKind::all, MatchKind::first}) {
      search.matches = matches;
      const std::string expected = naive_match(base, queries, search);
      for (const HammingKind& kind : hamming_kinds()) {
        if (!kind.exact) continue;
        const MatchOptions options = options_for(kind.name, search);
        EXPECT_EQ(folder.run(options, std::nullopt, 2), expected) << kind.name;
        for (const auto indexed : {MatchPlan::Indexed::base, MatchPlan::Indexed::queries}) {
          const MatchPlan plan{.indexed = indexed,
                               .part_rows = 1 + random.below(150),
                               .chunk_rows = static_cast<std::size_t>(1 + random.below(100))};
          const auto threads = static_cast<unsigned>(1 + random.below(2));
          EXPECT_EQ(folder.run(options, plan, threads), expected)
              << kind.name << ", parts of " << plan.part_rows << ", chunks of " << plan.chunk_rows;
          EXPECT_EQ(folder.report.queries, queries.size());
        }
      }
    }
  }
}

TEST(Match, OfProbableMatchesFindsNothingThatIsNotThere) {
  base::Random random(12);
  const Records base = clustered(random, 500, "b"), queries = clustered(random, 300, "q");
  MatchFolder folder(base, queries);
  const std::string truth = naive_match(base, queries, {});
  for (const HammingKind& kind : hamming_kinds()) {
    if (kind.exact) continue;
    for (const std::uint64_t part : {1000u, 100u}) {
      for (const MatchKind matches : {MatchKind::all, MatchKind::first}) {
        const MatchOptions options = options_for(kind.name, {.matches = matches});
        std::istringstream lines(folder.run(options, MatchPlan{.part_rows = part, .chunk_rows = 64}, 2));
        std::string last_query;
        for (std::string line; std::getline(lines, line);) {
          EXPECT_THAT(truth, HasSubstr(line + "\n"));
          const std::string query = line.substr(0, line.find('\t'));
          EXPECT_TRUE(matches == MatchKind::all || query != last_query) << line;
          last_query = query;
        }
      }
    }
  }
}

TEST(Match, OfAFileWithItselfFindsEveryFingerprint) {
  const Records records = random_fingerprints(5, 500);
  MatchFolder folder(records, records);
  MatchFiles files = folder.files();
  files.queries = files.base;
  EXPECT_EQ(match_files(files, options_for("scan", {.distance = 0}), {}).search.matches, 500u);
  EXPECT_EQ(bytes_of(files.output), naive_match(records, records, {.distance = 0}));
}

TEST(Match, FirstIsNotQuadraticWhereEverythingIsEqual) {
  const Records base(20'000, {Fingerprint{7}, "b"}), queries(20'000, {Fingerprint{6}, "q"});
  MatchFolder folder(base, queries);
  for (const auto indexed : {MatchPlan::Indexed::base, MatchPlan::Indexed::queries}) {
    const MatchPlan plan{.indexed = indexed, .part_rows = 20'000, .chunk_rows = 1000};
    folder.run(options_for("fast", {.matches = MatchKind::first}), plan, 2);
    EXPECT_EQ(folder.report.search.matches, 20'000u);
    EXPECT_LE(folder.report.search.compared, 10 * 20'000u);
  }
}

TEST(Match, StopsReadingOnceEveryQueryIsAnswered) {
  Records base = random_fingerprints(5, 1000), queries(base.begin(), base.begin() + 10);
  MatchFolder folder(base, queries);
  const MatchPlan plan{.indexed = MatchPlan::Indexed::queries, .part_rows = 10, .chunk_rows = 100};
  folder.run(options_for("scan", {.matches = MatchKind::first}), plan, 1);
  EXPECT_EQ(folder.report.chunks, 1u);
  folder.run(options_for("scan", {.matches = MatchKind::all}), plan, 1);
  EXPECT_EQ(folder.report.chunks, 10u);
}

TEST(Match, FirstSplitsStretchesThatHoldTooManyPairs) {
  // 5000 different queries, all near every one of 5000 rows: more pairs than one stretch may have.
  Records base, queries;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    base.push_back({Fingerprint{i}, "b" + std::to_string(i)});
    queries.push_back({Fingerprint{i << 20}, "q" + std::to_string(i)});
  }
  MatchFolder folder(base, queries);
  const SearchOptions search{.distance = 64, .matches = MatchKind::first};
  const MatchPlan plan{.indexed = MatchPlan::Indexed::queries, .part_rows = 5000, .chunk_rows = 5000};
  EXPECT_EQ(folder.run(options_for("scan", search), plan, 2), naive_match(base, queries, search));
  EXPECT_LT(folder.report.search.compared, 2 * 25'000'000u);  // each pair twice at most
}

TEST(Match, GivesTheSameForEveryMemory) {
  base::Random random(4);
  Records base = random_fingerprints(8, 700'000);
  Records queries = clustered(random, 2000, "q");
  for (std::size_t i = 0; i < 500; ++i) {
    base[random.below(base.size())].fingerprint = queries[random.below(queries.size())].fingerprint;
  }
  MatchFolder folder(base, queries);
  for (const MatchKind matches : {MatchKind::all, MatchKind::first}) {
    std::set<std::string> outputs;
    std::set<std::uint64_t> chunks;
    for (const std::size_t memory : {std::size_t{32} << 20, std::size_t{1} << 30}) {
      Context context{.memory_bytes = memory, .temp_folder = folder / "temp"};
      const MatchReport report = match_files(folder.files(), options_for("fast", {.matches = matches}), context);
      outputs.insert(bytes_of(folder / "pairs.tsv"));
      chunks.insert(report.chunks);
    }
    EXPECT_EQ(outputs.size(), 1u);
    EXPECT_EQ(chunks.size(), 2u) << "the smaller memory was meant to need several chunks";
  }
}

TEST(Match, SaysHowMuchMemorySuffices) {
  base::Random random(4);
  MatchFolder folder(random_fingerprints(1, 300'000), random_fingerprints(2, 300'000));
  const MatchOptions options = options_for("fast", {});
  Context context{.memory_bytes = 1u << 20, .temp_folder = folder / "temp"};
  const std::string message = error_of(ErrorCode::limit, [&] { match_files(folder.files(), options, context); });
  ASSERT_THAT(message, HasSubstr("the least that suffices is "));
  context.memory_bytes = std::stoull(message.substr(message.rfind(' ') + 1)) << 20;
  EXPECT_EQ(match_files(folder.files(), options, context).search.matches, 0u);
}

TEST(Match, NamesRowsWhenNotAllNamesFitIntoMemory) {
  Records base, queries;
  for (std::size_t i = 0; i < 3000; ++i) {
    base.push_back({Fingerprint{i % 7 * 0x111111}, std::string(3000, 'x') + std::to_string(i)});
  }
  for (std::uint64_t i = 0; i < 7; ++i) queries.push_back({Fingerprint{i * 0x111111}, "q" + std::to_string(i)});
  MatchFolder folder(base, queries);
  Context context{.memory_bytes = 20u << 20, .temp_folder = folder / "temp"};
  const MatchOptions options = options_for("scan", {.distance = 0});
  match_files(folder.files(), options, context);
  EXPECT_EQ(bytes_of(folder / "pairs.tsv"), naive_match(base, queries, options.search));
}

TEST(Match, RefusesProbableMethodsWithoutVolatility) {
  MatchFolder folder({}, {});
  for (const HammingKind& kind : hamming_kinds()) {
    if (kind.exact) continue;
    write_bytes(folder / "queries.hex", "0000000000000001\n");
    MatchFiles files = folder.files();
    files.queries = folder / "queries.hex";
    EXPECT_THAT(error_of(ErrorCode::usage, [&] { match_files(files, options_for(kind.name, {}), {}); }),
                HasSubstr("volatility"));
  }
}

TEST(Match, OfNothingIsAHeader) {
  const Records some = random_fingerprints(1, 3), none, empty(3, {std::nullopt, "e"});
  for (const auto& [base, queries] :
       {std::pair(some, none), {none, some}, {none, none}, {empty, some}, {some, empty}}) {
    MatchFolder folder(base, queries);
    for (const HammingKind& kind : hamming_kinds()) {
      EXPECT_EQ(folder.run(options_for(kind.name, {}), std::nullopt, 1), "left\tright\tscore\n");
    }
  }
}

TEST(Match, LeavesNothingBehindWhenStopped) {
  const Records records = random_fingerprints(1, 1000);
  MatchFolder folder(records, records);
  MatchFiles files = folder.files();
  files.stats = folder / "stats.json";
  for (int at = 0;; ++at) {
    std::stop_source stop;
    int events = 0;
    EveryEvent observer([&](std::string_view) {
      if (events++ == at) stop.request_stop();
    });
    Context context{.stop = stop.get_token(), .observer = &observer, .temp_folder = folder / "temp"};
    try {
      match_files(files, options_for("scan", {}), context);
      break;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::interrupted);
      EXPECT_FALSE(std::filesystem::exists(folder / "pairs.tsv") || std::filesystem::exists(folder / "stats.json"));
    }
  }
}

TEST(Match, ExplainsWithoutSearching) {
  MatchFolder folder(random_fingerprints(1, 100), random_fingerprints(2, 10));
  Context context;
  const std::string text = explain_match(folder.files(), options_for("fast", {}), context);
  EXPECT_THAT(text, HasSubstr("method   fast"));
  EXPECT_THAT(text, HasSubstr("one index of"));
  EXPECT_FALSE(std::filesystem::exists(folder / "pairs.tsv"));
}

// The records as spans in memory, with the volatilities that write_fps() writes.
struct InMemory {
  explicit InMemory(const Records& records) {
    for (const NamedFingerprint& record : records) {
      volatility.emplace_back().level.fill(static_cast<std::uint8_t>(bits.size()));
      bits.push_back(record.fingerprint ? record.fingerprint->bits : 0);
      status.push_back(record.fingerprint ? RowStatus::document : RowStatus::without_features);
    }
  }
  [[nodiscard]] FingerprintsView view() const { return {bits, status, volatility}; }

  std::vector<std::uint64_t> bits;
  std::vector<RowStatus> status;
  std::vector<Volatility> volatility;
};

// Pairs of rows as the lines that match_files() writes.
std::string as_lines(const std::vector<Pair>& pairs, const Records& base, const Records& queries) {
  std::string out = "left\tright\tscore\n";
  for (const Pair& pair : pairs)
    out += fmt::format("{}\t{}\t{}\n", queries[pair.left].id, base[pair.right].id, pair.score);
  return out;
}

TEST(FindMatches, GivesForSpansWhatFilesGiveForEveryMethod) {
  base::Random random(21);
  for (const std::size_t size : {0u, 1u, 2u, 65u, 700u}) {
    const Records base = clustered(random, size, "b"), queries = clustered(random, 1 + size / 2, "q");
    MatchFolder folder(base, queries);
    const InMemory left(queries), right(base);
    for (const HammingKind& kind : hamming_kinds()) {
      for (const MatchKind matches : {MatchKind::all, MatchKind::first}) {
        const MatchOptions options = options_for(kind.name, {.distance = 4, .matches = matches});
        PairList found;
        const MatchReport report = find_matches(right.view(), left.view(), options, found, {});
        EXPECT_EQ(as_lines(found.pairs(), base, queries), folder.run(options, std::nullopt, 2)) << kind.name;
        EXPECT_EQ(report.search.matches, found.pairs().size());
        EXPECT_EQ(report.base_without, folder.report.base_without);
        EXPECT_EQ(report.queries_without, folder.report.queries_without);
        EXPECT_EQ(report.search.compared, folder.report.search.compared);
      }
    }
  }
}

TEST(FindMatches, FindsEveryPairOfCopiesInOrder) {
  const std::vector<std::uint64_t> base{5, 9, 5, 5}, queries{5, 5};
  for (const HammingKind& kind : hamming_kinds()) {
    if (!kind.exact) continue;
    PairList found;
    find_matches({.bits = base}, {.bits = queries}, options_for(kind.name, {.distance = 0}), found, {});
    EXPECT_THAT(found.pairs(), testing::ElementsAre(Pair{0, 0, 0}, Pair{0, 2, 0}, Pair{0, 3, 0}, Pair{1, 0, 0},
                                                    Pair{1, 2, 0}, Pair{1, 3, 0}));
  }
}

TEST(FindMatches, StopsWhenTheSinkHasEnough) {
  class One final : public PairSink {
   public:
    bool accept(std::span<const Pair>) override { return ++calls < 1; }
    int calls = 0;
  } sink;
  const std::vector<std::uint64_t> copies(3000, 7);
  find_matches({.bits = copies}, {.bits = copies}, options_for("scan", {.distance = 0}), sink, {});
  EXPECT_EQ(sink.calls, 1);
}

TEST(FindMatches, RefusesSpansOfDifferentSizes) {
  const std::vector<std::uint64_t> bits{1, 2};
  const std::vector<RowStatus> status{RowStatus::document};
  PairList found;
  EXPECT_THAT(error_of(ErrorCode::usage,
                       [&] { find_matches({.bits = bits, .status = status}, {.bits = bits}, {}, found, {}); }),
              HasSubstr("status"));
}

TEST(FindMatches, RefusesProbableMethodsWithoutVolatility) {
  const std::vector<std::uint64_t> bits{1, 2};
  PairList found;
  EXPECT_THAT(error_of(ErrorCode::usage,
                       [&] { find_matches({.bits = bits}, {.bits = bits}, options_for("hybrid", {}), found, {}); }),
              HasSubstr("volatility"));
}

TEST(FindMatches, TellsTheObserverOfItsStages) {
  std::vector<std::string> events;
  EveryEvent observer([&](std::string_view event) { events.emplace_back(event); });
  const std::vector<std::uint64_t> bits{1, 2};
  PairList found;
  find_matches({.bits = bits}, {.bits = bits}, options_for("scan", {}), found, {.observer = &observer});
  EXPECT_FALSE(events.empty());
}

TEST(FindMatches, ExplainsWhatWouldBeBuiltForSpans) {
  const std::vector<std::uint64_t> bits{1, 2, 3};
  const std::string text = explain_match({.bits = bits}, {.bits = bits}, options_for("scan", {}), {});
  EXPECT_THAT(text, HasSubstr("base     base: 3 fingerprints, 0 documents without"));
}

}  // namespace
}  // namespace neardup::test
