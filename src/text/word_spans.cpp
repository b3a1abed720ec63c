#include "text/word_spans.h"

#include <unicode/uchar.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/fold_table.h"
#include "text/unicode.h"

namespace neardup::text {
namespace {

class SpanFinder {
 public:
  SpanFinder(std::string_view text, std::vector<WordSpan>& out, std::string* folded)
      : begin_(text.data()),
        end_(begin_ + text.size()),
        table_(FoldTable::of(Spacing::words)),
        out_(out),
        folded_(folded) {
    out_.clear();
    if (folded_ != nullptr) folded_->clear();
  }

  void run() {
    for (const char* at = begin_; at != end_;) at = is_plain(at) ? plain(at) : segment(at);
  }

 private:
  // An ASCII character that no mark follows.
  [[nodiscard]] bool is_plain(const char* at) const {
    return base::is_ascii(*at) && (at + 1 == end_ || base::is_ascii(at[1]));
  }

  const char* plain(const char* at) {
    const char c = *at;
    const bool upper = c >= 'A' && c <= 'Z';
    const bool is_word = upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (after_spaceless_) in_word_ = false;
    after_spaceless_ = false;
    if (is_word) {
      add(static_cast<char>(upper ? c + 0x20 : c), at, at + 1);
    } else {
      in_word_ = false;
    }
    return at + 1;
  }

  // From here to the next place that normalisation does not look across.
  const char* segment(const char* first) {
    const char* at = first;
    normaliser_.clear();
    normaliser_.append(base::decode(at, end_));
    while (at != end_) {
      const char* next = at;
      const char32_t c = base::decode(next, end_);
      if (base::is_ascii(*at) || (table_.entry(c).flags & FoldEntry::kBoundary) != 0) break;
      normaliser_.append(c);
      at = next;
    }
    char bytes[kMaxFoldedBytes + 1];
    for (const char32_t c : normaliser_.result()) {
      const unsigned size = fold_normalised(c, Spacing::words, after_spaceless_, bytes);
      for (unsigned i = 0; i < size; ++i) {
        if (bytes[i] == ' ') {
          in_word_ = false;
        } else {
          add(bytes[i], first, at);
        }
      }
    }
    return at;
  }

  void add(char byte, const char* from, const char* to) {
    if (!in_word_) {
      out_.push_back({.begin = static_cast<std::uint32_t>(from - begin_), .end = 0});
      if (folded_ != nullptr && !folded_->empty()) *folded_ += ' ';
      in_word_ = true;
    }
    out_.back().end = static_cast<std::uint32_t>(to - begin_);
    if (folded_ != nullptr) *folded_ += byte;
  }

  const char *begin_, *end_;
  const FoldTable& table_;
  std::vector<WordSpan>& out_;
  std::string* folded_;
  Normaliser normaliser_;
  bool in_word_ = false, after_spaceless_ = false;
};

}  // namespace

void word_spans(std::string_view text, std::vector<WordSpan>& out, std::string* folded) {
  SpanFinder(text, out, folded).run();
}

bool may_cut_before(std::string_view text, std::size_t at) {
  if (at == 0 || at == text.size()) return true;
  if (base::is_continuation(text[at])) return false;
  const auto breaking = [](char32_t c) {
    return static_cast<UGraphemeClusterBreak>(
        u_getIntPropertyValue(static_cast<UChar32>(c), UCHAR_GRAPHEME_CLUSTER_BREAK));
  };
  if (base::is_ascii(text[at]) && base::is_ascii(text[at - 1])) return !(text[at] == '\n' && text[at - 1] == '\r');
  std::size_t before = at - 1;
  while (before > 0 && base::is_continuation(text[before])) --before;
  const char *next = text.data() + at, *last = text.data() + before, *const end = text.data() + text.size();
  const char32_t after = base::decode(next, end), left = base::decode(last, end);
  const auto joins = breaking(after), joined = breaking(left);
  if (joins == U_GCB_EXTEND || joins == U_GCB_SPACING_MARK || joins == U_GCB_ZWJ) return false;
  if (joined == U_GCB_ZWJ || joined == U_GCB_PREPEND) return false;
  // Syllables and flags made of several code points.
  const bool hangul =
      (joined == U_GCB_L && (joins == U_GCB_L || joins == U_GCB_V || joins == U_GCB_LV || joins == U_GCB_LVT)) ||
      ((joined == U_GCB_LV || joined == U_GCB_V) && (joins == U_GCB_V || joins == U_GCB_T)) ||
      ((joined == U_GCB_LVT || joined == U_GCB_T) && joins == U_GCB_T);
  const bool flags = joined == U_GCB_REGIONAL_INDICATOR && joins == U_GCB_REGIONAL_INDICATOR;
  return !hangul && !flags;
}

}  // namespace neardup::text
