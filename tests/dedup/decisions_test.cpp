// DedupOptions::decisions: random ones, compared with clustering all allowed pairs of documents from scratch.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/random.h"
#include "dedup/decisions.h"
#include "neardup/dedup.h"
#include "neardup/similarity.h"
#include "neardup/sketch.h"
#include "support/held_collections.h"
#include "support/scratch.h"

namespace neardup::test {
namespace {

using ::testing::HasSubstr;

// Texts of few words, so that many are equal.
HeldList short_texts(base::Random& random, std::size_t count) {
  HeldList documents;
  for (std::size_t i = 0; i < count; ++i) {
    std::string text;
    for (std::uint64_t left = random.below(6); left > 0; --left)
      text += fmt::format("{} ", static_cast<char>('a' + random.below(5)));
    documents.push_back({.key = fmt::format("d{}", i), .texts = {text}});
  }
  return documents;
}

// What a file says, by row.
struct DrawnDecisions {
  std::map<std::pair<std::size_t, std::size_t>, bool> pairs;  // true: same
  std::set<std::size_t> keep;
  std::string lines;

  DrawnDecisions(base::Random& random, std::size_t documents, std::uint64_t count) {
    while (count-- > 0) {
      const std::size_t a = random.below(documents), b = random.below(documents);
      const std::uint64_t what = random.below(6);
      if (what == 0) {
        keep.insert(a);
        lines += fmt::format("{{\"id\":7,\"kind\":\"keep\",\"a\":\"d{}\",\"b\":null,\"note\":\"\"}}\n", a);
      } else if (a != b) {
        pairs[std::minmax(a, b)] = what == 1;
        lines +=
            fmt::format("{{\"kind\":\"{}\",\"a\":\"d{}\",\"b\":\"d{}\"}}\n\n", what == 1 ? "same" : "separate", a, b);
      }
    }
  }
};

std::vector<DocId> brute_force(const HeldList& documents, const DrawnDecisions& drawn, const DedupOptions& options) {
  Sketcher sketcher(options.definition);
  const Verifier verifier(options.definition);
  std::vector<std::vector<Feature>> sets;
  std::vector<DocId> ranks;
  const bool is_last = options.keep.front().kind == KeepRule::Kind::last;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const auto set = sketcher.set(documents[i].texts.front());
    sets.emplace_back(set.begin(), set.end());
    ranks.push_back((is_last ? documents.size() - i : i) + (drawn.keep.contains(i) ? 0 : 2 * documents.size()));
  }
  ClusterBuilder builder(documents.size(), options.cluster_kind(), ranks);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    for (std::size_t j = i + 1; j < documents.size(); ++j) {
      if (sets[i].empty() || sets[j].empty()) continue;
      const auto decided = drawn.pairs.find({i, j});
      const bool is_pair =
          decided != drawn.pairs.end() ? decided->second : verifier.verify(sets[i], sets[j]).has_value();
      const Pair pair{i, j, 1};
      if (is_pair) builder.accept({&pair, 1});
    }
  }
  const Clusters clusters = builder.finish();
  std::vector<DocId> kept;
  for (std::size_t i = 0; i < documents.size(); ++i) kept.push_back(clusters.representative(i));
  return kept;
}

TEST(Decisions, AreHonouredAsIfTheyWerePairs) {
  const ScratchFolder scratch;
  base::Random random(3);
  for (int round = 0; round < 150; ++round) {
    const HeldList documents = short_texts(random, 2 + random.below(25));
    const DrawnDecisions drawn(random, documents.size(), random.below(12));
    write_bytes(scratch / "decisions.jsonl", drawn.lines);
    for (const ClusterKind kind : {ClusterKind::components, ClusterKind::star, ClusterKind::complete}) {
      DedupOptions options{.definition = {.features = parse_features("words"), .threshold = {1, 2}},
                           .decisions = scratch / "decisions.jsonl",
                           .clusters = kind,
                           .keep = parse_keep_rules(round % 2 == 0 ? "first" : "last"),
                           .keep_evidence = true};
      const DedupResult result = deduplicate(held(documents), options, {});
      std::vector<DocId> kept;
      for (std::size_t i = 0; i < documents.size(); ++i) kept.push_back(result.clusters.representative(i));
      EXPECT_EQ(kept, brute_force(documents, drawn, options)) << "round " << round << ", " << to_string(kind);
      // Only pairs that meet the definition are listed, in order, and none that is separated.
      const Verifier verifier(options.definition);
      Sketcher left(options.definition), right(options.definition);
      std::pair<DocId, DocId> before{};
      result.for_each_pair([&](const Pair& pair) {
        const auto score = verifier.verify(left.set(documents[pair.left].texts.front()),
                                           right.set(documents[pair.right].texts.front()));
        EXPECT_EQ(score, pair.score);
        EXPECT_LE(before, std::pair(pair.left, pair.right));
        before = {pair.left, pair.right};
        const auto decided = drawn.pairs.find({pair.left, pair.right});
        EXPECT_TRUE(decided == drawn.pairs.end() || decided->second);
      });
    }
  }
}

