// Whatever fails, and whenever: a clear error, nothing under a final name, nothing left behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stop_token>
#include <string>
#include <vector>

#include "base/random.h"
#include "io/collection.h"
#include "neardup/fingerprint.h"
#include "support/collections.h"
#include "support/failing_files.h"
#include "support/runs.h"

namespace neardup::test {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kTinyBatch = 256;

std::string input_with_a_bad_record() {
  base::Random random(1);
  std::string lines = as_jsonl(numbered(near_copies(random, 30)));
  lines.insert(lines.find('\n') + 1, "no json\n");
  return lines;
}

struct Job {
  std::string name;
  DedupOptions options;
};

// Every kind of output that goes through the file system.
std::vector<Job> jobs() {
  const Definition definition = words_definition(1, Measure::jaccard, {3, 5});
  std::vector<Job> jobs;
  for (const std::string path : {"out", "out.jsonl", "out.jsonl.gz", "out.jsonl.zst"}) {
    for (const OnBadRecord policy : {OnBadRecord::skip, OnBadRecord::quarantine}) {
      DedupOptions options{.definition = definition, .on_bad_record = policy, .output = {.path = path}};
      options.output.save_removed = path == "out";
      jobs.push_back({path + (policy == OnBadRecord::skip ? "" : " with quarantine"), options});
    }
  }
  return jobs;
}

// A folder with an input, and a run in it that may fail.
class Site {
 public:
  Site() {
    write_bytes(scratch_ / "in.jsonl", input_with_a_bad_record());
    std::filesystem::create_directory(scratch_ / "temp");
    context.temp_folder = scratch_ / "temp";
  }
  DedupReport run(DedupOptions options) {
    options.output.path = scratch_ / options.output.path;
    return deduplicate(io::open_collection({scratch_ / "in.jsonl"}, {}, context, kTinyBatch), options, context).report;
  }
  [[nodiscard]] std::map<std::string, std::string> contents() const { return everything_in(scratch_.path()); }
  [[nodiscard]] std::string operator/(const std::string& name) const { return scratch_ / name; }

  Context context{.threads = 2};

