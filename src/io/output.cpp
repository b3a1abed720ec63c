#include "io/output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "base/system.h"
#include "io/codecs/codecs.h"
#include "io/formats/formats.h"
#include "neardup/error.h"

namespace neardup::io {

namespace fs = std::filesystem;

namespace {

// A name that ends like this means a file, never a folder; none of these is written.
void refuse_foreign(const std::string& path, std::string_view extension) {
  for (const std::string_view foreign : {".zip", ".tar", ".tgz", ".tbz2", ".txz", ".7z", ".parquet", ".fps"}) {
    if (!ends_in(extension, foreign)) continue;
    throw Error(ErrorCode::usage,
                fmt::format("-o {}: {} is not written (formats: {}; compressions: {}; a folder of that name ends in /)",
                            path, foreign, fmt::join(format_names(), ", "), fmt::join(codec_names(), ", ")));
  }
}

// Why an output must not take the place of what stands at `path`, even when told to; null when it may.
const char* precious(const fs::path& path) {
  std::error_code error;
  switch (fs::symlink_status(path, error).type()) {
    case fs::file_type::none:
    case fs::file_type::not_found:
    case fs::file_type::regular:
      return nullptr;
    case fs::file_type::symlink:
      return "a symbolic link";
    case fs::file_type::directory: {
      const bool ours = fs::exists(path / "run.json", error) || fs::is_empty(path, error);
      return ours && !error ? nullptr : "a folder without a run.json";
    }
    default:
      return "neither a file nor a folder";
  }
}

fs::path resolved(const fs::path& path) {
  const fs::path whole = fs::absolute(path);  // a relative path of which nothing exists would stay relative
  std::error_code error;
  fs::path real = fs::weakly_canonical(whole, error);
  return error ? whole.lexically_normal() : real;
}

bool is_within(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

}  // namespace

void check_apart_from_inputs(const Collection& collection, const fs::path& output) {
  const Collection::Impl& impl = collection.impl();
  if (impl.files == nullptr) return;
  const fs::path target = resolved(output.has_filename() ? output : output.parent_path());
  for (const fs::path& folder : impl.folders) {
    if (is_within(target, resolved(folder))) {
      throw Error(ErrorCode::usage, fmt::format("-o {} lies inside the input folder {}: the next run would read it "
                                                "(name a place outside)",
                                                output.string(), folder.string()));
    }
  }
  if (!impl.files->exists(output)) return;
  for (const Source& source : impl.sources) {
    if (is_within(resolved(source.file), target)) {
      throw Error(ErrorCode::usage,
                  fmt::format("-o {} would replace the input {} (name another output)", output.string(), source.path));
    }
  }
}

void check_apart_from_files(std::span<const std::string> inputs, const fs::path& output) {
  for (const std::string& input : inputs) {
    std::error_code error;
    if (input != "-" && fs::equivalent(input, output, error) && !error)
      throw Error(ErrorCode::usage,
                  fmt::format("-o {} would replace the input {} (name another output)", output.string(), input));
  }
}

Target parse_target(const std::string& path) {
  if (path.empty()) return {};
  if (path == "-")
    return {.kind = Target::Kind::stdout_stream, .path = path, .format = nullptr, .codec = &plain_codec()};
  const std::string_view extension = format_extension(path);
  const Format* format = format_of_extension(extension);
  // Written by `fingerprint`; they hold no documents and so are no formats.
  const bool fingerprints = ends_in(extension, ".hex") || ends_in(path, ".fps");
  if (format == nullptr && !fingerprints) {
    refuse_foreign(path, extension);
    if (const Codec& codec = codec_of_name(path); &codec != &plain_codec()) {
      throw Error(ErrorCode::usage,
                  fmt::format("-o {}: the name does not say the format (for example .jsonl{}; a folder "
                              "of that name ends in /)",
                              path, codec.extension));
    }
    return {.kind = Target::Kind::folder, .path = path};
  }
  return {.kind = Target::Kind::file, .path = path, .format = format, .codec = &codec_of_name(path)};
}

fs::path name_like(const std::string& stem, const Source& source) {
  std::string_view extension = format_extension(source.path);
  if (extension.empty() && !source.format->extensions.empty()) extension = source.format->extensions.front();
  return fmt::format("{}{}{}", stem, extension, source.codec->extension);
}

struct OutputTransaction::State {
  fs::path final_path, working_path, old_path;
  Overwrite overwrite;
  FileSystem& files;
  bool committed = false;
  bool replaced = false;  // what stood there waits at old_path

