#include "io/glob.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "neardup/error.h"

namespace neardup::io {
namespace {

constexpr std::string_view kAnyFolders = "**";
constexpr std::size_t kMostPatterns = 10'000;

// Where the brace that opens at `open` closes, and where the commas of its words are; empty when it is not closed or
// has no comma, and so represents itself.
std::vector<std::size_t> brace_borders(std::string_view pattern, std::size_t open) {
  std::vector<std::size_t> borders;
  int depth = 0;
  for (std::size_t i = open; i < pattern.size(); ++i) {
    if (pattern[i] == '\\')
      ++i;
    else if (pattern[i] == '{')
      ++depth;
    else if (pattern[i] == ',' && depth == 1)
      borders.push_back(i);
    else if (pattern[i] == '}' && --depth == 0) {
      if (borders.empty()) return {};
      borders.push_back(i);
      return borders;
    }
  }
  return {};
}

void expand_braces(const std::string& pattern, std::size_t from, std::vector<std::string>& out) {
  for (std::size_t at = from; at < pattern.size(); ++at) {
    if (pattern[at] == '\\') ++at;
    if (at >= pattern.size() || pattern[at] != '{') continue;
    const std::vector<std::size_t> borders = brace_borders(pattern, at);
    if (borders.empty()) continue;
    std::size_t word = at + 1;
    for (const std::size_t border : borders) {
      expand_braces(pattern.substr(0, at) + pattern.substr(word, border - word) + pattern.substr(borders.back() + 1),
                    at, out);
      word = border + 1;
    }
    return;
  }
  if (out.size() == kMostPatterns)
    throw Error(ErrorCode::usage,
                fmt::format("the braces in {} expand to more than {} patterns", pattern, kMostPatterns));
  out.push_back(pattern);
}

std::vector<std::string> expanded(std::string_view pattern) {
  std::vector<std::string> out;
  expand_braces(std::string(pattern), 0, out);
  return out;
}

class Matching {
 public:
  Matching(FileSystem& files, GlobResult& out) : files_(files), out_(out) {}

  // Appends what `rest` of the pattern matches, `found` being what is before it.
  void match(std::string found, std::string_view rest) {
    while (rest.starts_with('/')) {
      found += '/';
      rest.remove_prefix(1);
    }
    if (rest.empty()) {
      if (files_.exists(found)) out_.paths.push_back(std::move(found));
      return;
    }
    const std::string part(rest.substr(0, rest.find('/')));
    rest.remove_prefix(part.size());
    if (part == kAnyFolders) {
      std::set<FileId> entered;
      match_below(found, rest, entered);
    } else if (part.find_first_of("*?[\\") == part.npos) {
      match(found + part, rest);
    } else {
      match_names(found, part, rest);
    }
  }

 private:
  void match_names(const std::string& found, const std::string& part, std::string_view rest) {
    for (const std::string& name : names_in(found)) {
      if (::fnmatch(part.c_str(), name.c_str(), FNM_PERIOD) == 0) match(found + name, rest);
    }
    // A folder does not list these two, but a pattern may.
    for (const char* name : {".", ".."}) {
      if (::fnmatch(part.c_str(), name, FNM_PERIOD) == 0) match(found + name, rest);
    }
  }

  // `rest` begins with a slash, or is empty where the pattern ends in **.
  void match_below(const std::string& folder, std::string_view rest, std::set<FileId>& entered) {
    const FileInfo info = info_of(folder.empty() ? "." : folder);
    if (info.kind != FileKind::folder || !entered.insert(info.id).second) return;
    const std::string_view behind = rest.substr(std::min(rest.find_first_not_of('/'), rest.size()));
    if (!behind.empty()) match(folder, behind);
    for (const std::string& name : names_in(folder)) {
      if (name.starts_with('.')) continue;
      const bool is_folder = info_of(folder + name).kind == FileKind::folder;
      if (is_folder) match_below(folder + name + '/', rest, entered);
      if (!is_folder && behind.empty()) out_.paths.push_back(folder + name);
    }
  }

