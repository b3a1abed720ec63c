// Keys, conditions and copies, each beside a plain reading of what it means.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "base/random.h"
#include "neardup/dedup.h"
#include "neardup/similarity.h"
#include "neardup/sketch.h"
#include "support/held_documents.h"
#include "support/scratch.h"

namespace neardup::test {
namespace {

const Definition kDefinition{.features = {.kind = FeatureKind::words, .length = 1}, .threshold = {3, 5}};

// Short texts of few words, so that copies and near copies abound; fields of few values, sometimes missing.
HeldList crowded(std::uint64_t seed, std::size_t count) {
  base::Random random(seed);
  HeldList documents;
  for (std::size_t i = 0; i < count; ++i) {
    std::string text, title;
    for (std::uint64_t word = 3 + random.below(4); word > 0; --word)
      text += "w" + std::to_string(random.below(7)) + " ";
    for (std::uint64_t word = 1 + random.below(3); word > 0; --word)
      title += "t" + std::to_string(random.below(4)) + " ";
    HeldDocument document{.key = "d" + std::to_string(i), .texts = {text}};
    if (random.below(8) != 0) document.fields["site"] = "s" + std::to_string(random.below(3));
    if (random.below(8) != 0) document.fields["title"] = title;
    if (random.below(4) != 0) document.fields["key"] = "k" + std::to_string(random.below(count / 3));
    documents.push_back(std::move(document));
  }
  return documents;
}

Collection collect(const HeldList& documents) { return Collection::from(std::make_shared<HeldDocuments>(documents)); }

std::optional<std::string> field(const HeldDocument& document, const std::string& name) {
  const auto found = document.fields.find(name);
  return found == document.fields.end() ? std::nullopt : std::optional(found->second);
}

bool are_near(const Definition& definition, const std::string& a, const std::string& b) {
  Sketcher left(definition), right(definition);
  return Verifier(definition).verify(left.set(DocumentView(a)), right.set(DocumentView(b))).has_value();
}

using Holds = std::function<bool(const HeldDocument&, const HeldDocument&)>;

// Components of all pairs that are similar and hold; the first member represents them.
std::vector<DocId> plain_representatives(const HeldList& documents, const Holds& holds) {
  std::vector<DocId> of(documents.size());
  for (DocId row = 0; row < of.size(); ++row) of[row] = row;
  for (DocId b = 0; b < of.size(); ++b) {
    for (DocId a = 0; a < b; ++a) {
      if (of[a] == of[b] || !holds(documents[a], documents[b])) continue;
      if (!are_near(kDefinition, documents[a].texts[0], documents[b].texts[0])) continue;
      const auto [low, high] = std::minmax(of[a], of[b]);
      std::ranges::replace(of, DocId{high}, DocId{low});
    }
  }
  return of;
}

std::vector<DocId> representatives(const Clusters& clusters) {
  std::vector<DocId> of;
  for (DocId row = 0; row < clusters.rows(); ++row) of.push_back(clusters.representative(row));
  return of;
}

TEST(Conditions, CountOnlyPairsThatMeetAllOfThem) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const HeldList documents = crowded(seed, 120);
    const auto equal = [](const HeldDocument& a, const HeldDocument& b) {
      return field(a, "site") && field(a, "site") == field(b, "site");
    };
    const FieldCondition title = parse_condition("title:jaccard:1/2");
    const auto near = [&](const HeldDocument& a, const HeldDocument& b) {
      const auto left = field(a, "title"), right = field(b, "title");
      return left && right && (*left == *right || are_near(*title.near, *left, *right));
    };
    const auto same_value = [](const HeldDocument& a, const HeldDocument& b) {
      return field(a, "site") == field(b, "site");
    };
    const std::vector<std::pair<DedupOptions, Holds>> cases{
        {{.definition = kDefinition, .require = {{.field = "site"}}}, equal},
        {{.definition = kDefinition, .require = {title}}, near},
        {{.definition = kDefinition, .require = {title, {.field = "site"}}},
         [&](const HeldDocument& a, const HeldDocument& b) { return equal(a, b) && near(a, b); }},
        {{.definition = kDefinition, .by = "site"}, same_value}};
    for (const auto& [given, holds] : cases) {
      const std::vector<DocId> expected = plain_representatives(documents, holds);
      for (const bool evidence : {false, true}) {
        for (const unsigned threads : {1u, 3u}) {
          DedupOptions options = given;
          options.keep_evidence = evidence;
          const DedupResult result = deduplicate(collect(documents), options, Context{.threads = threads});
          EXPECT_EQ(representatives(result.clusters), expected) << seed;
        }
      }
    }
  }
}

