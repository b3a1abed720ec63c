#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "dedup/checkpoint.h"
#include "support/runs.h"
#include "support/scratch.h"

namespace neardup::test {
namespace {

// Everything that a run is given.
struct IdentifiedRun {
  std::vector<std::string> inputs, against;
  ReadOptions reading;
  DedupOptions options;
  Context context;
};

struct Change {
  std::string name;
  std::function<void(IdentifiedRun&)> make;
};

class RunIdentity : public ::testing::Test {
 protected:
  RunIdentity() {
    for (const char* name : {"in", "more", "other", "links", "scores", "pairs"}) write_bytes(scratch_ / name, "a\tb\n");
  }

  [[nodiscard]] IdentifiedRun plain() const {
    return {.inputs = {scratch_ / "in"},
            .against = {},
            .reading = {.format = "lines"},
            .options = {.output = {.path = scratch_ / "out"}},
            .context = {.temp_folder = scratch_.path()}};
  }
  static std::string identity(const IdentifiedRun& job) {
    const Collection collection = Collection::open(job.inputs, job.reading, job.context);
    if (job.against.empty()) return dedup::run_identity(collection, nullptr, job.options, job.context);
    const Collection against = Collection::open(job.against, job.reading, job.context);
    return dedup::run_identity(collection, &against, job.options, job.context);
  }
  [[nodiscard]] std::string after(const Change& change) const {
    IdentifiedRun job = plain();
    change.make(job);
    return identity(job);
  }

  // All that decides what comes out, a change each: what is read, and what is done with it.
  [[nodiscard]] std::vector<Change> changes_of_inputs() const {
    const auto path = [this](const char* name) { return scratch_ / name; };
    return {
        {"inputs", [=](IdentifiedRun& job) { job.inputs.push_back(path("more")); }},
        {"another input", [=](IdentifiedRun& job) { job.inputs = {path("more")}; }},
        {"against", [=](IdentifiedRun& job) { job.against = {path("other")}; }},
        {"against another", [=](IdentifiedRun& job) { job.against = {path("more")}; }},
        {"format", [](IdentifiedRun& job) { job.reading.format = "text"; }},
        {"html", [](IdentifiedRun& job) { job.reading.html = Html::all; }},
        {"encoding", [](IdentifiedRun& job) { job.reading.encoding = "latin1"; }},
        {"largest record", [](IdentifiedRun& job) { job.reading.max_record_bytes = 100; }},
        {"limit", [](IdentifiedRun& job) { job.reading.limit = 5; }},
        {"sample", [](IdentifiedRun& job) { job.reading.sample = 0.5; }},
        {"seed of the sample", [](IdentifiedRun& job) { job.reading.seed = 1; }},
    };
  }
  [[nodiscard]] std::vector<Change> changes_of_options() const {
    const auto path = [this](const char* name) { return scratch_ / name; };
    return {
        {"measure", [](IdentifiedRun& job) { job.options.definition.measure = Measure::cosine; }},
        {"threshold",
         [](IdentifiedRun& job) {
           job.options.definition.threshold = {7, 10};
         }},
        {"features", [](IdentifiedRun& job) { job.options.definition.features.kind = FeatureKind::chars; }},
        {"length", [](IdentifiedRun& job) { job.options.definition.features.length = 3; }},
        {"bag", [](IdentifiedRun& job) { job.options.definition.features.bag = true; }},
        {"minwise", [](IdentifiedRun& job) { job.options.definition.features.minwise = 32; }},
        {"strip", [](IdentifiedRun& job) { job.options.definition.text.strip = {"x+"}; }},
        {"min word", [](IdentifiedRun& job) { job.options.definition.text.min_word = 3; }},
        {"numbers", [](IdentifiedRun& job) { job.options.definition.text.numbers = Numbers::drop; }},
        {"stop words", [](IdentifiedRun& job) { job.options.definition.text.stop_words = {"the"}; }},
        {"other stop words", [](IdentifiedRun& job) { job.options.definition.text.stop_words = {"der"}; }},
        {"stem", [](IdentifiedRun& job) { job.options.definition.text.stem = "english"; }},
        {"weights", [](IdentifiedRun& job) { job.options.definition.weights = Weights::tfidf; }},
        {"field weights",
         [](IdentifiedRun& job) {
           job.options.definition.field_weights = {2, 1};
         }},
        {"length ratio",
         [](IdentifiedRun& job) {
           job.options.definition.length_ratio = {1, 2};
         }},
        {"as is", [](IdentifiedRun& job) { job.options.definition.as_is = true; }},
        {"hash seed", [](IdentifiedRun& job) { job.options.definition.hash_seed = 1; }},
        {"finder", [](IdentifiedRun& job) { job.options.finder.name = "minhash"; }},
        {"target recall", [](IdentifiedRun& job) { job.options.finder.target_recall = 0.9; }},
        {"distance", [](IdentifiedRun& job) { job.options.finder.distance = 4; }},
        {"measure recall", [](IdentifiedRun& job) { job.options.finder.measure_recall = false; }},
        {"against only", [](IdentifiedRun& job) { job.options.against_only = true; }},
        {"drop empty", [](IdentifiedRun& job) { job.options.drop_empty = true; }},
        {"pairs", [=](IdentifiedRun& job) { job.options.pairs = path("pairs"); }},
        {"clusters", [](IdentifiedRun& job) { job.options.clusters = ClusterKind::star; }},
        {"keep", [](IdentifiedRun& job) { job.options.keep = parse_keep_rules("longest"); }},
        {"keep, otherwise", [](IdentifiedRun& job) { job.options.keep = parse_keep_rules("prefer:lang=en"); }},
        {"links", [=](IdentifiedRun& job) { job.options.authority.links = path("links"); }},
        {"page links", [](IdentifiedRun& job) { job.options.authority.page_links = false; }},
        {"field of authority", [](IdentifiedRun& job) { job.options.authority.field = "score"; }},
        {"scores", [=](IdentifiedRun& job) { job.options.authority.scores = path("scores"); }},
        {"damping", [](IdentifiedRun& job) { job.options.authority.damping = 0.5; }},
        {"tolerance", [](IdentifiedRun& job) { job.options.authority.tolerance = 1e-6; }},
        {"seed", [](IdentifiedRun& job) { job.options.finder.seed = 1; }},
        {"evidence", [](IdentifiedRun& job) { job.options.keep_evidence = true; }},
        {"bad records", [](IdentifiedRun& job) { job.options.on_bad_record = OnBadRecord::quarantine; }},
        {"annotate", [](IdentifiedRun& job) { job.options.output.annotate = true; }},
        {"memory", [](IdentifiedRun& job) { job.context.memory_bytes = 1u << 30; }},
    };
  }