  void refuse_existing() const {
    if (!files.exists(final_path)) return;
    if (const char* kind = precious(final_path)) {
      throw Error(
          ErrorCode::output,
          fmt::format("{} exists already and is {}; --force replaces only a file, an empty folder or the folder "
                      "of an earlier run (name another output)",
                      final_path.string(), kind));
    }
    if (overwrite == Overwrite::refuse) {
      throw Error(ErrorCode::output, fmt::format("{} exists already (--force replaces it)", final_path.string()));
    }
  }
};

OutputTransaction::OutputTransaction(fs::path final_path, Overwrite overwrite, const Context& context) {
  if (!final_path.has_filename()) final_path = final_path.parent_path();  // "out/" is "out"
  const fs::path name = final_path.filename();
  if (name.empty() || name == "." || name == "..") {
    throw Error(ErrorCode::usage,
                fmt::format("-o {}: expected the name of a file or of a new folder", final_path.string()));
  }
  if (final_path == "-") {
    throw Error(ErrorCode::usage,
                "\"-\" is standard output, but a file is written here: name one (./- is a file of that name)");
  }
  FileSystem& files = base::files(context);
  const fs::path parent = final_path.has_parent_path() ? final_path.parent_path() : fs::path(".");
  if (!files.exists(parent)) {
    throw Error(ErrorCode::output,
                fmt::format("cannot write {}: the folder {} does not exist", final_path.string(), parent.string()));
  }
  std::random_device random;  // only for a name nobody else has
  fs::path working;
  do {
    working = parent / fmt::format(".{}.neardup-{:06x}", name.string(), random() & 0xFFFFFFu);
  } while (files.exists(working));
  fs::path old = working;
  old += ".old";
  state_ = std::make_unique<State>(State{std::move(final_path), std::move(working), std::move(old), overwrite, files});
  state_->refuse_existing();
}

OutputTransaction::~OutputTransaction() {
  if (!state_->committed) state_->files.remove_all(state_->working_path);
}

const fs::path& OutputTransaction::working_path() const { return state_->working_path; }

void OutputTransaction::commit_together(std::initializer_list<OutputTransaction*> transactions) {
  std::vector<OutputTransaction*> published;
  try {
    for (OutputTransaction* transaction : transactions) {
      if (transaction == nullptr) continue;
      transaction->publish();
      published.push_back(transaction);
    }
  } catch (...) {
    for (OutputTransaction* transaction : published) transaction->withdraw();
    throw;
  }
  for (const OutputTransaction* transaction : published) {
    State& s = *transaction->state_;
    s.committed = true;
    if (s.replaced) s.files.remove_all(s.old_path);
  }
}

void OutputTransaction::publish() {
  State& s = *state_;
  s.refuse_existing();
  s.replaced = s.files.exists(s.final_path);
  if (s.replaced) s.files.rename(s.final_path, s.old_path);
  try {
    s.files.rename(s.working_path, s.final_path);
  } catch (...) {
    if (s.replaced) s.files.rename(s.old_path, s.final_path);
    throw;
  }
}

void OutputTransaction::withdraw() noexcept {
  State& s = *state_;
  try {
    s.files.rename(s.final_path, s.working_path);
    if (s.replaced) s.files.rename(s.old_path, s.final_path);
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
