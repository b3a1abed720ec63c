#include "authority/url_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "authority/urls.h"
#include "base/ascii.h"
#include "neardup/error.h"

namespace neardup::authority {
namespace {

bool matches(std::string_view name, const std::vector<std::string>& patterns) {
  return std::ranges::any_of(patterns, [&](std::string_view pattern) {
    if (!pattern.ends_with('*')) return base::equals_any_case(name, pattern);
    return base::starts_with_any_case(name, pattern.substr(0, pattern.size() - 1));
  });
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

std::string sorted_query(std::string_view query, const UrlRules& rules) {
  std::vector<std::string_view> parameters;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view parameter = query.substr(0, end), name = parameter.substr(0, parameter.find('='));
    query.remove_prefix(std::min(end + 1, query.size()));
    if (!parameter.empty() && (!matches(name, rules.drop) || matches(name, rules.keep)))
      parameters.push_back(parameter);
  }
  std::ranges::sort(parameters);
  std::string out;
  for (const std::string_view parameter : parameters) {
    out += out.empty() ? '?' : '&';
    out += parameter;
  }
  return out;
}

bool* switch_of(std::string_view name, UrlRules& rules) {
  if (name == "drop-query") return &rules.drop_query;
  if (name == "ignore-scheme") return &rules.ignore_scheme;
  if (name == "ignore-www") return &rules.ignore_www;
  if (name == "ignore-slash") return &rules.ignore_slash;
  if (name == "ignore-case") return &rules.ignore_case;
  return nullptr;
}

}  // namespace

UrlRules default_url_rules() {
  return {.drop = {"utm_*",  "fbclid", "gclid",   "gclsrc",  "dclid",     "gbraid",     "wbraid",       "msclkid",
                   "yclid",  "twclid", "ttclid",  "igshid",  "mc_cid",    "mc_eid",     "_ga",          "_gl",
                   "_hsenc", "_hsmi",  "mkt_tok", "ref_src", "phpsessid", "jsessionid", "aspsessionid*"}};
}

UrlRules parse_url_rules(std::string_view text, const std::string& path) {
  UrlRules rules = default_url_rules();
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = trimmed(text.substr(0, std::min(end, text.find('#'))));
    text.remove_prefix(std::min(end + 1, text.size()));
    std::vector<std::string> words;
    while (!line.empty()) {
      const std::size_t stop = std::min(line.find_first_of(" \t"), line.size());
      words.push_back(base::lowered(line.substr(0, stop)));
      line = trimmed(line.substr(stop));
    }
    if (words.empty()) continue;
    bool* const on = switch_of(words.front(), rules);
    const bool takes_names = words.front() == "drop" || words.front() == "keep";
    if (takes_names && words.size() > 1) {
      auto& names = words.front() == "drop" ? rules.drop : rules.keep;
      names.insert(names.end(), words.begin() + 1, words.end());
    } else if (words.front() == "no-defaults" && words.size() == 1) {
      std::erase_if(rules.drop, [](const std::string& name) { return matches(name, default_url_rules().drop); });
    } else if (on != nullptr && words.size() == 1) {
      *on = true;
    } else {
      throw Error(ErrorCode::usage,
                  fmt::format("{}:{}: expected drop NAME..., keep NAME..., drop-query, ignore-scheme, ignore-www, "
                              "ignore-slash, ignore-case or no-defaults",
                              path, number),
                  "url_rules");
    }
  }
  return rules;
}

std::string url_key(std::string_view url, const UrlRules& rules) {
  std::string whole = canonical_url(url);
  if (whole.empty()) return std::string(trimmed(url));
  const std::size_t mark = std::min(whole.find('?'), whole.size());
  const std::string query = rules.drop_query || mark == whole.size()
                                ? std::string()
                                : sorted_query(std::string_view(whole).substr(mark + 1), rules);
  whole.resize(mark);
  const std::size_t slashes = whole.find("://");
  std::size_t host = slashes == whole.npos ? 0 : slashes + 3;
  const bool is_web = whole.starts_with("http://") || whole.starts_with("https://");
  if (rules.ignore_www && is_web && std::string_view(whole).substr(host).starts_with("www.")) whole.erase(host, 4);
  if (rules.ignore_slash && whole.size() > host + 1 && whole.ends_with('/')) whole.pop_back();
  if (rules.ignore_scheme && is_web) {
    whole.erase(0, host);
    host = 0;
  }
  whole += query;
  if (rules.ignore_case) std::ranges::transform(whole, whole.begin(), [](char c) { return base::lower(c); });
  return whole;
}

}  // namespace neardup::authority
