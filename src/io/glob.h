// Which names does a pattern with *, ?, [...], {a,b} and ** mean?
//
// As glob(3) of the C library has it: a wildcard matches neither a slash nor a dot at the beginning of a name, and a
// backslash takes its meaning away. In addition, {a,b} means each of its words, and ** between slashes any number
// of folders, none included.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "neardup/files.h"

namespace neardup::io {

bool is_glob(std::string_view);

struct GlobResult {
  std::vector<std::string> paths;  // in the order of their bytes, each once
  struct Problem {
    std::string path, reason;
  };
  std::vector<Problem> unreadable;  // folders that cannot be listed
};
// What exists. A pattern that ends in ** means all files below, but no folder; every folder is entered once, however
// many links lead to it. Throws Error{usage} for braces that expand to more than ten thousand patterns.
GlobResult glob(FileSystem&, std::string_view pattern);

// Which of the files that are found in folders are wanted?
//
// A pattern without a slash is compared with the last name of a path, one with a slash with the path below the folder
// that was given, or with the path as it is shown. Unlike above, wildcards match a leading dot.
class PathFilter {
 public:
  PathFilter() = default;
  // Without `include` every file is wanted that `exclude` does not match.
  PathFilter(const std::vector<std::string>& include, const std::vector<std::string>& exclude);

  [[nodiscard]] bool wants_everything() const { return !has_include_ && exclude_.empty(); }
  // `relative` is the path below the folder that was given, `shown` the whole path.
  [[nodiscard]] bool wants_file(std::string_view relative, std::string_view shown) const;
  // False when `exclude` matches the folder, and so everything below it.
  [[nodiscard]] bool wants_folder(std::string_view relative, std::string_view shown) const;

 private:
  struct Pattern {
    std::vector<std::string> parts;  // between slashes
    bool whole_path = false;         // it has a slash
    bool folders_only = false;       // it ends in one
  };
  static std::vector<Pattern> compile(const std::vector<std::string>& globs);
  static bool matches(const Pattern&, std::string_view relative, std::string_view shown);

  std::vector<Pattern> include_, exclude_;
  bool has_include_ = false;
};

}  // namespace neardup::io