 private:
  ScratchFolder scratch_;
};

class FailingDisk : public ::testing::TestWithParam<FailingFiles::Mode> {};

TEST_P(FailingDisk, AtAnyMomentLeavesNothingBehind) {
  for (const Job& job : jobs()) {
    std::uint64_t failures = 0;
    for (std::uint64_t fail_at = 1;; ++fail_at) {
      SCOPED_TRACE(job.name + ", failing at " + std::to_string(fail_at));
      Site site;
      const auto before = site.contents();
      FailingFiles files(GetParam(), fail_at);
      site.context.files = &files;
      try {
        (void)site.run(job.options);
        if (GetParam() == FailingFiles::Mode::once) {
          EXPECT_LT(files.operations(), fail_at) << "a failure was passed over";
        }
        break;
      } catch (const Error& error) {
        ++failures;
        EXPECT_EQ(error.code(), ErrorCode::output) << error.what();
        EXPECT_THAT(error.what(), HasSubstr("the test said so"));
      }
      EXPECT_EQ(site.contents(), before);
      if (HasFailure()) return;
    }
    EXPECT_GE(failures, 2u) << job.name;
  }
}

TEST_P(FailingDisk, AtAnyMomentLeavesWhatWasToBeReplaced) {
  for (Job job : jobs()) {
    job.options.output.overwrite = Overwrite::replace;
    for (std::uint64_t fail_at = 1;; ++fail_at) {
      SCOPED_TRACE(job.name + ", failing at " + std::to_string(fail_at));
      Site site;
      write_bytes(site / job.options.output.path, "precious");
      const auto before = site.contents();
      FailingFiles files(GetParam(), fail_at);
      site.context.files = &files;
      try {
        (void)site.run(job.options);
        break;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::output) << error.what();
      }
      EXPECT_EQ(site.contents(), before);
      if (HasFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, FailingDisk, ::testing::Values(FailingFiles::Mode::once, FailingFiles::Mode::full),
                         [](const auto& mode) { return mode.param == FailingFiles::Mode::once ? "once" : "full"; });

TEST(Fingerprinting, LeavesNothingBehindWhenTheDiskFails) {
  for (std::uint64_t fail_at = 1;; ++fail_at) {
    Site site;
    const auto before = site.contents();
    FailingFiles files(FailingFiles::Mode::once, fail_at);
    site.context.files = &files;
    const Collection collection = io::open_collection({site / "in.jsonl"}, {}, site.context, kTinyBatch);
    try {
      (void)write_fingerprints(collection, {}, {.output = site / "out.hex.gz"}, site.context);
      EXPECT_GT(fail_at, 3u);
      break;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::output);
    }
    EXPECT_EQ(site.contents(), before) << fail_at;
  }
}

TEST(Stopping, AtAnyMomentLeavesNothingBehind) {
  for (const unsigned threads : {1u, 4u}) {
    for (const std::string finder : {"exact", "minhash"}) {
      for (const std::string path : {"out", "out.jsonl"}) {
        for (std::size_t stop_at = 1;; ++stop_at) {
          SCOPED_TRACE(finder + " " + path + ", stopped at event " + std::to_string(stop_at));
          Site site;
          const auto before = site.contents();
          std::stop_source source;
          std::size_t events = 0;
          EveryEvent observer([&](std::string_view) {
            if (++events == stop_at) source.request_stop();
          });
          site.context.stop = source.get_token();
          site.context.observer = &observer;
          site.context.threads = threads;
          try {
            (void)site.run({.definition = words_definition(1, Measure::jaccard, {3, 5}),
                            .finder = {.name = finder},
                            .output = {.path = path}});
            EXPECT_LT(events, stop_at) << "the request was passed over";
            EXPECT_GT(events, 20u);
            break;
          } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::interrupted) << error.what();
          }
          EXPECT_EQ(site.contents(), before);
          if (::testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

TEST(Stopping, BeforeItBeginsDoesNothing) {
  Site site;
  const auto before = site.contents();
  std::stop_source source;
  const Collection collection = io::open_collection({site / "in.jsonl"}, {}, site.context, kTinyBatch);
  source.request_stop();
  site.context.stop = source.get_token();
  error_of(ErrorCode::interrupted,
           [&] { (void)deduplicate(collection, {.output = {.path = site / "out"}}, site.context); });
  EXPECT_EQ(site.contents(), before);
}

// An input that is rewritten when a stage begins. The first stage is left out: what it reads is the input.
class ChangedInput : public ::testing::Test {
 protected:
  // Runs once for every later stage, with the input replaced by `changed` when that stage begins.
  static void expect_refusal(const std::string& original, const std::string& changed) {
    for (const std::string finder : {"exact", "minhash"}) {
      for (const std::string path : {"out", "out.jsonl"}) {
        for (std::size_t stage_number = 2;; ++stage_number) {
          SCOPED_TRACE(finder + " " + path + ", changed at stage " + std::to_string(stage_number));
          Site site;
          write_bytes(site / "in.jsonl", original);
          std::size_t stages = 0;
          std::string name;
          EveryEvent observer([&](std::string_view stage) {
            if (stage.empty() || ++stages != stage_number) return;
            name = stage;
            write_bytes(site / "in.jsonl", changed);
          });
          site.context.observer = &observer;
          std::string message;
          try {
            (void)site.run({.definition = words_definition(1, Measure::jaccard, {3, 5}),
                            .finder = {.name = finder},
                            .output = {.path = path}});
            EXPECT_EQ(name, "") << "the change was passed over";
            EXPECT_GT(stage_number, 4u) << "there are stages to change the input at";
            break;
          } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::input);
            message = error.what();
          }
          EXPECT_THAT(message, HasSubstr("in.jsonl")) << name;
          EXPECT_EQ(site.contents().size(), 2u) << "only the input and the empty folder for temporary files: " << name;
          if (HasFailure()) return;
        }
      }
    }
  }
};

const std::vector<std::string> kInput{"a b c d", "a b c e", "f g h i", "f g h j", "k l m n", "a b c d"};

TEST_F(ChangedInput, ThatShrankIsRefused) {
  expect_refusal(as_jsonl(numbered(kInput)), as_jsonl(numbered({kInput.begin(), kInput.end() - 1})));
}

TEST_F(ChangedInput, ThatIsEmptyNowIsRefused) { expect_refusal(as_jsonl(numbered(kInput)), ""); }

TEST_F(ChangedInput, ThatGrewIsRefused) {
  std::vector<std::string> more = kInput;
  more.push_back("a b c d");
  expect_refusal(as_jsonl(numbered(kInput)), as_jsonl(numbered(more)));
}

TEST_F(ChangedInput, ThatIsNoLongerJsonIsRefused) {
  std::string changed = as_jsonl(numbered(kInput));
  std::replace(changed.begin(), changed.end(), '{', '[');
  expect_refusal(as_jsonl(numbered(kInput)), changed);
}

TEST_F(ChangedInput, WithLongerTextsIsRefused) {
  std::vector<std::string> longer = kInput;
  for (std::string& text : longer) text += " x";
  expect_refusal(as_jsonl(numbered(kInput)), as_jsonl(numbered(longer)));
}

TEST_F(ChangedInput, WithAsManyRecordsOfAsManyOtherWordsIsRefused) {
  std::vector<std::string> other = kInput;
  for (std::string& text : other) text.replace(0, 1, "z");
  expect_refusal(as_jsonl(numbered(kInput)), as_jsonl(numbered(other)));
}

}  // namespace
}  // namespace neardup::test
