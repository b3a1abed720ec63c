#include "dedup/checkpoint.h"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "base/system.h"
#include "neardup/error.h"

namespace neardup::dedup {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> kStages{"against", "read", "sketches", "find"};
constexpr const char* kLeftovers = "leftovers";

fs::path without_slash(const fs::path& output) { return output.has_filename() ? output : output.parent_path(); }

// The name of the first line in which two identities differ.
std::string first_difference(std::string_view a, std::string_view b) {
  while (!a.empty() || !b.empty()) {
    const auto line = [](std::string_view& text) {
      const std::string_view head = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(text.size(), head.size() + 1));
      return head;
    };
    const std::string_view from_a = line(a), from_b = line(b);
    if (from_a != from_b) {
      const std::string_view named = from_a.empty() ? from_b : from_a;
      return std::string(named.substr(0, named.find(": ")));
    }
  }
  return {};
}

}  // namespace

Checkpoint::Checkpoint(const fs::path& output, std::string identity, Overwrite overwrite, const Context& context)
    : files_(base::files(context)), output_(without_slash(output)), identity_(std::move(identity)) {
  folder_ = output_.parent_path() / fmt::format(".{}.neardup-resume", output_.filename().string());
  for (const std::string_view stage : kStages) examine(stage, overwrite);
  delete_leftovers();
}

Checkpoint::~Checkpoint() {
  if (stages_.empty()) remove();
}

fs::path Checkpoint::path_of(std::string_view stage) const { return folder_ / stage; }

void Checkpoint::examine(std::string_view stage, Overwrite overwrite) {
  const fs::path path = path_of(stage);
  if (!files_.exists(path)) return;
  std::string saved_by;
  try {
    saved_by = base::StateReader(files_, path).text();
  } catch (const Error&) {
    return;  // damaged, or it cannot be read: the stage is done again
  }
  if (saved_by == identity_) {
    stages_.emplace(stage);
  } else if (overwrite == Overwrite::replace) {
    files_.remove_all(path);
  } else {
    throw Error(
        ErrorCode::usage,
        fmt::format("`resume`: {} was left by another run ({} differs); repeat that run to continue it, or delete "
                    "the folder to begin anew (`overwrite` does both: begin anew and replace the output)",
                    folder_.string(), first_difference(saved_by, identity_)),
        "resume");
  }
}

void Checkpoint::load(std::string_view stage, const std::function<void(base::StateReader&)>& take) const {
  base::StateReader in(files_, path_of(stage));
  in.text();
  take(in);
}

void Checkpoint::save(std::string_view stage, const std::function<void(base::StateWriter&)>& put) {
  write(path_of(stage), [&](base::StateWriter& out) {
    out.text(identity_);
    put(out);
  });
  stages_.emplace(stage);
}

void Checkpoint::drop(std::string_view stage) {
  files_.remove_all(path_of(stage));
  if (const auto found = stages_.find(stage); found != stages_.end()) stages_.erase(found);
}

void Checkpoint::write(const fs::path& path, const std::function<void(base::StateWriter&)>& put) {
  fs::path unfinished = path;
  unfinished += ".unfinished";
  const bool is_first = !files_.exists(folder_);
  files_.create_folders(folder_);
  if (is_first) files_.sync(output_.has_parent_path() ? output_.parent_path() : ".");
  files_.remove_all(unfinished);
  base::StateWriter out(files_, unfinished);
  put(out);
  out.finish();
  files_.rename(unfinished, path);
  files_.sync(folder_);
}

void Checkpoint::expect_to_leave(std::span<const fs::path> paths) {
  write(folder_ / kLeftovers, [&](base::StateWriter& out) {
    out.value<std::uint64_t>(paths.size());
    for (const fs::path& path : paths) out.text(path.filename().string());
  });
}

// Only names that our own outputs take while they are written, in the folder of the output.
void Checkpoint::delete_leftovers() {
  const fs::path list = folder_ / kLeftovers;
  if (!files_.exists(list)) return;
  std::vector<std::string> names;
  try {
    base::StateReader in(files_, list);
    for (std::size_t left = in.count(1); left > 0; --left) names.push_back(in.text());
  } catch (const Error&) {
    return;
  }
  const std::string beginning = fmt::format(".{}.", output_.filename().string());
  for (const std::string& name : names) {
    const bool is_ours = name.starts_with(beginning) && name.find(".neardup-") != name.npos &&
                         name.find('/') == name.npos && name != folder_.filename().string();
    if (is_ours) files_.remove_all(output_.parent_path() / name);
  }
}

void Checkpoint::remove() { files_.remove_all(folder_); }

}  // namespace neardup::dedup