TEST(Decisions, AWrongLineIsNamed) {
  const auto message = [](const std::string& lines) {
    return error_of(ErrorCode::input, [&] { dedup::parse_decisions(lines, "d.jsonl"); });
  };
  const std::string good = "{\"kind\":\"note\",\"a\":\"x\"}\n\n";
  EXPECT_EQ(message(good + "[1]"), "d.jsonl:3: not a JSON object");
  EXPECT_EQ(message(good + "{\"kind\":\"same\""), "d.jsonl:3: not a JSON object");
  EXPECT_EQ(message("{\"a\":\"x\"}"), "d.jsonl:1: there is no \"kind\"");
  EXPECT_EQ(message("{\"kind\":\"merge\",\"a\":\"x\"}"),
            "d.jsonl:1: unknown decision \"merge\": expected separate, same, keep or note");
  EXPECT_EQ(message("{\"kind\":\"keep\"}"), "d.jsonl:1: there is no \"a\"");
  EXPECT_EQ(message("{\"kind\":\"keep\",\"a\":7}"), "d.jsonl:1: \"a\" is not a string");
  EXPECT_EQ(message("{\"kind\":\"keep\",\"a\":\"x\",\"b\":\"y\"}"),
            "d.jsonl:1: \"keep\" is about one document, not two");
  EXPECT_EQ(message("{\"kind\":\"same\",\"a\":\"x\",\"b\":null}"), "d.jsonl:1: there is no \"b\"");
  EXPECT_EQ(message("{\"kind\":\"same\",\"a\":\"x\",\"b\":\"x\"}"),
            "d.jsonl:1: \"same\" names the document \"x\" twice");
}

TEST(Decisions, TheLastOneAboutTwoDocumentsCounts) {
  const dedup::NamedDecisions named = dedup::parse_decisions(
      "{\"kind\":\"separate\",\"a\":\"x\",\"b\":\"y\"}\n{\"kind\":\"same\",\"a\":\"y\",\"b\":\"x\"}\r\n", "d.jsonl");
  EXPECT_TRUE(named.separate.empty());
  EXPECT_EQ(named.same, (std::vector<dedup::NamedDecisions::Names>{{"x", "y"}}));
}

TEST(Decisions, AboutUnknownDocumentsAreAWarning) {
  const ScratchFolder scratch;
  write_bytes(scratch / "decisions.jsonl",
              "{\"kind\":\"keep\",\"a\":\"b\"}\n{\"kind\":\"same\",\"a\":\"a\",\"b\":\"nobody\"}\n");
  const HeldList documents{{.key = "a", .texts = {"one two"}}, {.key = "b", .texts = {"one two"}}};
  const DedupResult result =
      deduplicate(held(documents),
                  {.definition = {.features = parse_features("words")}, .decisions = scratch / "decisions.jsonl"}, {});
  EXPECT_EQ(result.clusters.representative(0), 1u);
  ASSERT_EQ(result.report.warnings.size(), 1u);
  EXPECT_THAT(result.report.warnings[0], HasSubstr("1 of 2 decisions are about documents that are not in the input"));
}

TEST(Decisions, NeedAnExactSearch) {
  const HeldList documents{{.key = "a", .texts = {"one two"}}};
  EXPECT_THAT(
      error_of(ErrorCode::usage,
               [&] { deduplicate(held(documents), {.finder = {.name = "minhash"}, .decisions = "d.jsonl"}, {}); }),
      HasSubstr("finder=exact"));
}

}  // namespace
}  // namespace neardup::test
