// A run that was stopped goes on where it was, and nobody can tell from the output.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "dedup/checkpoint.h"
#include "dedup/resume_site.h"
#include "support/failing_files.h"
#include "support/runs.h"

namespace neardup::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Resume, AfterAStopAtAnyStageEndsWithTheSameBytes) {
  for (const ResumeJob& job : resume_jobs()) {
    SCOPED_TRACE(job.name);
    ResumeSite site(job);
    EXPECT_THAT(site.run().resumed, IsEmpty());
    const auto expected = site.contents();
    site.clear();
    std::size_t resumed = 0;
    for (std::size_t event = 0; site.run_and_stop_at(event); ++event) {
      SCOPED_TRACE(event);
      const DedupReport report = site.run();
      resumed += report.resumed.empty() ? 0 : 1;
      ASSERT_EQ(site.contents(), expected);
      site.clear();
    }
    EXPECT_GE(resumed, 1u);
  }
}

TEST(Resume, CarriesARunThroughAnyNumberOfStops) {
  for (const ResumeJob& job : resume_jobs()) {
    SCOPED_TRACE(job.name);
    ResumeSite site(job);
    (void)site.run();
    const auto expected = site.contents();
    site.clear();
    // Of a run that goes on the first events are those of later stages.
    for (int stops = 0; stops < 3; ++stops) {
      for (std::size_t event = 3; event-- > 0;) {
        if (!site.run_and_stop_at(event)) site.clear();
      }
    }
    (void)site.run();
    ASSERT_EQ(site.contents(), expected);
  }
}

TEST(Resume, ReadsNothingAgainThatIsKnown) {
  ResumeSite site(resume_jobs().front());
  ASSERT_TRUE(site.run_and_stop_at(4));  // reading, collecting, ordering, comparing, looking up names
  std::vector<std::string> stages;
  EveryEvent observer([&](std::string_view stage) {
    if (!stage.empty()) stages.emplace_back(stage);
  });
  site.context.observer = &observer;
  EXPECT_THAT(site.run().resumed, ElementsAre("read", "find"));
  EXPECT_THAT(stages, ElementsAre("looking up names", "writing"));
}

TEST(Resume, LeavesNoFolderBehindWhenNothingIsFinished) {
  ResumeSite site(resume_jobs().front());
  ASSERT_TRUE(site.run_and_stop_at(0));
  EXPECT_FALSE(fs::exists(site / kResumeFolder));
}

TEST(Resume, BeginsAStageAnewWhoseStateIsDamaged) {
  for (const char* stage : {"read", "sketches", "find"}) {
    for (const std::size_t stop_at : {1u, 4u}) {
      ResumeSite site(resume_jobs().front());
      (void)site.run();
      const auto expected = site.contents();
      site.clear();
      ASSERT_TRUE(site.run_and_stop_at(stop_at));
      const fs::path state = fs::path(site / kResumeFolder) / stage;
      if (!fs::exists(state)) continue;
      std::string bytes = bytes_of(state);
      bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] + 1);
      write_bytes(state, bytes);
      EXPECT_THAT(site.run().resumed, ::testing::Not(Contains(stage)));
      EXPECT_EQ(site.contents(), expected) << stage;
    }
  }
}

TEST(Resume, RefusesWhatAnotherRunLeftAndNamesTheDifference) {
  ResumeSite site(resume_jobs().front());
  ASSERT_TRUE(site.run_and_stop_at(1));
  site.options().definition.threshold = {4, 5};
  EXPECT_THAT(error_of(ErrorCode::usage, [&] { (void)site.run(); }),
              ::testing::AllOf(HasSubstr(kResumeFolder), HasSubstr("`threshold` differs"), HasSubstr("`overwrite`")));
  EXPECT_TRUE(fs::exists(site / kResumeFolder));
  site.options().output.overwrite = Overwrite::replace;
  EXPECT_THAT(site.run().resumed, IsEmpty());
  EXPECT_FALSE(fs::exists(site / kResumeFolder));
}

TEST(Resume, NoticesThatAnInputHasChanged) {
  ResumeSite site(resume_jobs().front());
  ASSERT_TRUE(site.run_and_stop_at(1));
  fs::last_write_time(site / "in.jsonl", fs::file_time_type::clock::now() + std::chrono::seconds(5));
  EXPECT_THAT(error_of(ErrorCode::usage, [&] { (void)site.run(); }), HasSubstr("input files"));
}

TEST(Resume, NeedsAPlaceBesideTheOutput) {
  for (const std::string path : {"", "-"}) {
    DedupOptions options{.output = {.path = path, .resume = true}};
    EXPECT_THAT(error_of(ErrorCode::usage, [&] { options.validate(); }), HasSubstr("`resume`"));
  }
}

TEST(Resume, SavesNothingUnlessAsked) {
  ResumeSite site(resume_jobs().front());
  site.options().output.resume = false;
  std::vector<std::string> seen;
  EveryEvent observer([&](std::string_view) {
    if (fs::exists(site / kResumeFolder)) seen.emplace_back(kResumeFolder);
  });
  site.context.observer = &observer;
  (void)site.run();
  EXPECT_THAT(seen, IsEmpty());
}

