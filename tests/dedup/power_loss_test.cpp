// The power fails at any moment of a run: its outputs are whole, and what it saved lets it go on.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/random.h"
#include "dedup/checkpoint.h"
#include "io/collection.h"
#include "support/collections.h"
#include "support/losing_files.h"
#include "support/runs.h"

namespace neardup::test {
namespace {

using Tree = std::map<std::string, std::string>;

constexpr unsigned kMixtures = 3;

// A disk with an input on it, and runs there.
std::unique_ptr<LosingFiles> disk_with_input() {
  auto disk = std::make_unique<LosingFiles>();
  base::Random random(1);
  std::string lines = as_jsonl(numbered(near_copies(random, 30)));
  lines.insert(lines.find('\n') + 1, "no json\n");
  disk->put("in.jsonl", lines);
  disk->create_folders("temp");
  disk->sync_all("/");
  return disk;
}

DedupReport run(LosingFiles& disk, const DedupOptions& options) {
  const Context context{.threads = 2, .temp_folder = "temp", .files = &disk};
  return deduplicate(Collection::open({"in.jsonl"}, {}, context), options, context).report;
}

// Everything but the input and temporary files, as two runs of the same command leave it.
Tree outputs_of(LosingFiles& disk) {
  Tree outputs;
  for (const auto& [name, bytes] : disk.contents("/")) {
    if (name != "in.jsonl" && !name.starts_with("temp")) outputs[name] = has_times(name) ? without_times(bytes) : bytes;
  }
  return outputs;
}

// Only what stands under final names.
Tree finals_of(LosingFiles& disk) {
  Tree outputs = outputs_of(disk);
  std::erase_if(outputs, [](const auto& entry) { return entry.first.starts_with('.'); });
  return outputs;
}

DedupOptions options_for(const std::string& path) {
  DedupOptions options{.definition = words_definition(1, Measure::jaccard, {3, 5}),
                       .output = {.path = path, .save_removed = path == "out"}};
  options.output.overwrite = Overwrite::replace;
  return options;
}

TEST(PowerLoss, LeavesTheResultOfTheEarlierRunOrOfThisOne) {
  for (const char* path : {"out", "out.jsonl", "out.jsonl.gz"}) {
    for (const bool is_second : {false, true}) {
      SCOPED_TRACE(path);
      const auto disk = disk_with_input();
      DedupOptions options = options_for(path);
      if (is_second) {
        options.definition.threshold = {1, 5};
        (void)run(*disk, options);
        options.definition.threshold = {3, 5};
        disk->sync_all("/");
      }
      const Tree old = finals_of(*disk);
      disk->collect_crashes(kMixtures);
      (void)run(*disk, options);
      const Tree fresh = finals_of(*disk);
      ASSERT_NE(old, fresh);
      for (const auto& crash : disk->crashes()) {
        const Tree left = finals_of(*crash.disk);
        ASSERT_TRUE(left == old || left == fresh) << crash.when;
      }
      disk->collect_crashes(kMixtures);
      for (const auto& crash : disk->crashes()) EXPECT_EQ(finals_of(*crash.disk), fresh) << "a finished run is on disk";
    }
  }
}

TEST(PowerLoss, LetsARunGoOnToTheSameBytes) {
  for (const std::string path : {"out", "out.jsonl"}) {
    SCOPED_TRACE(path);
    DedupOptions options = options_for(path);
    options.output.resume = true;
    const auto disk = disk_with_input();
    disk->collect_crashes(kMixtures);
    (void)run(*disk, options);
    const Tree expected = outputs_of(*disk);
    std::size_t resumed = 0;
    for (const auto& crash : disk->crashes()) {
      SCOPED_TRACE(crash.when);
      resumed += run(*crash.disk, options).resumed.empty() ? 0 : 1;
      ASSERT_EQ(outputs_of(*crash.disk), expected);
    }
    EXPECT_GE(resumed, 10u);
  }
}

TEST(PowerLoss, TakesNoStageThatWasSaved) {
  LosingFiles disk;
  const Context context{.files = &disk};
  dedup::Checkpoint checkpoint("out", "same", Overwrite::refuse, context);
  checkpoint.save("read", [](base::StateWriter& out) { out.text("state"); });
  disk.collect_crashes(kMixtures);
  checkpoint.save("find", [](base::StateWriter& out) { out.text("more"); });
  for (const auto& crash : disk.crashes()) {
    dedup::Checkpoint next("out", "same", Overwrite::refuse, Context{.files = crash.disk.get()});
    ASSERT_TRUE(next.has("read")) << crash.when;
    next.load("read", [](base::StateReader& in) { EXPECT_EQ(in.text(), "state"); });
  }
  disk.collect_crashes(kMixtures);
  for (const auto& crash : disk.crashes()) {
    const dedup::Checkpoint next("out", "same", Overwrite::refuse, Context{.files = crash.disk.get()});
    EXPECT_TRUE(next.has("read") && next.has("find")) << "save() has returned";
  }
}

}  // namespace
}  // namespace neardup::test