TEST(Conditions, ManyEqualTextsAreComparedByTheirFields) {
  HeldList documents;
  for (int i = 0; i < 300; ++i)
    documents.push_back(
        {.key = std::to_string(i), .texts = {"w1 w2 w3"}, .fields = {{"title", "t" + std::to_string(i / 3)}}});
  const DedupResult result =
      deduplicate(collect(documents), {.definition = kDefinition, .require = {parse_condition("title:jaccard:1")}}, {});
  EXPECT_EQ(result.report.kept, 100u);
}

TEST(Conditions, EachValueIsACollectionOfItsOwn) {
  const HeldList documents = crowded(99, 200);
  for (const ClusterKind kind : {ClusterKind::components, ClusterKind::star, ClusterKind::complete}) {
    const DedupOptions options{.definition = kDefinition, .clusters = kind, .keep = parse_keep_rules("longest")};
    DedupOptions by = options;
    by.by = "site";
    const Clusters whole = deduplicate(collect(documents), by, {}).clusters;
    std::map<std::optional<std::string>, std::vector<DocId>> rows;
    for (DocId row = 0; row < documents.size(); ++row) rows[field(documents[row], "site")].push_back(row);
    for (const auto& [value, members] : rows) {
      HeldList part;
      for (const DocId row : members) part.push_back(documents[row]);
      const Clusters alone = deduplicate(collect(part), options, {}).clusters;
      for (std::size_t i = 0; i < members.size(); ++i)
        EXPECT_EQ(whole.representative(members[i]), members[alone.representative(i)]);
    }
  }
}

TEST(SameKeys, AreAStageBeforeTheSearch) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const HeldList documents = crowded(seed, 90);
    const DedupOptions search{.definition = kDefinition, .keep = parse_keep_rules("longest")};
    std::map<std::string, DocId> best;
    const auto length = [&](DocId row) { return documents[row].texts[0].size(); };
    for (DocId row = 0; row < documents.size(); ++row) {
      const auto key = field(documents[row], "key");
      if (!key) continue;
      const auto [at, is_new] = best.emplace(*key, row);
      if (!is_new && length(row) > length(at->second)) at->second = row;
    }
    std::vector<DocId> left;
    HeldList rest;
    for (DocId row = 0; row < documents.size(); ++row) {
      const auto key = field(documents[row], "key");
      if (key && best.at(*key) != row) continue;
      left.push_back(row);
      rest.push_back(documents[row]);
    }
    const Clusters second = deduplicate(collect(rest), search, {}).clusters;
    std::map<DocId, DocId> expected;
    for (std::size_t i = 0; i < left.size(); ++i) expected[left[i]] = left[second.representative(i)];
    DedupOptions options = search;
    options.same = {parse_same_key("key")};
    const DedupResult result = deduplicate(collect(documents), options, {});
    for (DocId row = 0; row < documents.size(); ++row) {
      const auto key = field(documents[row], "key");
      EXPECT_EQ(result.clusters.representative(row), expected.at(key ? best.at(*key) : row)) << seed << " " << row;
    }
    EXPECT_EQ(result.report.kept, second.kept());
  }
}

TEST(Copies, ThePreferredMembersOfEveryClusterAreKept) {
  const HeldList documents = crowded(5, 150);
  const auto run = [&](std::uint64_t copies) {
    return deduplicate(collect(documents), {.definition = kDefinition, .copies = copies}, {}).clusters;
  };
  const Clusters one = run(1);
  for (const std::uint64_t copies : {0u, 2u, 5u}) {
    const Clusters several = run(copies);
    std::set<DocId> expected;
    for (DocId row = 0; row < one.rows(); ++row)
      if (one.is_kept(row)) expected.insert(row);
    for (std::size_t c = 0; c < one.size(); ++c)
      for (std::size_t i = 0; i < one[c].size(); ++i) {  // `first` prefers earlier rows
        expected.erase(one[c][i]);
        if (i < copies) expected.insert(one[c][i]);
      }
    for (DocId row = 0; row < one.rows(); ++row) EXPECT_EQ(several.is_kept(row), expected.contains(row)) << copies;
    EXPECT_EQ(several.kept(), expected.size());
  }
}

}  // namespace
}  // namespace neardup::test
