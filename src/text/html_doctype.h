// What does a doctype declare?
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace neardup::text {

struct HtmlDoctype {
  std::optional<std::string> name, public_id, system_id;
  bool force_quirks = false;  // it is not as it should be
};

// `inside` is the text between `<!doctype` and `>`; `is_cut`: there was no `>`.
HtmlDoctype read_html_doctype(std::string_view inside, bool is_cut);

}  // namespace neardup::text
