#include "report/page/page_diff.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/utf8.h"
#include "similarity/word_diff.h"

namespace neardup::report {
namespace {

class DiffList {
 public:
  DiffList(std::string_view kept, std::string_view other, const WordDiff& diff, const PageDiffLimits& limits)
      : kept_(kept), other_(other), diff_(diff), limits_(limits) {}

  void add(const DiffPart& part, bool is_first, bool is_last) {
    if (listed_ >= limits_.parts || bytes_ >= limits_.listed_bytes) {
      if (part.kind != DiffPart::Kind::equal) ++hidden_;
      return;
    }
    if (part.kind == DiffPart::Kind::equal) return add_equal(part, is_first, is_last);
    const std::string_view kept = kept_text(part.a_begin, part.a_end), other = other_text(part.b_begin, part.b_end);
    if (part.kind == DiffPart::Kind::removed) return put("-", kept);
    if (part.kind == DiffPart::Kind::added) return put("+", other);
    put("~", kept, other);
  }

  [[nodiscard]] const std::string& json() const { return json_; }
  [[nodiscard]] std::size_t hidden() const { return hidden_; }

 private:
  [[nodiscard]] std::string_view kept_text(std::uint32_t begin, std::uint32_t end) const {
    return kept_.substr(diff_.a_starts[begin], diff_.a_starts[end] - diff_.a_starts[begin]);
  }
  [[nodiscard]] std::string_view other_text(std::uint32_t begin, std::uint32_t end) const {
    return other_.substr(diff_.b_starts[begin], diff_.b_starts[end] - diff_.b_starts[begin]);
  }

  // Only the words beside a difference.
  void add_equal(const DiffPart& part, bool is_first, bool is_last) {
    const auto words = part.a_end - part.a_begin;
    const auto most = static_cast<std::uint32_t>(limits_.context_words);
    const std::uint32_t front = is_first && !is_last ? 0 : most, back = is_last ? 0 : most;
    if (words <= front + back + most / 2) return put_equal(part.a_begin, part.b_begin, words);
    if (front > 0) put_equal(part.a_begin, part.b_begin, front);
    json_ += fmt::format(R"({}[">",{}])", listed_++ == 0 ? "" : ",", words - front - back);
    if (back > 0) put_equal(part.a_end - back, part.b_end - back, back);
  }

  void put_equal(std::uint32_t kept_begin, std::uint32_t other_begin, std::uint32_t words) {
    const std::string_view kept = kept_text(kept_begin, kept_begin + words);
    const std::string_view other = other_text(other_begin, other_begin + words);
    if (kept == other) return put("=", kept);
    put("=", kept, other);
  }

  template <class... Texts>
  void put(const char* kind, const Texts&... texts) {
    json_ += fmt::format("{}[\"{}\"", listed_++ == 0 ? "" : ",", kind);
    (append(texts), ...);
    json_ += ']';
  }

  void append(std::string_view text) {
    const std::string_view cut = base::cut_to_code_point(text, limits_.part_bytes);
    json_ += ',';
    base::append_json_string(json_, cut.size() == text.size() ? std::string(cut) : std::string(cut) + "…");
    bytes_ += cut.size();
  }

  std::string_view kept_, other_;
  const WordDiff& diff_;
  const PageDiffLimits& limits_;
  std::string json_;
  std::size_t listed_ = 0, bytes_ = 0, hidden_ = 0;
};

}  // namespace

std::string page_diff(std::string_view kept, std::string_view other, bool is_whole, const Context& context,
                      const PageDiffLimits& limits) {
  const std::string_view a = base::cut_to_code_point(kept, limits.text_bytes);
  const std::string_view b = base::cut_to_code_point(other, limits.text_bytes);
  const WordDiff diff = similarity::diff_words(a, b, limits.steps, context);
  DiffList list(a, b, diff, limits);
  for (std::size_t i = 0; i < diff.parts.size(); ++i) list.add(diff.parts[i], i == 0, i + 1 == diff.parts.size());
  return fmt::format(
      R"({{"equal":{},"removed":{},"added":{},"shortest":{},"whole":{},"same_text":{},"hidden":{},"parts":[{}]}})",
      diff.equal_words, diff.removed_words, diff.added_words, diff.shortest,
      is_whole && a.size() == kept.size() && b.size() == other.size(), a == b, list.hidden(), list.json());
}

}  // namespace neardup::report