  FileInfo info_of(const std::string& path) {
    try {
      return files_.info(path);
    } catch (const Error&) {
      return {};
    }
  }

  std::vector<std::string> names_in(const std::string& folder) {
    const std::string path = folder.empty() ? "." : folder;
    try {
      return files_.list(path);
    } catch (const Error& error) {
      if (info_of(path).kind == FileKind::folder) out_.unreadable.push_back({path, error.what()});
      return {};
    }
  }

  FileSystem& files_;
  GlobResult& out_;
};

bool matches_parts(std::span<const std::string> pattern, std::span<const std::string> path) {
  for (; !pattern.empty(); pattern = pattern.subspan(1), path = path.subspan(1)) {
    if (pattern.front() == kAnyFolders) {
      if (pattern.size() == 1) return !path.empty();
      for (std::size_t skipped = 0; skipped <= path.size(); ++skipped) {
        if (matches_parts(pattern.subspan(1), path.subspan(skipped))) return true;
      }
      return false;
    }
    if (path.empty() || ::fnmatch(pattern.front().c_str(), path.front().c_str(), 0) != 0) return false;
  }
  return path.empty();
}

std::vector<std::string> parts_of(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, end);
    // Several ** in a row mean what one means, and would take a power of the path's length to match.
    const bool repeats = part == kAnyFolders && !parts.empty() && parts.back() == kAnyFolders;
    if (!part.empty() && part != "." && !repeats) parts.emplace_back(part);
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

}  // namespace

bool is_glob(std::string_view text) {
  if (text.find_first_of("*?[") != text.npos) return true;
  for (std::size_t open = text.find('{'); open != text.npos; open = text.find('{', open + 1)) {
    if (!brace_borders(text, open).empty()) return true;
  }
  return false;
}

GlobResult glob(FileSystem& files, std::string_view pattern) {
  GlobResult found;
  for (const std::string& one : expanded(pattern)) Matching(files, found).match({}, one);
  std::ranges::sort(found.paths);
  found.paths.erase(std::unique(found.paths.begin(), found.paths.end()), found.paths.end());
  return found;
}

PathFilter::PathFilter(const std::vector<std::string>& include, const std::vector<std::string>& exclude)
    : include_(compile(include)), exclude_(compile(exclude)), has_include_(!include.empty()) {}

std::vector<PathFilter::Pattern> PathFilter::compile(const std::vector<std::string>& globs) {
  std::vector<Pattern> patterns;
  for (const std::string& glob : globs) {
    for (const std::string& one : expanded(glob)) {
      Pattern pattern{.parts = parts_of(one), .folders_only = one.ends_with('/')};
      pattern.whole_path = pattern.parts.size() > 1 || one.starts_with('/');
      if (!pattern.parts.empty()) patterns.push_back(std::move(pattern));
    }
  }
  return patterns;
}

bool PathFilter::matches(const Pattern& pattern, std::string_view relative, std::string_view shown) {
  if (!pattern.whole_path) {
    const std::string name(shown.substr(shown.rfind('/') + 1));
    return ::fnmatch(pattern.parts.front().c_str(), name.c_str(), 0) == 0;
  }
  return matches_parts(pattern.parts, parts_of(relative)) || matches_parts(pattern.parts, parts_of(shown));
}

bool PathFilter::wants_file(std::string_view relative, std::string_view shown) const {
  const auto fits = [&](const Pattern& pattern) { return !pattern.folders_only && matches(pattern, relative, shown); };
  return (!has_include_ || std::ranges::any_of(include_, fits)) && std::ranges::none_of(exclude_, fits);
}

bool PathFilter::wants_folder(std::string_view relative, std::string_view shown) const {
  return std::ranges::none_of(exclude_, [&](const Pattern& pattern) { return matches(pattern, relative, shown); });
}

}  // namespace neardup::io
