// Runs that are stopped and continued, of every kind that saves something of its own.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "base/random.h"
#include "io/collection.h"
#include "support/collections.h"
#include "support/runs.h"

namespace neardup::test {

namespace fs = std::filesystem;

inline constexpr const char* kResumeFolder = ".out.neardup-resume";

inline std::string some_documents(std::uint64_t seed, std::size_t count) {
  base::Random random(seed);
  std::vector<NaiveDocument> all = numbered(near_copies(random, count));
  all[count / 2].id = all[0].id;
  std::string lines = as_jsonl(all);
  lines.insert(lines.find('\n') + 1, "no json\n");
  return lines;
}

struct ResumeJob {
  std::string name;
  DedupOptions options;
  bool against = false;
};

inline std::vector<ResumeJob> resume_jobs() {
  const Definition words = words_definition(1, Measure::jaccard, {3, 5});
  const Definition tfidf{
      .features = words.features, .measure = Measure::hamming, .threshold = {10, 1}, .weights = Weights::tfidf};
  const Definition edit{.measure = Measure::edit, .threshold = {20, 1}};
  const std::vector<KeepRule> longest = parse_keep_rules("longest");
  std::vector<ResumeJob> jobs{
      {"exact", {.definition = words, .keep = longest, .output = {.path = "out"}}},
      {"exact to a file",
       {.definition = words, .on_bad_record = OnBadRecord::quarantine, .output = {.path = "out.jsonl"}}},
      {"minhash", {.definition = words, .finder = {.name = "minhash"}, .keep = longest, .output = {.path = "out"}}},
      {"simhash", {.definition = words, .finder = {.name = "simhash", .distance = 12}, .output = {.path = "out"}}},
      {"star", {.definition = words, .clusters = ClusterKind::star, .output = {.path = "out.jsonl", .annotate = true}}},
      {"tfidf", {.definition = tfidf, .output = {.path = "out"}}},
      {"edit", {.definition = edit, .output = {.path = "out"}}},
      {"against", {.definition = words, .output = {.path = "out"}}, true},
      {"minhash against", {.definition = words, .finder = {.name = "minhash"}, .output = {.path = "out"}}, true},
      {"against only", {.definition = words, .against_only = true, .output = {.path = "out"}}, true},
  };
  for (ResumeJob& job : jobs) job.options.output.resume = true;
  return jobs;
}

// A folder with inputs, and runs in it.
class ResumeSite {
 public:
  explicit ResumeSite(const ResumeJob& job, std::size_t documents = 60) : job_(job) {
    write_bytes(scratch_ / "in.jsonl", some_documents(1, documents));
    write_bytes(scratch_ / "old.jsonl", some_documents(2, documents * 2 / 3));
    fs::create_directory(scratch_ / "temp");
    context.temp_folder = scratch_ / "temp";
    job_.options.output.path = scratch_ / job.options.output.path;
  }

  DedupReport run() {
    const auto open = [&](const char* name) { return io::open_collection({scratch_ / name}, {}, context, 512); };
    if (job_.against) return deduplicate(open("in.jsonl"), open("old.jsonl"), job_.options, context).report;
    return deduplicate(open("in.jsonl"), job_.options, context).report;
  }

  // Stops at the given event of a run, from 0; false when the run was over before.
  bool run_and_stop_at(std::size_t event) {
    std::stop_source stop;
    std::size_t events = 0;
    EveryEvent observer([&](std::string_view stage) {
      if (!stage.empty() && events++ == event) stop.request_stop();
    });
    context.stop = stop.get_token();
    context.observer = &observer;
    bool stopped = false;
    try {
      (void)run();
    } catch (const Error& error) {
      stopped = true;
      EXPECT_EQ(error.code(), ErrorCode::interrupted) << error.what();
      EXPECT_THAT(error.what(), ::testing::HasSubstr("run the same command again to continue"));
    }
    context.stop = {};
    context.observer = nullptr;
    return stopped;
  }

  [[nodiscard]] std::map<std::string, std::string> contents() const {
    auto all = everything_in(scratch_.path());
    for (auto& [name, bytes] : all) {
      if (has_times(name)) bytes = without_times(bytes);
    }
    return all;
  }

  void clear() {
    for (const char* name : {"out", "out.jsonl", "out.jsonl.quarantine"}) fs::remove_all(scratch_ / name);
  }
  [[nodiscard]] std::string operator/(const std::string& name) const { return scratch_ / name; }
  DedupOptions& options() { return job_.options; }

  Context context{.threads = 2};

 private:
  ScratchFolder scratch_;
  ResumeJob job_;
};

}  // namespace neardup::test
