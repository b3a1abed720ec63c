#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "base/system.h"
#include "io/output.h"
#include "neardup/error.h"
#include "neardup/remote.h"

namespace neardup::io {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kWorking = ".neardup-";
constexpr std::string_view kOld = ".old";
// Above this many files the whole disk is synced instead: that takes about as long as a few dozen files do, even when
// others have something to write.
constexpr std::size_t kSyncedOneByOne = 64;

// Whether a run can have written a file or folder of this name at the top of its output folder.
bool is_name_of_output(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "run.json",     "cuts.jsonl", "passages.tsv",    "hits.jsonl",   "suites.tsv",  "removed.jsonl",
      "clusters.tsv", "pairs.tsv",  "bad.jsonl",       "quarantine",   "queries.tsv", "authority.tsv",
      "results.run",  "kept",       "removed-records", "cohesion.tsv", "report.html"};
  // The kept records of a single input have its extensions.
  return std::ranges::find(kNames, name) != std::end(kNames) || name.starts_with("kept.") ||
         name.starts_with("removed-records.");
}

// What a folder with a run.json holds besides what runs write, for a message; empty: nothing.
std::string foreign_files(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 3;
  std::string out;
  std::size_t count = 0;
  for (const std::string& name : names) {
    if (is_name_of_output(name)) continue;
    if (++count <= kShown) out += (count == 1 ? "" : ", ") + name;
  }
  return count > kShown ? out + ", ..." : out;
}

// Why an output must not take the place of what is at `path`, even when told to; empty when it may.
std::string precious(FileSystem& files, const fs::path& path) {
  switch (files.link_info(path).kind) {
    case FileKind::none:
    case FileKind::file:
      return {};
    case FileKind::link:
      return "is a symbolic link";
    case FileKind::folder:
      if (is_remote(path)) return "is a remote folder";
      try {
        const std::vector<std::string> names = files.list(path);
        if (names.empty()) return {};
        if (files.info(path / "run.json").kind != FileKind::none) {
          const std::string foreign = foreign_files(names);
          return foreign.empty() ? foreign : "contains files that no run wrote: " + foreign;
        }
      } catch (const Error&) {
        // A folder that cannot be looked into is as good as foreign.
      }
      return "is a folder without a run.json";
    default:
      return "is neither a file nor a folder";
  }
}

// Everything that is at or below a path, on disk with its names.
void sync_tree(FileSystem& files, const fs::path& root) {
  std::vector<fs::path> paths{root};
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const fs::path path = paths[i];
    if (files.info(path).kind != FileKind::folder) continue;
    for (const std::string& name : files.list(path)) paths.push_back(path / name);
    if (paths.size() > kSyncedOneByOne) {
      files.sync_all(root);
      return;
    }
  }
  for (const fs::path& path : paths) files.sync(path);
}

// What a killed transaction of this name left between its steps.
void clear_old(FileSystem& files, const fs::path& parent, const fs::path& final_path) {
  const std::string beginning = fmt::format(".{}{}", final_path.filename().string(), kWorking);
  std::vector<std::string> names;
  try {
    names = files.list(parent);
  } catch (const Error&) {
    return;  // it may be written, but not be listed
  }
  for (const std::string& name : names) {
    if (!name.starts_with(beginning) || !name.ends_with(kOld)) continue;
    if (files.exists(final_path)) {
      files.remove_all(parent / name);
    } else {
      files.rename(parent / name, final_path);
      files.sync(parent);
    }
  }
}

}  // namespace

struct OutputTransaction::State {
  fs::path parent, final_path, working_path, old_path;
  Overwrite overwrite;
  FileSystem& files;
  bool is_remote = false;     // written under its own name, where it appears once it is complete
  bool has_replaced = false;  // something stood there before
  bool committed = false;
  bool old_waits = false;  // at old_path, until it can no longer be needed

  void refuse_existing() const {
    if (!files.exists(final_path)) return;
    if (const std::string reason = precious(files, final_path); !reason.empty()) {
      throw Error(
          ErrorCode::output,
          fmt::format("{} exists already and {}; `overwrite` replaces only a file, an empty folder or the folder "
                      "of an earlier run (name another output)",
                      final_path.string(), reason),
          "overwrite");
    }
    if (overwrite == Overwrite::refuse) {
      throw Error(ErrorCode::output, fmt::format("{} exists already", final_path.string()), "overwrite");
    }
  }

  // The new one waits under the name that the old one will have, so that it is known to be worthless on either side of
  // the exchange.
  bool exchange() {
    files.rename(working_path, old_path);
    try {
      if (files.exchange(old_path, final_path)) return true;
    } catch (...) {
      files.rename(old_path, working_path);
      throw;
    }
    files.rename(old_path, working_path);
    return false;
  }

