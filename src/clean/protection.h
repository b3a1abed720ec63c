// Which documents must never be removed?
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "authority/links.h"
#include "authority/names.h"
#include "corpus/units.h"
#include "neardup/collection.h"
#include "neardup/context.h"

namespace neardup::clean {

// The words of CleanPolicy::protect: FIELD=VALUE; an existing file, which lists ids or URLs, one a line; else the end
// of a host. Threads: const members may run concurrently.
class Protection {
 public:
  Protection(const std::vector<std::string>& words, const Context&);

  // What ReadOptions::extra_fields has to hold; `url` among them where hosts matter.
  [[nodiscard]] std::vector<std::string> fields() const;
  [[nodiscard]] bool needs_addresses() const { return !listed_.empty(); }

  // Which words protect a document by its fields or its host, by place in the list of words. `field_names` are the
  // names behind DocumentView::fields, `name` is what outputs call it.
  void protect(const DocumentView&, std::string_view name, std::vector<std::uint32_t>& words,
               const std::vector<std::string>& field_names) const;
  // Calls `take(row, word)` for every document that a list names.
  template <class Take>
  void protect_listed(const authority::NameTable& names, const Take& take) const {
    for (const Mark& listed : listed_)
      if (const auto row = authority::find_printed(names, listed.text)) take(*row, listed.word);
  }
  [[nodiscard]] const std::vector<std::string>& words() const { return words_; }

 private:
  struct Field {
    std::string name, value;
    std::uint32_t word;
  };
  struct Mark {
    std::string text;
    std::uint32_t word;
  };
  std::vector<std::string> words_;
  std::vector<Field> fields_;
  std::vector<Mark> listed_;  // ids and URLs
  std::vector<Mark> hosts_;   // their ends
};

}  // namespace neardup::clean
