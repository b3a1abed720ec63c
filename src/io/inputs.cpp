#include "io/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include "base/standard_input.h"
#include "io/columns/datasets.h"
#include "io/places.h"
#include "neardup/error.h"
#include "neardup/files.h"
#include "neardup/remote.h"

namespace neardup::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStandardInput = "-";
constexpr std::chrono::milliseconds kWait{100};

// "https://host/file", but not "C:/file".
bool is_url(std::string_view input) {
  const std::size_t colon = input.find("://");
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+'; };
  return colon != input.npos && colon >= 2 &&
         std::ranges::all_of(input.substr(0, colon), [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

// What an error of the file system says, without the path, which is shown anyway.
std::string without_path(std::string_view message, const std::string& path) {
  const std::string beginning = fmt::format("cannot read {}: ", path);
  return message.starts_with(beginning) ? fmt::format("cannot be read: {}", message.substr(beginning.size()))
                                        : std::string(message);
}

// Whether a folder is what a run of ours has left: its run.json says so.
bool is_run_folder(FileSystem& files, const fs::path& folder) {
  const fs::path record = folder / "run.json";
  if (files.info(record).kind != FileKind::file) return false;
  std::string start(4096, '\0');
  start.resize(files.open(record)->read(start));
  return start.find("\"command_line\"") != start.npos && start.find("\"version\"") != start.npos;
}

// Without dots. A URI becomes a path whose first part is its scheme.
fs::path absolute_place(const fs::path& path) {
  return (is_remote(path) ? fs::path("/" + path.string()) : fs::absolute(path)).lexically_normal();
}

bool is_below_one(const std::set<std::string, std::less<>>& folders, std::string_view path) {
  for (std::size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1)) {
    if (folders.contains(path.substr(0, slash))) return true;
  }
  return false;
}

bool holds_kept_records(std::string_view name) { return name == "kept" || name.starts_with("kept."); }

class Finder {
 public:
  Finder(const InputFiles& asked, const Context& context) : context_(context), files_(base::files(context)) {
    found_.filter = PathFilter(asked.include, asked.exclude);
  }

  Inputs find(const InputFiles& asked) {
    if (asked.inputs.empty() && asked.files_from.empty()) throw Error(ErrorCode::usage, "no input is given");
    watches_repeats_ = asked.inputs.size() > 1 || !asked.files_from.empty();
    for (const std::string& input : asked.inputs) {
      ++argument_;
      add(input);
    }
    if (!asked.files_from.empty()) add_listed(asked.files_from);
    warn_of_repeats();
    set_relative_paths();
    found_.single = asked.inputs.size() == 1 && asked.files_from.empty() && found_.sources.size() == 1 && !has_folder_;
    return std::move(found_);
  }

 private:
  void add(const std::string& input) {
    if (input == kStandardInput) return add_stream(input, *base::standard_input());
    if (is_remote(input) && !is_glob(input)) return add_path(input, IsNamed::yes);  // which says why it cannot
    const bool exists = files_.exists(input);
    if (!exists && input.starts_with("~/")) {
      // The shell leaves it alone between quotes and behind a flag's equals sign.
      if (const char* home = std::getenv("HOME")) return add(home + input.substr(1));
    }
    if (!exists && is_url(input) && !is_remote(input)) {
      throw Error(ErrorCode::input, fmt::format("{} is a URL, and URLs are not fetched; download it first", input));
    }
    if (!exists && is_glob(input)) return add_matches(input);
    add_path(input, IsNamed::yes);
  }

  enum class IsNamed { yes, no };

  void add_path(const std::string& path, IsNamed named) {
    const FileInfo info = files_.info(path);
    switch (info.kind) {
      case FileKind::folder:
        return add_folder(path);
      case FileKind::stream:
        return add_stream(path, *files_.open(path));
      case FileKind::none:
        throw Error(ErrorCode::input, fmt::format("no such file or folder: {}", path));
      default:
        add_file(path, named, info.id);
        anchors_.push_back(absolute_place(path).parent_path());
    }
  }

  void add_file(const std::string& path, IsNamed named, const FileId& id) {
    if (watches_repeats_) {
      const auto [first, is_new] = arguments_.try_emplace(id, argument_);
      if (!is_new && first->second != argument_ && repeats_++ == 0) first_repeat_ = path;
    }
    Source source;
    source.path = path;
    source.is_named = named == IsNamed::yes;
    found_.sources.push_back(std::move(source));
  }

  void add_unreadable(const std::string& path, std::string_view message) {
    Source source;
    source.path = path;
    source.is_named = false;
    source.problem = without_path(message, path);
    found_.sources.push_back(std::move(source));
  }

  void add_matches(const std::string& pattern) {
    const GlobResult matches = glob(files_, pattern);
    const std::size_t before = found_.sources.size();
    std::set<std::string, std::less<>> folders;  // that match, and so represent everything below them
    for (const std::string& path : matches.paths) {
      if (is_below_one(folders, path)) continue;
      const FileKind kind = files_.info(path).kind;
      if (kind == FileKind::none) {
        add_unreadable(path, "is a broken link");
      } else if (kind == FileKind::folder) {
        folders.insert(path);
        add_folder(path);
      } else if (kind != FileKind::file || found_.filter.wants_file(path, path)) {
        add_path(path, IsNamed::no);
      }
    }
    for (const auto& [path, reason] : matches.unreadable) add_unreadable(path, reason);
    if (found_.sources.size() != before) return;
    throw Error(ErrorCode::input,
                matches.paths.empty() ? fmt::format("no file matches {}", pattern) : nothing_wanted(pattern));
  }

  static std::string nothing_wanted(const std::string& where) {
    return fmt::format("`include` and `exclude` leave no files in {}", where);
  }

  // One path a line, or each ended by NUL where there are any. A path is used unchanged: no globs.
  void add_listed(const std::string& list) {
    std::string text;
    const auto file = list == kStandardInput ? base::standard_input() : files_.open(list);
    if (list == kStandardInput && reads_standard_input())
      throw Error(ErrorCode::usage, "- is both an input and the list of `files_from`; it can be read only once",
                  "files_from");
    std::vector<char> buffer(std::size_t{1} << 16);
    for (;;) {
      base::check_stop(context_);
      if (!file->wait(kWait)) continue;
      const std::size_t got = file->read(buffer);
      if (got == 0) break;
      text.append(buffer.data(), got);
    }
    const char separator = text.find('\0') != text.npos ? '\0' : '\n';
    for (std::size_t from = 0; from < text.size();) {
      const std::size_t end = std::min(text.find(separator, from), text.size());
      std::string path = text.substr(from, end - from);
      from = end + 1;
      if (separator == '\n' && path.ends_with('\r')) path.pop_back();
      if (path.empty()) continue;
      base::check_stop(context_);
      ++argument_;
      add_path(path, IsNamed::no);
    }
    if (found_.sources.empty())
      throw Error(ErrorCode::input, fmt::format("{} names no files (`files_from`)", list), "files_from");
    has_folder_ = true;
  }

  [[nodiscard]] bool reads_standard_input() const {
    return std::ranges::any_of(found_.sources, [](const Source& source) { return source.path == kStandardInput; });
  }

  void add_folder(const std::string& folder) {
    has_folder_ = true;
    const std::size_t before = found_.sources.size();
    const bool entered = is_run_folder(files_, folder) ? walk_kept(folder) : walk(folder, folder);
    if (entered && found_.sources.size() == before) {
      throw Error(ErrorCode::input,
                  is_filtered_ ? nothing_wanted(folder) : fmt::format("there are no files in {}", folder));
    }
    found_.folders.emplace_back(folder);
    anchors_.push_back(absolute_place(fs::path(folder) / ".").parent_path());
  }

  // Of a folder of outputs only the kept documents; the lists beside them are about documents, and hold none.
  bool walk_kept(const fs::path& folder) {
    for (const std::string& name : files_.list(folder)) {
      if (holds_kept_records(name)) look_at(folder, folder / name);
    }
    return true;
  }

  // Every folder is entered once, however many links lead to it: that ends loops and stops links from multiplying
  // paths. False when this one had been entered already. `root` is the folder that was given.
  bool walk(const fs::path& root, const fs::path& folder) {
    base::check_stop(context_);
    if (!entered_.insert(files_.info(folder).id).second) {
      if (context_.observer != nullptr) {
        context_.observer->warning(
            fmt::format("{} leads to a folder that was read already; not followed", folder.string()));
      }
      return false;
    }
    std::vector<std::string> names = files_.list(folder);
    if (auto parts = dataset_parts(files_, folder, names)) {
      found_.datasets.push_back((folder / "").parent_path().string());
      names = *std::move(parts);
    }
    for (const std::string& name : names) {
      if (!name.starts_with('.')) look_at(root, folder / name);
    }
    return true;
  }

  // Something in a folder, which may be unreadable.
  void look_at(const fs::path& root, const fs::path& path) {
    const std::string shown = path.string();
    try {
      const FileInfo info = files_.info(path);
      if (info.kind == FileKind::none)
        throw Error(ErrorCode::input, fmt::format("cannot read {}: No such file or directory", shown));
      const bool is_folder = info.kind == FileKind::folder;
      if (!is_folder && info.kind != FileKind::file) return;  // what can be read only once must be named
      const bool is_wanted = found_.filter.wants_everything() || passes_filter(root, path, info.kind);
      is_filtered_ |= !is_wanted;
      if (!is_wanted) return;
      if (is_folder) {
        walk(root, path);
      } else {
        add_file(shown, IsNamed::no, info.id);
      }
    } catch (const Error& error) {
      if (error.code() != ErrorCode::input) throw;
      add_unreadable(shown, error.what());
    }
  }

  [[nodiscard]] bool passes_filter(const fs::path& root, const fs::path& path, FileKind kind) const {
    const std::string relative = path.lexically_relative(root).string(), shown = path.string();
    return kind == FileKind::folder ? found_.filter.wants_folder(relative, shown)
                                    : found_.filter.wants_file(relative, shown);
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
    Source source;
    source.path = path;
    source.spooled = std::make_shared<const std::string>(copy.string());
    source.relative = kStreamPlace;
    found_.sources.push_back(std::move(source));
  }

  void warn_of_repeats() const {
    if (repeats_ == 0 || context_.observer == nullptr) return;
    context_.observer->warning(repeats_ == 1
                                   ? fmt::format("{} is given twice, and its documents are read twice", first_repeat_)
                                   : fmt::format("{} files are given more than once (the first: {}); their documents "
                                                 "are read as often",
                                                 repeats_, first_repeat_));
  }

  // Below the deepest folder that holds all inputs.
  void set_relative_paths() {
    fs::path common = anchors_.empty() ? fs::path() : anchors_.front();
    for (const fs::path& anchor : anchors_) {
      const auto [end, other] = std::mismatch(common.begin(), common.end(), anchor.begin(), anchor.end());
      fs::path shared;
      for (auto part = common.begin(); part != end; ++part) shared /= *part;
      common = shared;
    }
    for (Source& source : found_.sources) {
      if (source.relative.empty()) source.relative = absolute_place(source.path).lexically_relative(common).string();
    }
    give_places(found_.sources, context_);
  }

  const Context& context_;
  FileSystem& files_;
  Inputs found_;
  std::vector<fs::path> anchors_;  // the folders whose common part is the root of `relative`
  std::set<FileId> entered_;
  bool has_folder_ = false;
  bool is_filtered_ = false;                 // something was left out by the filter
  bool watches_repeats_ = false;             // there is more than one argument
  std::size_t argument_ = 0;                 // the current one, from 1
  std::map<FileId, std::size_t> arguments_;  // which argument gave a file first
  std::size_t repeats_ = 0;                  // files that another argument gave already
  std::string first_repeat_;
};

}  // namespace

Inputs find_inputs(const InputFiles& asked, const Context& context) { return Finder(asked, context).find(asked); }

}  // namespace neardup::io
