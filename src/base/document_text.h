// What is the text of a document whose text may come in several fields?
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "neardup/document.h"

namespace neardup::base {

// Calls `visit` with every text field in order; with the text itself where there are no fields.
template <class Visit>
void for_each_text(const DocumentView& document, const Visit& visit) {
  for (const std::string_view text : document.texts) visit(text);
  if (!document.texts.empty()) return;
  if (document.text_ends.empty()) return visit(document.text);
  std::size_t begin = 0;
  for (const std::size_t end : document.text_ends) {
    visit(document.text.substr(begin, end - begin));
    begin = end + 1;  // behind the newline that joins fields
  }
}

// Adds up what `count` says of the parts of the text, a newline between two fields included.
template <class Count>
std::uint64_t count_text(const DocumentView& document, const Count& count) {
  if (document.texts.empty()) return count(document.text);
  std::uint64_t sum = document.texts.size() - 1;
  for (const std::string_view text : document.texts) sum += count(text);
  return sum;
}
inline std::uint64_t text_bytes(const DocumentView& document) {
  return count_text(document, [](std::string_view text) { return text.size(); });
}
inline std::uint64_t text_code_points(const DocumentView& document) {
  return count_text(document, [](std::string_view text) { return code_points(text); });
}

// The text in which all fields are one. Uses `buffer` only where there are several.
std::string_view whole_text(const DocumentView&, std::string& buffer);

// Everything but the id, reusing the buffers of `out`.
void copy_document(const DocumentView&, Document& out);

}  // namespace neardup::base
