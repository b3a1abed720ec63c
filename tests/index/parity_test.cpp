// Whatever way documents came into an index, its clusters are those of `deduplicate` on what is left.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "index/support.h"
#include "index/verifying.h"

namespace neardup::test {
namespace {

struct Case {
  Measure measure;
  Threshold threshold;
  ClusterKind clusters;
  std::string keep;
};

std::string name_of(const Case& c) {
  std::string name = fmt::format("{}_{}_{}_{}_{}", to_string(c.measure), c.threshold.num, c.threshold.den,
                                 to_string(c.clusters), c.keep);
  std::replace_if(
      name.begin(), name.end(), [](char x) { return std::isalnum(static_cast<unsigned char>(x)) == 0; }, '_');
  return name;
}

std::vector<Case> every_case() {
  std::vector<Case> cases;
  const std::vector<std::pair<Measure, Threshold>> definitions{
      {Measure::jaccard, {4, 5}}, {Measure::jaccard, {1, 2}}, {Measure::jaccard, {1, 1}}, {Measure::cosine, {7, 10}},
      {Measure::dice, {2, 3}},    {Measure::overlap, {3, 1}}, {Measure::overlap, {1, 1}}, {Measure::hamming, {3, 1}},
      {Measure::hamming, {0, 1}}, {Measure::hamming, {9, 1}}};
  for (const auto& [measure, threshold] : definitions)
    for (const ClusterKind kind : {ClusterKind::components, ClusterKind::star, ClusterKind::complete})
      for (const char* keep : {"first", "last", "longest", "max:rank,first", "prefer:rank=3,shortest,last"})
        cases.push_back({measure, threshold, kind, keep});
  return cases;
}

IndexOptions options_of(const Case& c) {
  IndexOptions options;
  options.definition.measure = c.measure;
  options.definition.threshold = c.threshold;
  options.definition.features = parse_features(c.measure == Measure::hamming ? "words" : "words:2");
  options.clusters = c.clusters;
  options.keep = parse_keep_rules(c.keep);
  return options;
}

// Texts that often resemble each other: a few words from a small list, copied and changed.
class TextMaker {
 public:
  explicit TextMaker(std::uint64_t seed) : random_(seed) {}

  HeldDocument make(std::string key) {
    HeldDocument document{.key = std::move(key), .texts = {text()}};
    if (random_.below(4) != 0) document.fields["rank"] = std::to_string(random_.below(5));
    return document;
  }
  base::Random& random() { return random_; }

 private:
  std::string text() {
    std::vector<std::string> words;
    if (!made_.empty() && random_.below(10) < 7) {
      words = made_[random_.below(made_.size())];
      for (std::uint64_t left = random_.below(3); left > 0 && !words.empty(); --left) {
        const std::size_t at = random_.below(words.size());
        if (random_.below(2) == 0) {
          words[at] = word();
        } else if (random_.below(2) == 0) {
          words.erase(words.begin() + static_cast<std::ptrdiff_t>(at));
        } else {
          words.push_back(word());
        }
      }
    } else {
      for (std::uint64_t left = random_.below(12); left > 0; --left) words.push_back(word());
    }
    made_.push_back(words);
    return fmt::format("{}", fmt::join(words, " "));
  }
  std::string word() { return std::string(1, static_cast<char>('a' + random_.below(9))); }

  base::Random random_;
  std::vector<std::vector<std::string>> made_;
};

// One index and, beside it, the documents it must have, in the order of their last addition.
class ParityRun {
 public:
  ParityRun(const IndexOptions& options, std::uint64_t seed) : options_(options), index_(options), maker_(seed) {}

  void run() {
    base::Random& random = maker_.random();
    for (std::uint64_t steps = 5 + random.below(20); steps > 0; --steps) {
      ASSERT_NO_FATAL_FAILURE(step(random.below(12)));
      if (random.below(3) == 0) {
        ASSERT_NO_FATAL_FAILURE(compare());
      }
    }
    index_.compact();
    ASSERT_NO_FATAL_FAILURE(compare());
  }

 private:
  void step(std::uint64_t kind) {
    base::Random& random = maker_.random();
    if (kind < 6) return add(1 + random.below(kind == 0 ? 12 : 3));
    if (kind < 8 && !left_.empty()) return remove(random.below(left_.size()));
    if (kind == 8 && !left_.empty()) return replace(random.below(left_.size()));
    if (kind == 9) return index_.maintain();
    if (kind == 10) return index_.flush();
    index_.open();
  }

  void add(std::uint64_t count) {
    HeldList batch;
    for (; count > 0; --count) batch.push_back(maker_.make(fmt::format("d{}", next_++)));
    add_all(batch, indexing::AddMode::refuse, AddStatus::added);
  }
  void add_all(const HeldList& batch, indexing::AddMode mode, AddStatus expected) {
    std::vector<std::unique_ptr<IndexView>> views;
    std::vector<IndexDocument> documents;
    for (const HeldDocument& held : batch) {
      views.push_back(std::make_unique<IndexView>(held, index_.fields()));
      documents.push_back(views.back()->document);
      left_.push_back(held);
    }
    for (const AddResult& result : index_.add(documents, mode)) ASSERT_EQ(result.status, expected);
  }
  void remove(std::size_t place) {
    ASSERT_EQ(index_.remove(left_[place].key), 1u);
    left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(place));
  }
  // Another text under the same key, or the same text again, which comes last from then on only if it is another.
  void replace(std::size_t place) {
    HeldDocument other = maker_.make(left_[place].key);
    const bool is_same =
        other.texts == left_[place].texts && (index_.fields().empty() || other.fields == left_[place].fields);
    if (is_same) return;
    left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(place));
    add_all({other}, indexing::AddMode::replace, AddStatus::replaced);
  }

  void compare() {
    const indexing::LedgerView ledger = index_.ledger();
    ASSERT_EQ(partition_of(ledger), deduplicated(left_, options_));
    VerifyReport report;
    indexing::verify_rows(ledger, report, {});
    ASSERT_EQ(report.problems, std::vector<std::string>{});
    ASSERT_EQ(report.documents, left_.size());
  }

  IndexOptions options_;
  MapIndex index_;
  TextMaker maker_;
  HeldList left_;
  int next_ = 0;
};

class EveryIndex : public testing::TestWithParam<Case> {};

TEST_P(EveryIndex, HasTheClustersOfDeduplicateAfterEveryChange) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    ParityRun run(options_of(GetParam()), seed * 7919 + static_cast<std::uint64_t>(GetParam().clusters));
    ASSERT_NO_FATAL_FAILURE(run.run());
  }
}

INSTANTIATE_TEST_SUITE_P(Parity, EveryIndex, testing::ValuesIn(every_case()),
                         [](const auto& each) { return name_of(each.param); });

}  // namespace
}  // namespace neardup::test