TEST(Resume, SurvivesADiskThatFailsAtAnyMoment) {
  ResumeJob job = resume_jobs().front();
  ResumeSite site(job);
  (void)site.run();
  const auto expected = site.contents();
  site.clear();
  for (std::uint64_t fail_at = 1;; ++fail_at) {
    SCOPED_TRACE(fail_at);
    FailingFiles files(FailingFiles::Mode::once, fail_at);
    site.context.files = &files;
    bool failed = false;
    try {
      (void)site.run();
    } catch (const Error& error) {
      failed = true;
      EXPECT_EQ(error.code(), ErrorCode::output) << error.what();
    }
    site.context.files = nullptr;
    if (!failed) break;
    (void)site.run();
    ASSERT_EQ(site.contents(), expected);
    site.clear();
  }
}

// Runs until a file operation at which everything is lost that a process holds.
void kill(ResumeSite& site, std::uint64_t operation) {
  FailingFiles files(FailingFiles::Mode::gone, operation);
  site.context.files = &files;
  EXPECT_THROW((void)site.run(), Error);
  site.context.files = nullptr;
  fs::remove_all(site / "temp");  // the system's business
  fs::create_directory(site / "temp");
}

TEST(Resume, LeavesNothingOfARunThatWasKilledAtAnyMoment) {
  for (const ResumeJob& job : {resume_jobs()[0], resume_jobs()[1]}) {
    SCOPED_TRACE(job.name);
    ResumeSite site(job);
    (void)site.run();
    const auto expected = site.contents();
    site.clear();
    FailingFiles count(FailingFiles::Mode::gone, FailingFiles::kNever);
    site.context.files = &count;
    (void)site.run();
    site.clear();
    for (std::uint64_t killed_at = 1; killed_at <= count.operations(); ++killed_at) {
      SCOPED_TRACE(killed_at);
      kill(site, killed_at);
      site.clear();  // of several outputs one may have got its name already
      (void)site.run();
      ASSERT_EQ(site.contents(), expected);
      site.clear();
    }
  }
}

TEST(Resume, LeavesNothingOfARunThatWasKilledWhileItReplacedAnOutput) {
  for (ResumeJob job : {resume_jobs()[0], resume_jobs()[1]}) {
    SCOPED_TRACE(job.name);
    ResumeSite site(job);
    site.options().output.overwrite = Overwrite::replace;
    (void)site.run();
    const auto expected = site.contents();
    FailingFiles count(FailingFiles::Mode::gone, FailingFiles::kNever);
    site.context.files = &count;
    (void)site.run();
    for (std::uint64_t killed_at = 1; killed_at <= count.operations(); ++killed_at) {
      SCOPED_TRACE(killed_at);
      kill(site, killed_at);
      (void)site.run();
      ASSERT_EQ(site.contents(), expected);
    }
  }
}

TEST(Checkpoint, DeletesWhatAKilledRunLeftAndNothingElse) {
  const ScratchFolder scratch;
  Context context;
  const fs::path ours = scratch / ".out.neardup-123abc";
  fs::create_directory(ours);
  write_bytes(ours / "kept.jsonl", "half");
  write_bytes(scratch / "precious", "x");
  write_bytes(scratch / ".out.other", "x");
  {
    dedup::Checkpoint killed(scratch / "out", "same", Overwrite::refuse, context);
    killed.save("read", [](base::StateWriter&) {});
    killed.expect_to_leave(std::vector<fs::path>{ours, scratch / "precious", scratch / ".out.other"});
  }
  const dedup::Checkpoint next(scratch / "out/", "same", Overwrite::refuse, context);
  EXPECT_TRUE(next.has("read"));
  EXPECT_FALSE(fs::exists(ours));
  EXPECT_TRUE(fs::exists(scratch / "precious"));
  EXPECT_TRUE(fs::exists(scratch / ".out.other"));
}

TEST(Checkpoint, IgnoresAFileThatIsCutAnywhereOrHasAWrongBit) {
  const ScratchFolder scratch;
  Context context;
  const auto open = [&] { return dedup::Checkpoint(scratch / "out", "id", Overwrite::refuse, context).has("read"); };
  dedup::Checkpoint keeper(scratch / "out", "id", Overwrite::refuse, context);
  keeper.save("find", [](base::StateWriter&) {});  // so that the folder stays
  keeper.save("read", [](base::StateWriter& out) { out.text("state"); });
  const fs::path file = fs::path(scratch / kResumeFolder) / "read";
  const std::string whole = bytes_of(file);
  EXPECT_TRUE(open());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write_bytes(file, whole.substr(0, size));
    EXPECT_FALSE(open()) << size;
  }
  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
    write_bytes(file, damaged);
    EXPECT_FALSE(open()) << bit;
  }
}

}  // namespace
}  // namespace neardup::test