  void move_aside() {
    files.rename(final_path, old_path);
    try {
      files.sync(parent);  // never the new name without the old one's
      files.rename(working_path, final_path);
    } catch (...) {
      files.rename(old_path, final_path);
      throw;
    }
  }
};

OutputTransaction::OutputTransaction(fs::path final_path, Overwrite overwrite, const Context& context) {
  if (!final_path.has_filename()) final_path = final_path.parent_path();  // "out/" is "out"
  const fs::path name = final_path.filename();
  if (name.empty() || name == "." || name == "..") {
    throw Error(ErrorCode::usage,
                fmt::format("`output` {}: expected the name of a file or of a new folder", final_path.string()),
                "output");
  }
  if (final_path == "-") {
    throw Error(ErrorCode::usage,
                "\"-\" is standard output, but a file is written here: name one (./- is a file of that name)");
  }
  FileSystem& files = base::files(context);
  if (is_remote(final_path)) {
    state_ = std::make_unique<State>(State{{}, final_path, final_path, {}, overwrite, files, true});
    state_->refuse_existing();
    state_->has_replaced = files.info(final_path).kind != FileKind::none;
    return;
  }
  const fs::path parent = final_path.has_parent_path() ? final_path.parent_path() : fs::path(".");
  if (!files.exists(parent)) {
    throw Error(ErrorCode::output,
                fmt::format("cannot write {}: the folder {} does not exist", final_path.string(), parent.string()));
  }
  clear_old(files, parent, final_path);
  std::random_device random;  // only for a name of our own
  fs::path working;
  do {
    working = parent / fmt::format(".{}{}{:06x}", name.string(), kWorking, random() & 0xFFFFFFu);
  } while (files.exists(working));
  fs::path old = working;
  old += kOld;
  state_ = std::make_unique<State>(
      State{parent, std::move(final_path), std::move(working), std::move(old), overwrite, files});
  state_->refuse_existing();
}

OutputTransaction::~OutputTransaction() {
  // What a remote file would have replaced is still there.
  if (!state_->committed && !state_->has_replaced) state_->files.remove_all(state_->working_path);
}

const fs::path& OutputTransaction::working_path() const { return state_->working_path; }

void OutputTransaction::commit_together(std::initializer_list<OutputTransaction*> transactions) {
  std::vector<OutputTransaction*> all;
  for (OutputTransaction* transaction : transactions) {
    if (transaction == nullptr) continue;
    if (transaction->state_->is_remote) {
      transaction->state_->committed = true;
    } else {
      all.push_back(transaction);
    }
  }
  for (const OutputTransaction* transaction : all) sync_tree(transaction->state_->files, transaction->working_path());
  for (std::size_t i = 0; i < all.size(); ++i) {
    try {
      all[i]->publish(i + 1 == all.size() ? Last::yes : Last::no);
    } catch (...) {
      while (i > 0) all[--i]->withdraw();
      throw;
    }
  }
  for (const OutputTransaction* transaction : all) transaction->state_->committed = true;
  for (const OutputTransaction* transaction : all) transaction->state_->files.sync(transaction->state_->parent);
  for (const OutputTransaction* transaction : all) {
    const State& s = *transaction->state_;
    if (s.old_waits) s.files.remove_all(s.old_path);
  }
}

void OutputTransaction::publish(Last last) {
  State& s = *state_;
  s.refuse_existing();
  const FileKind old = s.files.link_info(s.final_path).kind;
  const bool both_files = old == FileKind::file && s.files.info(s.working_path).kind == FileKind::file;
  if (old == FileKind::none || (both_files && last == Last::yes)) {  // the last one is never taken back
    s.files.rename(s.working_path, s.final_path);
    return;
  }
  if (!s.exchange()) s.move_aside();
  s.old_waits = true;
}

void OutputTransaction::withdraw() noexcept {
  State& s = *state_;
  try {
    s.files.rename(s.final_path, s.working_path);
    if (s.old_waits) s.files.rename(s.old_path, s.final_path);
  } catch (const Error&) {
    // The disk fails for the second time in a row; what is complete stays where it is.
    s.committed = true;
  }
}

}  // namespace neardup::io

namespace neardup {

void check_output(const std::string& path, Overwrite overwrite, const Context& context) {
  const io::Target target = io::parse_target(path);
  if (target.kind == io::Target::Kind::file || target.kind == io::Target::Kind::folder) {
    const io::OutputTransaction refused_if_it_cannot_be(target.path, overwrite, context);
  }
}

}  // namespace neardup
