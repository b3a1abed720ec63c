#include "io/glob.h"

#include <fnmatch.h>

#include <algorithm>

#include "neardup/error.h"

namespace neardup::io {
namespace {

std::vector<std::string> names_in(FileSystem& files, const std::string& folder) {
  try {
    return files.list(folder.empty() ? "." : folder);
  } catch (const Error&) {
    return {};
  }
}

// Appends what `rest` of the pattern matches, `found` being what stands before it.
void match(FileSystem& files, std::string found, std::string_view rest, std::vector<std::string>& paths) {
  while (rest.starts_with('/')) {
    found += '/';
    rest.remove_prefix(1);
  }
  if (rest.empty()) {
    if (files.exists(found)) paths.push_back(std::move(found));
    return;
  }
  const std::string part(rest.substr(0, rest.find('/')));
  rest.remove_prefix(part.size());
  if (part.find_first_of("*?[\\") == part.npos) {
    match(files, found + part, rest, paths);
    return;
  }
  for (const std::string& name : names_in(files, found)) {
    if (::fnmatch(part.c_str(), name.c_str(), FNM_PERIOD) == 0) match(files, found + name, rest, paths);
  }
  // A folder does not list these two, but a pattern may.
  for (const char* name : {".", ".."}) {
    if (::fnmatch(part.c_str(), name, FNM_PERIOD) == 0) match(files, found + name, rest, paths);
  }
}

}  // namespace

bool is_glob(std::string_view text) { return text.find_first_of("*?[") != text.npos; }

std::vector<std::string> glob(FileSystem& files, std::string_view pattern) {
  std::vector<std::string> paths;
  match(files, {}, pattern, paths);
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace neardup::io
