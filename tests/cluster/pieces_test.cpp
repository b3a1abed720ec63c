// A job put together from the public pieces, as a service or a cluster of machines does it, gives the whole job's
// answer.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "neardup/neardup.h"
#include "support/collections.h"
#include "support/naive.h"

namespace neardup::test {
namespace {

std::vector<NaiveDocument> documents_of(Generator generator, base::Random& random) {
  std::vector<NaiveDocument> documents;
  for (std::string& text : generator(random, 40))
    documents.push_back({.id = "d" + std::to_string(documents.size()), .text = std::move(text)});
  return documents;
}

// As clusters.tsv has it.
std::string written(const Clusters& clusters, const std::vector<NaiveDocument>& documents) {
  std::string out = "cluster\tid\tkept\n";
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    for (const Clusters::Member row : clusters[i])
      out += documents[clusters.representative(row)].id + '\t' + documents[row].id +
             (clusters.is_kept(row) ? "\t1\n" : "\t0\n");
  }
  return out;
}

TEST(Pieces, JoinSketchedSetsIntoTheClustersOfTheWholeJob) {
  base::Random random(41);
  const Definition definition{.features = {.kind = FeatureKind::words, .length = 1}, .threshold = {7, 10}};
  for (const Generator generator : {random_documents, near_copies, shared_boilerplate, heavy_duplicates}) {
    const auto documents = documents_of(generator, random);
    for (const ClusterKind kind : {ClusterKind::components, ClusterKind::star, ClusterKind::complete}) {
      Sketcher sketcher(definition);
      TokenSets sets;
      for (const NaiveDocument& document : documents) sets.add(sketcher.set(document.text));
      ClusterBuilder builder(documents.size(), kind);
      join(sets, {.measure = definition.measure, .threshold = definition.threshold}, builder, {});
      ASSERT_EQ(written(builder.finish(), documents), Naive(documents, definition, kind).clusters_tsv());
    }
  }
}

TEST(Pieces, ShuffleByBandsAndVerifyWhatMeets) {
  base::Random random(43);
  const Definition definition{.features = {.kind = FeatureKind::words, .length = 1}, .threshold = {7, 10}};
  const Bands bands = choose_bands(definition, 0.9999);
  const Verifier verifier(definition);
  for (int round = 0; round < 10; ++round) {
    const auto documents = documents_of(near_copies, random);
    Sketcher sketcher(definition, nullptr, {.minhash_size = bands.hashes()});
    std::map<std::uint64_t, std::vector<DocId>> meetings;
    std::vector<std::vector<Feature>> sets;
    std::vector<std::uint64_t> keys;
    for (const NaiveDocument& document : documents) {
      const auto set = sketcher.set(document.text);
      sets.emplace_back(set.begin(), set.end());
      bands.keys(sketcher.minhash(document.text), keys);
      for (const std::uint64_t key : keys) meetings[key].push_back(sets.size() - 1);
    }
    ClusterBuilder builder(documents.size());
    PairList found;
    for (const auto& [key, rows] : meetings) {
      for (std::size_t j = 0; j < rows.size(); ++j) {
        for (std::size_t i = 0; i < j; ++i) {
          const auto score = verifier.verify(sets[rows[i]], sets[rows[j]]);
          if (!score) continue;
          const Pair pair{rows[i], rows[j], *score};
          builder.accept({&pair, 1});
          found.accept({&pair, 1});
        }
      }
    }
    const Naive naive(documents, definition, ClusterKind::components);
    std::set<std::pair<DocId, DocId>> pairs;
    for (const Pair& pair : found.pairs()) {
      pairs.emplace(pair.left, pair.right);
      ASSERT_EQ(naive.score(pair.left, pair.right), pair.score);
    }
    std::size_t expected = 0;
    for (std::size_t b = 0; b < naive.size(); ++b)
      for (std::size_t a = 0; a < b; ++a) expected += naive.score(a, b) ? 1 : 0;
    ASSERT_EQ(pairs.size(), expected);  // seeded: a recall of 0.9999 misses none of these
    ASSERT_EQ(written(builder.finish(), documents), naive.clusters_tsv());
  }
}

}  // namespace
}  // namespace neardup::test
