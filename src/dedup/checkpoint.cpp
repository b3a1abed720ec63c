#include "dedup/checkpoint.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/system.h"
#include "neardup/error.h"

namespace neardup::dedup {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> kStages{"against", "read", "sketches", "find"};
constexpr const char* kLeftovers = "leftovers";

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

Checkpoint::Checkpoint(const Collection& collection, const Collection* against, const KnownDocuments* known,
                       const DedupOptions& options, const Context& context)
    : files_(base::files(context)) {
  if (!options.output.resume || options.output.path.empty() || options.output.dry_run) return;
  identity_ = run_identity(collection, against, options, context, known);
  look_at(options.output.path, options.output.overwrite);
}

Checkpoint::Checkpoint(const fs::path& output, std::string identity, Overwrite overwrite, const Context& context)
    : files_(base::files(context)), identity_(std::move(identity)) {
  look_at(output, overwrite);
}

Checkpoint::~Checkpoint() {
  if (stages_.empty()) remove();
}

void Checkpoint::look_at(const fs::path& output, Overwrite overwrite) {
  output_ = output.has_filename() ? output : output.parent_path();
  folder_ = output_.parent_path() / fmt::format(".{}.neardup-resume", output_.filename().string());
  for (const std::string_view stage : kStages) examine(stage, overwrite);
  delete_leftovers();
}

void Checkpoint::examine(std::string_view stage, Overwrite overwrite) {
  const fs::path path = folder_ / stage;
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
                    "the folder to start over (`overwrite` does both: start over and replace the output)",
                    folder_.string(), first_difference(saved_by, identity_)),
        "resume");
  }
}

void Checkpoint::load(const std::string& stage, const std::function<void(base::StateReader&)>& take) {
  base::StateReader in(files_, folder_ / stage);
  in.text();
  take(in);
  in.finish();
  loaded_.push_back(stage);
}

void Checkpoint::save(std::string_view stage, const std::function<void(base::StateWriter&)>& put) {
  if (!is_on()) return;
  write(folder_ / stage, [&](base::StateWriter& out) {
    out.text(identity_);
    put(out);
  });
  stages_.emplace(stage);
}

void Checkpoint::drop(std::string_view stage) {
  if (!is_on()) return;
  files_.remove_all(folder_ / stage);
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
  if (!is_on()) return;
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

void Checkpoint::remove() {
  if (is_on()) files_.remove_all(folder_);
}

}  // namespace neardup::dedup
