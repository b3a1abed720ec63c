// How does a run that was interrupted go on where it was?
//
// Next to the output NAME is the folder .NAME.neardup-resume with one state file for every finished stage.
// Each is written under another name, brought to disk and then renamed, and says in its head which run it belongs to.
// docs/formats.md describes the folder.
#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/state.h"
#include "neardup/collection.h"
#include "neardup/context.h"
#include "neardup/dedup.h"
#include "neardup/report.h"

namespace neardup::dedup {

// Everything that decides what comes out: a line for each thing, "name: value". Runs of the same identity give the same
// output. Throws Error{usage} for inputs that cannot be recognised later (standard input).
std::string run_identity(const Collection&, const Collection* against, const DedupOptions&, const Context&,
                         const KnownDocuments* = nullptr);
// Only what is read, and how; empty for inputs that cannot be recognised later.
std::string input_identity(const Collection&, const Context&);

// One that is off has nothing and saves nothing.
class Checkpoint {
 public:
  // Is on where OutputOptions::resume asks for it and something is written.
  Checkpoint(const Collection&, const Collection* against, const KnownDocuments*, const DedupOptions&, const Context&);
  // Stages are against, read, sketches and find. Looks at what an earlier run left. Of the same identity: load() gives
  // it back. Of another: Error{usage}, which says what differs, or with Overwrite::replace it is deleted. What is
  // damaged counts as not there.
  Checkpoint(const std::filesystem::path& output, std::string identity, Overwrite, const Context&);

  ~Checkpoint();  // leaves no folder in which nothing was saved
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  [[nodiscard]] bool is_on() const { return !folder_.empty(); }
  [[nodiscard]] bool has(std::string_view stage) const { return stages_.contains(stage); }
  // Precondition: has(stage).
  void load(const std::string& stage, const std::function<void(base::StateReader&)>& take);
  [[nodiscard]] const std::vector<std::string>& loaded() const { return loaded_; }
  void save(std::string_view stage, const std::function<void(base::StateWriter&)>& put);
  void drop(std::string_view stage);
  // Files and folders that will be worthless if this run is killed: the next one of this output deletes them.
  void expect_to_leave(std::span<const std::filesystem::path>);
  // After the run has succeeded.
  void remove();

 private:
  void look_at(const std::filesystem::path& output, Overwrite);
  void examine(std::string_view stage, Overwrite);
  void write(const std::filesystem::path& name, const std::function<void(base::StateWriter&)>& put);
  void delete_leftovers();

  FileSystem& files_;
  std::filesystem::path output_, folder_;
  std::string identity_;
  std::set<std::string, std::less<>> stages_;  // that can be loaded
  std::vector<std::string> loaded_;            // stages, in order
};

}  // namespace neardup::dedup
