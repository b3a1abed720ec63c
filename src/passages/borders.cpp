#include "passages/borders.h"

#include <algorithm>
#include <span>

#include "text/word_spans.h"

namespace neardup::passages {
namespace {

// Whether a place lies within a tag: <p ...>, </p>, <!-- ... -->. Looks only so far in both directions.
bool is_in_tag(std::string_view text, std::size_t at) {
  constexpr std::size_t kFar = 2000;
  if (at == 0 || at >= text.size()) return false;
  const std::size_t from = at > kFar ? at - kFar : 0;
  const std::string_view before = text.substr(from, at - from);
  const std::size_t open = before.find_last_of("<>");
  if (open == std::string_view::npos || before[open] == '>') return false;
  const char next = text[from + open + 1];
  const bool is_tag =
      (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') || next == '/' || next == '!' || next == '?';
  const std::size_t close = text.substr(at, kFar).find_first_of("<>");
  return is_tag && close != std::string_view::npos && text[at + close] == '>';
}

constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// The borders between the words of a text: border(i) is before word i.
class WordBorders {
 public:
  explicit WordBorders(std::string_view text) : text_(text) { text::word_spans(text, words_); }

  [[nodiscard]] std::size_t count() const { return words_.size(); }
  // Signs without a space before a word belong to it, those behind it and the space to the word before.
  [[nodiscard]] std::uint32_t border(std::size_t word) const {
    if (word == 0) return 0;
    if (word == words_.size()) {
      std::size_t end = text_.size();
      while (end > words_.back().end && is_space(text_[end - 1])) --end;
      return static_cast<std::uint32_t>(end);
    }
    std::uint32_t at = words_[word].begin;
    const std::uint32_t least = words_[word - 1].end;
    if (at <= least) return at;
    for (std::uint32_t back = at; back > least; --back)
      if (is_space(text_[back - 1])) return back;
    return at;
  }
  [[nodiscard]] bool may_cut(std::size_t word) const {
    if (word == 0) return true;
    if (word < words_.size() && words_[word].begin < words_[word - 1].end) return false;  // of one character
    const std::uint32_t at = border(word);
    return text::may_cut_before(text_, at) && !is_in_tag(text_, at);
  }

 private:
  std::string_view text_;
  std::vector<text::WordSpan> words_;
};

// Lines, paragraphs, sentences: each begins where it begins, and ends with what separates it from the next.
class RangeBorders {
 public:
  RangeBorders(std::string_view text, ItemKind kind) : text_(text), ranges_(item_ranges(text, kind)) {}
  [[nodiscard]] std::size_t count() const { return ranges_.size(); }
  [[nodiscard]] std::uint32_t begin(std::size_t item) const { return ranges_[item].begin; }
  [[nodiscard]] std::uint32_t end(std::size_t item) const { return ranges_[item].end; }
  [[nodiscard]] bool may_cut(std::uint32_t at) const {
    return text::may_cut_before(text_, at) && !is_in_tag(text_, at);
  }

 private:
  std::string_view text_;
  std::vector<ByteRange> ranges_;
};

// The whole sentences or lines in [from, to); nothing when there is none. White space at the end of the text, which is
// never cut, does not count.
bool shrink_to(std::span<const ByteRange> parts, std::string_view text, std::uint32_t& from, std::uint32_t& to) {
  std::uint32_t end = to;
  if (text.find_first_not_of(" \t\r\n\v\f", to) == std::string_view::npos)
    end = static_cast<std::uint32_t>(text.size());
  const auto first = std::ranges::lower_bound(parts, from, {}, &ByteRange::begin);
  auto last = std::ranges::upper_bound(parts, end, {}, &ByteRange::end);
  if (first >= last) return false;
  from = first->begin;
  to = std::min(to, (last - 1)->end);
  return from < to;
}

struct RunOfPieces {
  std::size_t first, last;   // pieces
  std::uint32_t begin, end;  // items
};

std::vector<RunOfPieces> runs_of(const std::vector<CutPiece>& pieces) {
  std::vector<RunOfPieces> runs;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::uint32_t end = pieces[i].first + pieces[i].items;
    if (!runs.empty() && runs.back().end == pieces[i].first) {
      runs.back().last = i + 1;
      runs.back().end = end;
    } else {
      runs.push_back({i, i + 1, pieces[i].first, end});
    }
  }
  return runs;
}

class Cutting {
 public:
  Cutting(std::string_view text, CutAt at, const std::vector<CutPiece>& pieces)
      : text_(text), pieces_(pieces), at_(at) {
    if (at == CutAt::sentence) parts_ = sentences_of(text);
    if (at == CutAt::line) parts_ = lines_of(text);
  }

