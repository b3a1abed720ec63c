// Which flags say what becomes of texts and words before they are compared, and which fields count how much?
#pragma once

#include <string>
#include <vector>

#include "app.h"
#include "neardup/definition.h"

namespace neardup::cli {

struct InputFlags;

struct TextFlags {
  TextRules rules;  // without the stop words themselves
  [[nodiscard]] bool given() const;
  // The rules, with the stop words read. Throws Error.
  [[nodiscard]] TextRules loaded() const;
};
void add_text_flags(CLI::App&, TextFlags&);

// Text fields that weigh differently.
struct FieldFlags {
  std::vector<std::string> names;
  std::vector<unsigned> weights;
  // Makes them the text fields of the input. Throws Error{usage} when --text names some too. To be called before
  // InputFlags::check().
  void apply(InputFlags&) const;
};
void add_field_flags(CLI::App&, FieldFlags&);

}  // namespace neardup::cli
