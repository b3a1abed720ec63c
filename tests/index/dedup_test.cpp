// deduplicate() with an index: what it removes and adds, and that output and index stay together whenever it is killed.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "neardup/dedup.h"
#include "neardup/index.h"
#include "support/failing_files.h"
#include "support/scratch.h"

namespace neardup::test {
namespace {

namespace fs = std::filesystem;

// Calls a hook before and after every call that matters.
class HookedKnown final : public KnownDocuments {
 public:
  HookedKnown(KnownDocuments& inner, std::function<void()> hook) : inner_(inner), hook_(std::move(hook)) {}
  [[nodiscard]] std::string name() const override { return inner_.name(); }
  [[nodiscard]] std::uint64_t documents() const override { return inner_.documents(); }
  [[nodiscard]] std::string state() const override { return inner_.state(); }
  [[nodiscard]] std::optional<std::string> text(std::string_view key) const override { return inner_.text(key); }
  void check(const Collection& collection, const DedupOptions& options) const override {
    inner_.check(collection, options);
  }
  [[nodiscard]] KnownMatches compare(const Collection& collection, OnBadRecord on_bad,
                                     const Context& context) const override {
    hook_();
    KnownMatches found = inner_.compare(collection, on_bad, context);
    hook_();
    return found;
  }
  [[nodiscard]] std::optional<PendingRun> pending() const override { return inner_.pending(); }
  void announce(const PendingRun& run) override {
    hook_();
    inner_.announce(run);
    hook_();
  }
  void abandon() override {
    hook_();
    inner_.abandon();
    hook_();
  }
  // In two steps, as if it could be killed in between.
  KnownAddition add(const Collection& collection, const std::vector<bool>& rows, OnBadRecord on_bad,
                    const Context& context) override {
    hook_();
    std::optional<PendingRun> run = inner_.pending();
    std::vector<bool> half = rows;
    std::fill(half.begin() + static_cast<std::ptrdiff_t>(half.size() / 2), half.end(), false);
    KnownAddition first = inner_.add(collection, half, on_bad, context);
    if (run) {
      run->is_adding = true;
      inner_.announce(*run);
    }
    hook_();
    KnownAddition all = inner_.add(collection, rows, on_bad, context);
    hook_();
    all.added += first.added;
    return all;
  }

 private:
  KnownDocuments& inner_;
  std::function<void()> hook_;
};

std::string sentence(base::Random& random) {
  std::string text;
  for (int i = 0; i < 12; ++i) text += fmt::format("{}w{}", i == 0 ? "" : " ", random.below(30));
  return text;
}

// Some are copies of earlier ones, of this batch or of another, with a word changed or none.
std::string batch_of(base::Random& random, std::vector<std::string>& texts, int count, const char* prefix) {
  std::string lines;
  for (int i = 0; i < count; ++i) {
    std::string text = texts.empty() || random.below(2) == 0 ? sentence(random) : texts[random.below(texts.size())];
    if (random.below(3) == 0) text.replace(text.rfind(' ') + 1, std::string::npos, "changed");
    texts.push_back(text);
    lines += fmt::format("{{\"id\":\"{}{}\",\"text\":\"{}\"}}\n", prefix, i, text);
  }
  return lines;
}

const Definition kWords{.features = {.kind = FeatureKind::words, .length = 1}, .threshold = {7, 10}};

// A folder with an index of one batch, and another batch to come.
struct DedupSite {
  DedupSite(const ScratchFolder& scratch, const char* name, std::uint64_t seed)
      : folder(scratch / name), index(folder / "seen"), input(folder / "new.jsonl") {
    // Made once, then copied.
    const fs::path first = scratch / fmt::format("prototype{}", seed);
    if (fs::exists(first)) {
      fs::copy(first, folder, fs::copy_options::recursive);
      return;
    }
    fs::create_directories(folder);
    base::Random random(seed);
    std::vector<std::string> texts;
    write_file(folder / "old.jsonl", batch_of(random, texts, 12, "old"));
    write_file(input, batch_of(random, texts, 14, "new"));
    Index::create(index, {.definition = kWords}, {});
    {
      Index open = Index::open(index, {}, {});
      const Collection old = Collection::open({(folder / "old.jsonl").string()}, {}, {});
      add_collection(open, old, {.action = IndexAction::check_or_add}, {}, {});
    }
    fs::copy(folder, first, fs::copy_options::recursive);
  }

