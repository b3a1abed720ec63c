#include "base/document_text.h"

namespace neardup::base {

std::string_view whole_text(const DocumentView& document, std::string& buffer) {
  if (document.texts.empty()) return document.text;
  if (document.texts.size() == 1) return document.texts.front();
  buffer = document.texts.front();
  for (const std::string_view text : document.texts.subspan(1)) (buffer += '\n') += text;
  return buffer;
}

void copy_document(const DocumentView& document, Document& out) {
  out.key = document.key;
  out.text = document.text;
  out.text_ends.assign(document.text_ends.begin(), document.text_ends.end());
  for (std::size_t i = 0; i < document.texts.size(); ++i) {
    if (i != 0) out.text += '\n';
    out.text += document.texts[i];
    out.text_ends.push_back(out.text.size());
  }
  out.fields.assign(document.fields.begin(), document.fields.end());
  out.tokens.assign(document.tokens.begin(), document.tokens.end());
  out.links.assign(document.links.begin(), document.links.end());
  out.links_base = document.links_base;
}

}  // namespace neardup::base
