#include "base/likely_text.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/ascii.h"

namespace neardup::base {
namespace {

// What data sets call it, the likeliest first.
constexpr std::array<std::string_view, 31> kNames{
    "text",        "content",       "contents",    "body",    "article",  "document", "passage", "paragraphs",
    "messages",    "conversations", "sentence",    "message", "abstract", "review",   "comment", "post",
    "question",    "prompt",        "instruction", "query",   "answer",   "response", "output",  "completion",
    "description", "summary",       "code",        "title",   "headline", "subject",  "name"};

}  // namespace

std::size_t text_name_rank(std::string_view name) {
  const std::string small = lowered(name);
  const auto* const known = std::ranges::find(kNames, small);
  if (known != kNames.end()) return 2 * static_cast<std::size_t>(known - kNames.begin());
  // raw_text, page_content, body_markdown
  const auto* const part = std::find_if(kNames.begin(), kNames.begin() + 4,
                                        [&](std::string_view word) { return small.find(word) != small.npos; });
  return part == kNames.begin() + 4 ? kNoTextName : 2 * static_cast<std::size_t>(part - kNames.begin()) + 1;
}

}  // namespace neardup::base