  static void write_file(const fs::path& path, const std::string& bytes) {
    const auto file = system_files().create(path);
    file->write(bytes);
    file->close();
  }
  static std::string read_file(const fs::path& path) {
    const auto mapped = system_files().map(path);
    return {mapped->bytes().data(), mapped->bytes().size()};
  }

  [[nodiscard]] DedupOptions options(const std::string& output, bool resume) const {
    return {.definition = kWords, .output = {.path = (folder / output).string(), .resume = resume}};
  }
  [[nodiscard]] Collection documents() const { return Collection::open({input.string()}, {}, {}); }

  DedupReport run(const DedupOptions& options, const std::function<void()>& hook, FileSystem* files) const {
    Context context;
    context.files = files;
    Index open = Index::open(index, {}, {});
    const std::unique_ptr<KnownDocuments> known = known_documents(open);
    HookedKnown hooked(*known, hook);
    return deduplicate(documents(), hooked, options, context).report;
  }
  DedupReport run(const DedupOptions& options) const {
    return run(
        options, [] {}, nullptr);
  }

  // Keys of the index in order of addition, and whether a run is pending.
  [[nodiscard]] std::vector<std::string> indexed() const {
    const Index open = Index::open(index, {.read_only = true}, {});
    std::vector<std::string> keys;
    open.export_documents(
        [&](const StoredDocument& document) {
          keys.push_back(document.key);
          return true;
        },
        {});
    return keys;
  }
  [[nodiscard]] bool has_pending() const {
    Index open = Index::open(index, {.read_only = true}, {});
    return known_documents(open)->pending().has_value();
  }
  // Every file of an output but run.json, which has times.
  [[nodiscard]] std::map<std::string, std::string> written(const std::string& output) const {
    static const std::set<std::string> with_times{"run.json", "report.html"};
    std::map<std::string, std::string> files;
    if (!fs::exists(folder / output)) return files;
    if (fs::is_regular_file(folder / output)) return {{"", read_file(folder / output)}};
    for (const auto& entry : fs::recursive_directory_iterator(folder / output))
      if (entry.is_regular_file() && !with_times.contains(entry.path().filename().string()))
        files[fs::relative(entry.path(), folder / output).string()] = read_file(entry.path());
    return files;
  }
  // Names that an output that was not finished leaves.
  [[nodiscard]] std::vector<std::string> hidden() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().filename().string().starts_with(".")) names.push_back(entry.path().filename().string());
    return names;
  }

  fs::path folder, index, input;
};

TEST(DedupWithIndex, RemovesWhatACheckFindsAndAddsWhatItKeeps) {
  const ScratchFolder scratch;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    const DedupSite site(scratch, fmt::format("site{}", seed).c_str(), seed);
    std::set<std::string> known;
    {
      const Index open = Index::open(site.index, {.read_only = true}, {});
      check_collection(open, site.documents(), OnBadRecord::skip,
                       [&](std::string_view key, const std::optional<IndexMatch>& match) {
                         if (match) known.emplace(key);
                       },
                       {});
    }
    const std::vector<std::string> before = site.indexed();
    // The rest alone, without any index.
    std::string rest;
    for (std::size_t i = 0; i < 14; ++i) {
      const std::string all = DedupSite::read_file(site.input);
      std::size_t at = 0;
      for (std::size_t line = 0; line < i; ++line) at = all.find('\n', at) + 1;
      if (!known.contains(fmt::format("new{}", i))) rest += all.substr(at, all.find('\n', at) + 1 - at);
    }
    std::string wanted;
    if (!rest.empty()) {
      DedupSite::write_file(site.folder / "rest.jsonl", rest);
      const Collection alone = Collection::open({(site.folder / "rest.jsonl").string()}, {}, {});
      deduplicate(alone, site.options("wanted.jsonl", false), {});
      wanted = site.written("wanted.jsonl").at("");
    }
    const DedupReport report = site.run(site.options("out.jsonl", false));
    EXPECT_EQ(site.written("out.jsonl").at(""), wanted);
    EXPECT_EQ(report.known->removed, known.size());
    std::vector<std::string> keys = before;
    for (std::size_t at = 0; at < wanted.size(); at = wanted.find('\n', at) + 1)
      keys.push_back(wanted.substr(at + 7, wanted.find('"', at + 7) - at - 7));
    EXPECT_EQ(site.indexed(), keys);
    EXPECT_EQ(report.known->added, keys.size() - before.size());
    EXPECT_EQ(report.known->documents, before.size());
  }
}

