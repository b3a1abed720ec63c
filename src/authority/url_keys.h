// When are two URLs the same for a clean-up that compares them?
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace neardup::authority {

// How URLs become keys. docs/clean-up.md has the rules and the syntax of a file of them.
struct UrlRules {
  std::vector<std::string> drop{};  // names of query parameters, small letters; "utm_*" is a beginning
  std::vector<std::string> keep{};  // exceptions, likewise
  bool drop_query = false;
  bool ignore_scheme = false;  // http and https
  bool ignore_www = false;
  bool ignore_slash = false;  // at the end of a path
  bool ignore_case = false;   // of path and query
};
UrlRules default_url_rules();
// One rule per line; # begins a comment. Adds to the defaults, unless a line says no-defaults. Throws Error{usage} that
// names `path` and the line.
UrlRules parse_url_rules(std::string_view text, const std::string& path);

// canonical_url() with sorted query parameters, without those that only track visitors. What is not a URL is returned
// without surrounding blanks. Linear time, but for the sorting.
std::string url_key(std::string_view url, const UrlRules&);

}  // namespace neardup::authority