  std::vector<CutRange> words() {
    const WordBorders borders(text_);
    for (const RunOfPieces& run : runs_of(pieces_)) {
      std::size_t a = run.begin, b = std::min<std::size_t>(run.end, borders.count());
      while (a < b && !borders.may_cut(a)) ++a;
      while (a < b && !borders.may_cut(b)) --b;
      if (a >= b) continue;
      std::uint32_t from = borders.border(a), to = borders.border(b);
      if (at_ != CutAt::word && !shrink_to(parts_, text_, from, to)) continue;
      while (a < b && borders.border(a) < from) ++a;
      while (a < b && borders.border(b) > to) --b;
      split(run, borders, a, b, from, to);
    }
    return std::move(out_);
  }

  std::vector<CutRange> ranges(ItemKind kind) {
    const RangeBorders borders(text_, kind);
    for (const RunOfPieces& run : runs_of(pieces_)) {
      for (std::size_t i = run.first; i < run.last; ++i) {
        const CutPiece& piece = pieces_[i];
        if (piece.first + piece.items > borders.count()) continue;
        std::uint32_t from = borders.begin(piece.first), to = borders.end(piece.first + piece.items - 1);
        if (at_ == CutAt::line && !shrink_to(parts_, text_, from, to)) continue;
        if (!borders.may_cut(from) || !borders.may_cut(to)) continue;
        out_.push_back({from, to, piece.items, static_cast<std::uint32_t>(i), borders.begin(piece.first - piece.lead)});
      }
    }
    return std::move(out_);
  }

 private:
  // Each piece of a run becomes a range, unless the text cannot be cut between it and the one before.
  void split(const RunOfPieces& run, const WordBorders& borders, std::size_t a, std::size_t b, std::uint32_t from,
             std::uint32_t to) {
    const std::size_t before = out_.size();
    for (std::size_t i = run.first; i < run.last; ++i) {
      const std::size_t first = std::max<std::size_t>(pieces_[i].first, a);
      const std::size_t last = std::min<std::size_t>(pieces_[i].first + pieces_[i].items, b);
      if (first >= last) continue;
      const std::uint32_t begin = out_.size() == before ? from : borders.border(first);
      if (out_.size() > before && (!borders.may_cut(first) || begin <= out_.back().from)) {
        out_.back().items += static_cast<std::uint32_t>(last - first);
        continue;
      }
      if (out_.size() > before) out_.back().to = begin;
      const std::uint32_t passage = borders.border(pieces_[i].first - pieces_[i].lead);
      out_.push_back({begin, to, static_cast<std::uint32_t>(last - first), static_cast<std::uint32_t>(i), passage});
    }
    // Between two words there may be a whole sentence without words ("***").
    if (out_.size() == before || out_.back().from >= out_.back().to) out_.resize(before);
  }

  std::string_view text_;
  const std::vector<CutPiece>& pieces_;
  CutAt at_;
  std::vector<ByteRange> parts_;
  std::vector<CutRange> out_;
};

}  // namespace

ItemKind kind_of(const TrimUnit& unit) {
  switch (unit.kind) {
    case TrimUnit::Kind::lines:
      return ItemKind::lines;
    case TrimUnit::Kind::paragraphs:
      return ItemKind::paragraphs;
    case TrimUnit::Kind::sentences:
      return ItemKind::sentences;
    case TrimUnit::Kind::spans:
      break;
  }
  return ItemKind::words;
}

std::vector<CutRange> cut_ranges(std::string_view text, const TrimUnit& unit, CutAt at,
                                 const std::vector<CutPiece>& pieces) {
  if (pieces.empty()) return {};
  Cutting cutting(text, at, pieces);
  return unit.kind == TrimUnit::Kind::spans ? cutting.words() : cutting.ranges(kind_of(unit));
}

void drop_long_runs(std::vector<CutPiece>& pieces, std::uint64_t most_items) {
  if (most_items == 0) return;
  std::vector<CutPiece> kept;
  for (const RunOfPieces& run : runs_of(pieces)) {
    if (run.end - run.begin > most_items) continue;
    kept.insert(kept.end(), pieces.begin() + static_cast<std::ptrdiff_t>(run.first),
                pieces.begin() + static_cast<std::ptrdiff_t>(run.last));
  }
  pieces = std::move(kept);
}

}  // namespace neardup::passages