// What a run that was never disturbed leaves.
struct Undisturbed {
  std::map<std::string, std::string> output;
  std::vector<std::string> keys;
};
Undisturbed undisturbed(const ScratchFolder& scratch, const std::string& output, bool resume) {
  const DedupSite site(scratch, "undisturbed", 5);
  site.run(site.options(output, resume));
  return {site.written(output), site.indexed()};
}

void expect_consistent_and_repeat(const DedupSite& site, const std::string& output, bool resume,
                                  const std::vector<std::string>& before, const Undisturbed& wanted) {
  // Nothing has happened, or the output is there whole and the index knows that something is missing, or all is done.
  const bool is_done = site.indexed() == wanted.keys && !site.has_pending();
  if (site.written(output).empty()) {
    EXPECT_EQ(site.indexed(), before);
  } else {
    EXPECT_EQ(site.written(output), wanted.output);
    EXPECT_TRUE(is_done || site.has_pending());
  }
  if (!is_done) site.run(site.options(output, resume));
  EXPECT_EQ(site.written(output), wanted.output);
  EXPECT_EQ(site.indexed(), wanted.keys);
  EXPECT_FALSE(site.has_pending());
  const std::vector<std::string> left = resume && !is_done ? site.hidden() : std::vector<std::string>();
  EXPECT_EQ(left, std::vector<std::string>{});
}

TEST(DedupWithIndex, StaysConsistentWhenItDiesAtAnyFileOperation) {
  for (const auto& [output, resume] : {std::pair("out.jsonl", false), std::pair("out", true)}) {
    const ScratchFolder scratch;
    const Undisturbed wanted = undisturbed(scratch, output, resume);
    bool was_killed = true;
    for (std::uint64_t at = 0; was_killed; ++at) {
      SCOPED_TRACE(fmt::format("{}: operation {}", output, at));
      const DedupSite site(scratch, fmt::format("site{}", at).c_str(), 5);
      const std::vector<std::string> before = site.indexed();
      FailingFiles files(FailingFiles::Mode::gone, at);
      was_killed = false;
      try {
        // Once the disk is gone the index does not change either.
        site.run(
            site.options(output, resume),
            [&] {
              if (files.operations() > at) throw Error(ErrorCode::output, "gone");
            },
            &files);
      } catch (const Error&) {
        was_killed = true;
      }
      expect_consistent_and_repeat(site, output, resume, before, wanted);
    }
  }
}

TEST(DedupWithIndex, IsUnchangedOrCompletedWhenTheIndexFailsAtAnyCall) {
  for (const auto& [output, resume] : {std::pair("out.jsonl", true), std::pair("out", false)}) {
    const ScratchFolder scratch;
    const Undisturbed wanted = undisturbed(scratch, output, resume);
    bool was_killed = true;
    for (int at = 0; was_killed; ++at) {
      SCOPED_TRACE(fmt::format("{}: call {}", output, at));
      const DedupSite site(scratch, fmt::format("site{}", at).c_str(), 5);
      const std::vector<std::string> before = site.indexed();
      int calls = 0;
      was_killed = false;
      try {
        site.run(
            site.options(output, resume),
            [&] {
              if (calls++ >= at) throw Error(ErrorCode::output, "the index is gone");
            },
            nullptr);
      } catch (const Error&) {
        was_killed = true;
      }
      expect_consistent_and_repeat(site, output, resume, before, wanted);
    }
  }
}

