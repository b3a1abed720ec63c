#include "io/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <utility>

#include "base/standard_input.h"
#include "io/glob.h"
#include "neardup/error.h"
#include "neardup/files.h"

namespace neardup::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStandardInput = "-";
constexpr std::chrono::milliseconds kWait{100};

class Finder {
 public:
  explicit Finder(const Context& context) : context_(context), files_(base::files(context)) {}

  Inputs find(const std::vector<std::string>& inputs) {
    if (inputs.empty()) throw Error(ErrorCode::usage, "no input is named");
    for (const std::string& input : inputs) add(input);
    set_relative_paths();
    found_.single = inputs.size() == 1 && found_.sources.size() == 1 && !has_folder_;
    return std::move(found_);
  }

 private:
  void add(const std::string& input) {
    if (input == kStandardInput) {
      add_stream(input, *base::standard_input());
      return;
    }
    const bool exists = files_.exists(input);
    if (!exists && is_glob(input)) {
      add_matches(input);
      return;
    }
    const FileKind kind = files_.info(input).kind;
    if (kind == FileKind::folder) {
      add_folder(input);
    } else if (kind == FileKind::stream) {
      add_stream(input, *files_.open(input));
    } else if (exists) {
      add_file(input);
    } else {
      throw Error(ErrorCode::input, fmt::format("no such file or folder: {}", input));
    }
  }

  void add_file(const std::string& path) {
    found_.sources.push_back({.path = path, .file = path, .relative = {}});
    anchors_.push_back(fs::absolute(path).lexically_normal().parent_path());
  }

  void add_matches(const std::string& pattern) {
    const std::vector<std::string> paths = glob(files_, pattern);
    if (paths.empty()) throw Error(ErrorCode::input, fmt::format("no file matches {}", pattern));
    for (const std::string& path : paths) add(path);
  }

  void add_folder(const std::string& folder) {
    has_folder_ = true;
    const std::size_t before = found_.sources.size();
    const bool entered = walk(folder);
    if (entered && found_.sources.size() == before)
      throw Error(ErrorCode::input, fmt::format("there are no files in {}", folder));
    found_.folders.emplace_back(folder);
    anchors_.push_back(fs::absolute(fs::path(folder) / ".").lexically_normal().parent_path());
  }

  // Every folder is entered once, however many links lead to it: that ends loops and stops links from multiplying
  // paths. False when this one had been entered already.
  bool walk(const fs::path& folder) {
    base::check_stop(context_);
    if (!entered_.insert(files_.info(folder).id).second) {
      if (context_.observer != nullptr) {
        context_.observer->warning(
            fmt::format("{} leads to a folder that was read already; not followed", folder.string()));
      }
      return false;
    }
    for (const std::string& name : files_.list(folder)) {
      if (name.starts_with('.')) continue;
      const fs::path path = folder / name;
      switch (files_.info(path).kind) {
        case FileKind::none:
          throw Error(ErrorCode::input, fmt::format("cannot read {}: No such file or directory", path.string()));
        case FileKind::folder:
          walk(path);
          break;
        case FileKind::file:
          found_.sources.push_back({.path = path.string(), .file = path, .relative = {}});
          break;
        default:
          break;  // what can be read only once must be named
      }
    }
    return true;
  }

  // A collection is read more than once, a stream is not: copies it as it comes to the temporary folder.
  void add_stream(const std::string& path, InputFile& stream) {
    if (std::any_of(found_.sources.begin(), found_.sources.end(), [&](const Source& s) { return s.path == path; })) {
      throw Error(ErrorCode::usage, fmt::format("{} is named twice; it can be read only once", path));
    }
    if (found_.spool == nullptr) found_.spool = std::make_shared<base::TempFolder>(context_);
    const fs::path copy = found_.spool->path() / fmt::format("input-{}", found_.sources.size());
    const auto out = files_.create(copy);
    std::vector<char> buffer(1u << 20);
    for (;;) {
      base::check_stop(context_);
      if (!stream.wait(kWait)) continue;  // a writer that stalls must not keep us from being stopped
      const std::size_t got = stream.read(buffer);
      if (got == 0) break;
      out->write(std::span(buffer).first(got));
    }
    out->close();
    found_.sources.push_back({.path = path, .file = copy, .relative = "stdin"});
  }

  // Below the deepest folder that holds all inputs. Two inputs that are the same file get different places.
  void set_relative_paths() {
    fs::path common = anchors_.empty() ? fs::path() : anchors_.front();
    for (const fs::path& anchor : anchors_) {
      const auto [end, other] = std::mismatch(common.begin(), common.end(), anchor.begin(), anchor.end());
      fs::path shared;
      for (auto part = common.begin(); part != end; ++part) shared /= *part;
      common = shared;
    }
    for (Source& source : found_.sources) {
      if (source.relative.empty()) {
        source.relative = fs::absolute(source.file).lexically_normal().lexically_relative(common);
      }
    }
    give_places(found_.sources);
  }

  const Context& context_;
  FileSystem& files_;
  Inputs found_;
  std::vector<fs::path> anchors_;  // the folders whose common part is the root of `relative`
  std::set<FileId> entered_;
  bool has_folder_ = false;
};

}  // namespace

void give_places(std::vector<Source>& sources) {
  std::set<fs::path> files, folders;
  std::map<fs::path, int> copies;  // how many want the same place
  const auto parents = [](const fs::path& path, const auto& each) {
    for (fs::path up = path.parent_path(); !up.empty() && up != up.parent_path(); up = up.parent_path()) each(up);
  };
  const auto is_free = [&](const fs::path& path) {
    bool free = !files.contains(path) && !folders.contains(path);
    parents(path, [&](const fs::path& up) { free = free && !files.contains(up); });
    return free;
  };
  for (Source& source : sources) {
    const fs::path wished = source.relative;
    while (!is_free(source.relative)) {
      const int copy = ++copies.try_emplace(wished, 1).first->second;
      source.relative = wished.parent_path() / fmt::format("{}-{}", copy, wished.filename().string());
      if (is_free(source.relative)) break;
      // Some folder above is a file: another one takes its place.
      fs::path elsewhere;
      for (const fs::path& part : wished) {
        elsewhere /= elsewhere.empty() ? fs::path(fmt::format("{}-{}", copy, part.string())) : part;
      }
      source.relative = elsewhere;
    }
    files.insert(source.relative);
    parents(source.relative, [&](const fs::path& up) { folders.insert(up); });
  }
}

Inputs find_inputs(const std::vector<std::string>& inputs, const Context& context) {
  return Finder(context).find(inputs);
}

}  // namespace neardup::io