  ScratchFolder scratch_;
};

TEST_F(RunIdentity, IsTheSameForTheSameRun) { EXPECT_EQ(identity(plain()), identity(plain())); }

TEST_F(RunIdentity, IsAnotherAfterEveryChangeThatDecidesWhatComesOut) {
  std::map<std::string, std::string> seen{{identity(plain()), "no change"}};
  for (const auto& changes : {changes_of_inputs(), changes_of_options()}) {
    for (const Change& change : changes) {
      const auto [at, is_new] = seen.emplace(after(change), change.name);
      EXPECT_TRUE(is_new) << change.name << " is taken for " << at->second;
    }
  }
}

TEST_F(RunIdentity, DoesNotDependOnWhatIsOnlyConvenience) {
  const std::vector<Change> changes{
      {"threads", [](IdentifiedRun& job) { job.context.threads = 7; }},
      {"temporary folder", [](IdentifiedRun& job) { job.context.temp_folder.clear(); }},
      {"overwrite", [](IdentifiedRun& job) { job.options.output.overwrite = Overwrite::replace; }},
      {"recorded command",
       [](IdentifiedRun& job) {
         job.options.output.recorded_command = {"neardup", "dedup"};
       }},
      {"where stop words came from",
       [](IdentifiedRun& job) { job.options.definition.text.stop_words_source = "a file"; }},
  };
  for (const Change& change : changes) EXPECT_EQ(after(change), identity(plain())) << change.name;
}

TEST_F(RunIdentity, IsAnotherWhenAFileHasAnotherSize) {
  for (const char* name : {"in", "other", "pairs", "links", "scores"}) {
    IdentifiedRun job = plain();
    job.against = {scratch_ / "other"};
    job.options.pairs = scratch_ / "pairs";
    job.options.authority.links = scratch_ / "links";
    job.options.authority.scores = scratch_ / "scores";
    const std::string before = identity(job);
    write_bytes(scratch_ / name, bytes_of(scratch_ / name) + "more");
    EXPECT_NE(identity(job), before) << name;
  }
}

TEST_F(RunIdentity, NamesEveryThingOnALineOfItsOwn) {
  std::set<std::string> names;
  IdentifiedRun job = plain();
  job.options.definition.text.strip = {"line\nbreak"};
  std::istringstream lines(identity(job));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": ");
    ASSERT_NE(colon, std::string::npos) << line;
    EXPECT_TRUE(names.insert(line.substr(0, colon)).second) << line;
  }
  EXPECT_GT(names.size(), 25u);
}

}  // namespace
}  // namespace neardup::test