// Not a test but the process that dies.
TEST(DedupProcess, DISABLED_DiesAtACall) {
  const char* path = std::getenv("NEARDUP_TEST_SITE");
  const char* at = std::getenv("NEARDUP_TEST_DIE_AT");
  if (path == nullptr || at == nullptr) GTEST_SKIP();
  const fs::path folder = path;
  Index open = Index::open(folder / "seen", {}, {});
  const std::unique_ptr<KnownDocuments> known = known_documents(open);
  int calls = 0;
  HookedKnown hooked(*known, [&] {
    if (calls++ == std::atoi(at)) _exit(9);
  });
  const Collection documents = Collection::open({(folder / "new.jsonl").string()}, {}, {});
  deduplicate(documents, hooked, {.definition = kWords, .output = {.path = (folder / "out").string()}}, {});
}

TEST(DedupWithIndex, IsRepeatedAfterItsProcessDied) {
  const ScratchFolder scratch;
  const Undisturbed wanted = undisturbed(scratch, "out", false);
  for (int at = 0; at < 9; ++at) {
    SCOPED_TRACE(at);
    const DedupSite site(scratch, fmt::format("site{}", at).c_str(), 5);
    const std::vector<std::string> before = site.indexed();
    const std::string folder = site.folder.string(), number = std::to_string(at);
    const pid_t id = fork();
    if (id == 0) {
      setenv("NEARDUP_TEST_SITE", folder.c_str(), 1);
      setenv("NEARDUP_TEST_DIE_AT", number.c_str(), 1);
      execl("/proc/self/exe", "test", "--gtest_filter=DedupProcess.DISABLED_DiesAtACall",
            "--gtest_also_run_disabled_tests", "--gtest_brief=1", nullptr);
      _exit(127);
    }
    int status = 0;
    ASSERT_EQ(waitpid(id, &status, 0), id);
    ASSERT_TRUE(WIFEXITED(status) && (WEXITSTATUS(status) == 9 || WEXITSTATUS(status) == 0)) << status;
    expect_consistent_and_repeat(site, "out", false, before, wanted);
  }
}

TEST(DedupWithIndex, RefusesAnotherRunUntilThePendingOneIsRepeatedOrAbandoned) {
  const ScratchFolder scratch;
  const DedupSite site(scratch, "site", 5);
  int calls = 0;
  const auto die = [&] {
    if (calls++ == 5) throw Error(ErrorCode::output, "gone");  // after half of the addition
  };
  EXPECT_THROW(site.run(site.options("out.jsonl", false), die, nullptr), Error);
  ASSERT_TRUE(site.has_pending());
  try {
    site.run(site.options("other.jsonl", false));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_NE(std::string(error.what()).find("out.jsonl"), std::string::npos);
  }
  EXPECT_TRUE(site.written("other.jsonl").empty());
  {
    Index open = Index::open(site.index, {}, {});
    known_documents(open)->abandon();
  }
  EXPECT_NO_THROW(site.run(site.options("other.jsonl", false)));
}

TEST(DedupWithIndex, InterruptedBeforeItsOutputAppearsChangesNothing) {
  const ScratchFolder scratch;
  const DedupSite site(scratch, "site", 5);
  const std::vector<std::string> before = site.indexed();
  std::stop_source stop;
  Context context;
  context.stop = stop.get_token();
  Index open = Index::open(site.index, {}, {});
  const std::unique_ptr<KnownDocuments> known = known_documents(open);
  HookedKnown hooked(*known, [&] { stop.request_stop(); });
  try {
    deduplicate(site.documents(), hooked, site.options("out", true), context);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::interrupted);
  }
  EXPECT_FALSE(known->pending());
  EXPECT_TRUE(site.written("out").empty());
  EXPECT_EQ(open.stats().documents, before.size());
}

}  // namespace
}  // namespace neardup::test
