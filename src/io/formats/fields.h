// Which of a document's fields did the caller ask for, where a format has fields but no columns or members?
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/ascii.h"
#include "neardup/collection.h"
#include "text/html_text.h"

namespace neardup::io {

// Fields of pages, mails and archive records. Names are compared without regard to case.
class NamedFields {
 public:
  explicit NamedFields(const ReadOptions& options) : wanted_(options.extra_fields) {
    for (std::string& name : wanted_) name = base::lowered(name);
  }

  [[nodiscard]] bool any() const { return !wanted_.empty(); }
  [[nodiscard]] const std::vector<std::string>& wanted() const { return wanted_; }

  // `name` is in small letters; an empty value is a missing one. The first value of a name stays.
  void set(std::string_view name, std::string_view value, Document& out) const {
    if (value.empty()) return;
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      if (wanted_[i] == name && !out.fields[i]) out.fields[i] = std::string(value);
    }
  }

  void set_of_page(const text::Page& page, Document& out) const {
    if (wanted_.empty()) return;
    set("title", page.title, out);
    set("title", page.facts.title, out);
    set("url", page.canonical, out);
    set("url", page.facts.url, out);
    set("date", page.facts.date, out);
    set("author", page.facts.author, out);
    set("language", page.facts.language, out);
  }

 private:
  std::vector<std::string> wanted_;
};

}  // namespace neardup::io
