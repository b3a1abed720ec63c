// Which text do many documents have in common?
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace neardup::dedup {

struct SharedText {
  std::string text;  // as it stands in the first document, cut to a line
  double share = 0;  // of the documents that hold its least common part
};

// The longest run of words of the first document that most of the others hold too (by runs of five words); nothing when
// there is no such run.
std::optional<SharedText> shared_text(std::span<const std::string_view> documents);

}  // namespace neardup::dedup
