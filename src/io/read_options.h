// What do options for reading mean where the caller left them open?
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/collection.h"
#include "text/page_text_reader.h"

namespace neardup::io {

inline std::vector<std::string> text_fields(const ReadOptions& options) {
  return options.text_fields.value_or(std::vector<std::string>{"text"});
}
inline std::string id_field(const ReadOptions& options) { return options.id_field.value_or("id"); }

// What is taken from a text; nothing: it stays as it is. `is_page`: the text is declared as HTML.
inline std::optional<text::PageText> wanted_of_page(Html html, bool is_page, std::string_view text) {
  switch (html) {
    case Html::automatic:
      return is_page ? std::optional(text::PageText::all) : std::nullopt;
    case Html::main:
      return is_page || text::has_html_tag(text) ? std::optional(text::PageText::main) : std::nullopt;
    case Html::all:
      return text::PageText::all;
    case Html::off:
      break;
  }
  return std::nullopt;
}

}  // namespace neardup::io
