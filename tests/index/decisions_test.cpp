// Decisions of people: random ones, compared with clustering all allowed pairs from scratch.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "index/support.h"
#include "index/verifying.h"
#include "neardup/similarity.h"
#include "neardup/sketch.h"

namespace neardup::test {
namespace {

struct DecidedDocument {
  std::string key, text;
};

// One index with decisions, and the documents in their order.
class DecisionRun {
 public:
  DecisionRun(ClusterKind kind, std::uint64_t seed) : random_(seed), index_(options(kind)), kind_(kind) {}

  void run() {
    for (int step = 0; step < 30; ++step) {
      const std::uint64_t what = random_.below(10);
      if (what < 5 || left_.size() < 2) {
        add();
      } else if (what < 7) {
        decide(Decision::Kind::separate);
      } else if (what == 7) {
        decide(Decision::Kind::keep);
      } else if (what == 8 && !decisions_.empty()) {
        withdraw();
      } else {
        remove();
      }
      if (step % 7 == 0) index_.open();
      ASSERT_EQ(partition_of(index_.ledger()), expected());
      VerifyReport report;
      indexing::verify_rows(index_.ledger(), report, {});
      ASSERT_EQ(report.problems, std::vector<std::string>{});
    }
  }

 private:
  static IndexOptions options(ClusterKind kind) {
    IndexOptions options;
    options.definition.features = parse_features("words");
    options.definition.threshold = {1, 2};
    options.clusters = kind;
    return options;
  }

  void add() {
    std::string text;
    for (std::uint64_t left = 1 + random_.below(5); left > 0; --left)
      text += std::string(1, static_cast<char>('a' + random_.below(6))) + " ";
    left_.push_back({fmt::format("d{}", next_++), text});
    DocumentView view(left_.back().text);
    view.key = left_.back().key;
    const IndexDocument document = view;
    index_.add(std::span(&document, 1), indexing::AddMode::refuse);
  }
  const std::string& any() { return left_[random_.below(left_.size())].key; }
  void decide(Decision::Kind kind) {
    Decision decision{.kind = kind, .a = any()};
    if (kind == Decision::Kind::separate) {
      decision.b = any();
      if (decision.b == decision.a) return;
    }
    decision.id = index_.decide(decision);
    decisions_.push_back(decision);
  }
  void withdraw() {
    const std::size_t place = random_.below(decisions_.size());
    index_.withdraw(decisions_[place].id);
    decisions_.erase(decisions_.begin() + static_cast<std::ptrdiff_t>(place));
  }
  void remove() {
    const std::size_t place = random_.below(left_.size());
    index_.remove(left_[place].key);
    left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(place));
  }

  // Every pair that meets the definition and is not forbidden, clustered document by document.
  Partition expected() {
    const Definition definition = options(kind_).definition;
    Sketcher sketcher(definition);
    const Verifier verifier(definition);
    std::vector<std::vector<Feature>> sets;
    for (const DecidedDocument& document : left_) {
      const auto set = sketcher.set(document.text);
      sets.emplace_back(set.begin(), set.end());
    }
    const auto is_chosen = [&](const std::string& key) {
      return std::any_of(decisions_.begin(), decisions_.end(),
                         [&](const Decision& d) { return d.kind == Decision::Kind::keep && d.a == key; });
    };
    const auto is_forbidden = [&](const std::string& a, const std::string& b) {
      return std::any_of(decisions_.begin(), decisions_.end(), [&](const Decision& d) {
        return d.kind == Decision::Kind::separate && ((d.a == a && d.b == b) || (d.a == b && d.b == a));
      });
    };
    std::vector<DocId> ranks;
    for (std::size_t i = 0; i < left_.size(); ++i) ranks.push_back(i + (is_chosen(left_[i].key) ? 0 : left_.size()));
    ClusterBuilder builder(left_.size(), kind_, ranks);
    for (std::size_t i = 0; i < left_.size(); ++i) {
      for (std::size_t j = i + 1; j < left_.size(); ++j) {
        if (is_forbidden(left_[i].key, left_[j].key) || !verifier.verify(sets[i], sets[j])) continue;
        const Pair pair{i, j, 1};
        builder.accept(std::span(&pair, 1));
      }
    }
    const Clusters clusters = builder.finish();
    std::map<DocId, std::set<std::string>> members;
    for (std::size_t i = 0; i < left_.size(); ++i) members[clusters.representative(i)].insert(left_[i].key);
    Partition partition;
    for (std::size_t i = 0; i < left_.size(); ++i) {
      const DocId kept = clusters.representative(i);
      partition[left_[i].key] = {members[kept], left_[kept].key};
    }
    return partition;
  }

  base::Random random_;
  MapIndex index_;
  ClusterKind kind_;
  std::vector<DecidedDocument> left_;
  std::vector<Decision> decisions_;
  int next_ = 0;
};

class EveryClusterKind : public testing::TestWithParam<ClusterKind> {};

TEST_P(EveryClusterKind, HonoursDecisionsAsIfPairsWereMissing) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    DecisionRun run(GetParam(), seed);
    ASSERT_NO_FATAL_FAILURE(run.run());
  }
}

INSTANTIATE_TEST_SUITE_P(Decisions, EveryClusterKind,
                         testing::Values(ClusterKind::components, ClusterKind::star, ClusterKind::complete),
                         [](const auto& each) { return to_string(each.param); });

}  // namespace
}  // namespace neardup::test
