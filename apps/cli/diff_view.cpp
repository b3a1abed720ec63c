#include "diff_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "columns.h"
#include "words.h"

namespace neardup::cli {
namespace {

constexpr std::size_t kContextWords = 12;  // shown of what is equal, before and after a change
constexpr std::size_t kLeastFolded = 8;    // words; fewer are shown rather than counted
constexpr std::size_t kChangedWords = 60;  // shown of one change, of each text
constexpr std::size_t kMostChanges = 200;  // shown
constexpr std::size_t kMostLines = 400;    // once so many are shown, no change is begun
constexpr std::size_t kMostColumns = 240;  // of one word with its signs
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kMarkColumns = 2;  // of [- or -]
constexpr std::string_view kIndent = "  ";
constexpr std::string_view kMiddle = " │ ";
constexpr std::size_t kMiddleColumns = 3;

constexpr bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Characters that move what is around them, or end a line.
bool turns_direction(std::string_view character) {
  constexpr std::array<std::string_view, 14> kTurning{"\u061C", "\u200E", "\u200F", "\u2028", "\u2029",
                                                      "\u202A", "\u202B", "\u202C", "\u202D", "\u202E",
                                                      "\u2066", "\u2067", "\u2068", "\u2069"};
  return character.size() > 1 && std::find(kTurning.begin(), kTurning.end(), character) != kTurning.end();
}

// A word of a text with its signs, as it is shown.
struct Word {
  std::string text;
  std::size_t columns = 0;
  bool space = false, line_end = false;  // what follows it
};

Word word_of(std::string_view text, std::size_t max_columns) {
  Word word;
  bool blank = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view character = first_character(text.substr(at));
    at += character.size();
    if (is_blank(character.front())) {
      blank = true;
      word.line_end |= character.front() == '\n';
      continue;
    }
    if (blank && !word.text.empty()) {
      word.text += ' ';
      ++word.columns;
    }
    blank = false;
    const std::string shown = turns_direction(character) ? "?" : printable(character);
    const std::size_t columns = display_columns(shown);
    if (word.columns + columns > max_columns) {
      word.text += "…";
      ++word.columns;
      word.space = true;
      return word;
    }
    word.text += shown;
    word.columns += columns;
  }
  word.space = blank;
  return word;
}

// Cuts what is wider than a line.
std::vector<Word> pieces_of(Word word, std::size_t width) {
  if (word.columns <= width) return {std::move(word)};
  std::vector<Word> out(1);
  for (std::size_t at = 0; at < word.text.size();) {
    const std::string_view character = first_character(std::string_view(word.text).substr(at));
    at += character.size();
    const std::size_t columns = display_columns(character);
    if (out.back().columns + columns > width && !out.back().text.empty()) out.emplace_back();
    out.back().text += character;
    out.back().columns += columns;
  }
  out.back().space = word.space;
  out.back().line_end = word.line_end;
  return out;
}

enum class Change { none, removed, added };

// One line that is being filled; changed words side by side share their marks.
class Line {
 public:
  Line(std::size_t width, bool colour) : width_(width), colour_(colour) {}

  [[nodiscard]] bool empty() const { return text_.empty(); }
  [[nodiscard]] std::size_t longest_word() const { return width_ > 3 * kMarkColumns ? width_ - 2 * kMarkColumns : 1; }
  [[nodiscard]] bool fits(Change change, const Word& word) const {
    return empty() || columns_ + added_columns(change, word) <= width_;
  }

  void add(Change change, const Word& word) {
    columns_ += added_columns(change, word);
    const bool goes_on = change == open_;
    if (!goes_on) close();
    if (space_ && !text_.empty()) text_ += ' ';
    if (!goes_on) open(change);
    text_ += word.text;
    space_ = word.space;
  }

  // The text so far, and an empty line again.
  std::string take(std::size_t pad_to) {
    close();
    std::string out = std::move(text_);
    if (columns_ < pad_to) out.append(pad_to - columns_, ' ');
    text_.clear();
    columns_ = 0;
    space_ = false;
    return out;
  }

 private:
  [[nodiscard]] std::size_t added_columns(Change change, const Word& word) const {
    const bool marks = !colour_ && change != Change::none && change != open_;
    return word.columns + (space_ && !empty() ? 1 : 0) + (marks ? 2 * kMarkColumns : 0);
  }
  void open(Change change) {
    open_ = change;
    if (change == Change::none) return;
    text_ += colour_ ? (change == Change::removed ? "\x1b[31m" : "\x1b[32m") : change == Change::removed ? "[-" : "{+";
  }
  void close() {
    if (open_ != Change::none) text_ += colour_ ? "\x1b[0m" : open_ == Change::removed ? "-]" : "+}";
    open_ = Change::none;
  }

  std::size_t width_;
  bool colour_;
  std::string text_;
  std::size_t columns_ = 0;
  bool space_ = false;
  Change open_ = Change::none;
};

// Puts words into lines. The two words of a pair are shown on the same line.
class Layout {
 public:
  virtual ~Layout() = default;
  virtual void equal(const Word& a, const Word& b) = 0;
  virtual void changed(const Word* a, const Word* b) = 0;  // either may be null
  virtual void end_line() = 0;
  [[nodiscard]] std::size_t lines() const { return lines_; }
  // Before the words of a change: in one column, what was removed comes first as a whole.
  [[nodiscard]] virtual bool pairs_changes() const = 0;

 protected:
  std::size_t lines_ = 0;  // ended so far
};

class Columns final : public Layout {
 public:
  Columns(const DiffLook& look, std::string& out)
      : width_((std::max<std::size_t>(look.width, 24) - kIndent.size() - kMiddleColumns) / 2),
        middle_(inked(Ink::dim, kMiddle, look.colour)),
        left_(width_, look.colour),
        right_(width_, look.colour),
        out_(out) {}

  void equal(const Word& a, const Word& b) override { add(&a, &b, Change::none, Change::none); }
  void changed(const Word* a, const Word* b) override { add(a, b, Change::removed, Change::added); }
  [[nodiscard]] bool pairs_changes() const override { return true; }

  void end_line() override {
    if (left_.empty() && right_.empty()) return;
    ++lines_;
    out_ += kIndent;
    out_ += left_.take(width_);
    std::string right = right_.take(0);
    out_ += right.empty() ? middle_.substr(0, middle_.find_last_not_of(' ') + 1) : middle_ + right;
    out_ += '\n';
  }

 private:
  void add(const Word* a, const Word* b, Change of_a, Change of_b) {
    const std::size_t most = left_.longest_word();
    const std::vector<Word> left = a == nullptr ? std::vector<Word>{} : pieces_of(*a, most);
    const std::vector<Word> right = b == nullptr ? std::vector<Word>{} : pieces_of(*b, most);
    for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
      const bool fits =
          (i >= left.size() || left_.fits(of_a, left[i])) && (i >= right.size() || right_.fits(of_b, right[i]));
      if (!fits) end_line();
      if (i < left.size()) left_.add(of_a, left[i]);
      if (i < right.size()) right_.add(of_b, right[i]);
    }
    if ((a != nullptr && a->line_end) || (b != nullptr && b->line_end)) end_line();
  }

  std::size_t width_;
  std::string middle_;
  Line left_, right_;
  std::string& out_;
};

class Flow final : public Layout {
 public:
  Flow(const DiffLook& look, std::string& out)
      : line_(std::max<std::size_t>(look.width, 12) - kIndent.size(), look.colour), out_(out) {}

  void equal(const Word& a, const Word&) override { add(Change::none, a); }
  void changed(const Word* a, const Word* b) override {
    if (a != nullptr) add(Change::removed, *a);
    if (b != nullptr) add(Change::added, *b);
  }
  [[nodiscard]] bool pairs_changes() const override { return false; }

  void end_line() override {
    if (line_.empty()) return;
    ++lines_;
    out_ += kIndent;
    out_ += line_.take(0) + '\n';
  }

 private:
  void add(Change change, const Word& word) {
    for (const Word& piece : pieces_of(word, line_.longest_word())) {
      if (!line_.fits(change, piece)) end_line();
      line_.add(change, piece);
    }
    if (word.line_end && change != Change::removed) end_line();
  }

  Line line_;
  std::string& out_;
};

class DiffWriter {
 public:
  DiffWriter(const Comparison& comparison, const DiffLook& look, Layout& layout, std::string& out)
      : a_text_(comparison.a.text),
        b_text_(comparison.b.text),
        diff_(*comparison.diff),
        look_(look),
        layout_(layout),
        out_(out) {}

  void write() {
    std::size_t changes = 0;
    for (std::size_t i = 0; i < diff_.parts.size(); ++i) {
      const DiffPart& part = diff_.parts[i];
      if (part.kind == DiffPart::Kind::equal) {
        write_equal(part, i == 0, i + 1 == diff_.parts.size());
        continue;
      }
      if (!look_.full && (++changes > kMostChanges || layout_.lines() > kMostLines)) {
        write_rest(i);
        break;
      }
      write_changed(part);
    }
    layout_.end_line();
  }

 private:
  [[nodiscard]] Word word(std::string_view text, const std::vector<std::uint32_t>& starts, std::size_t i) const {
    Word out = word_of(text.substr(starts[i], starts[i + 1] - starts[i]), kMostColumns);
    // What the other text has behind the end of this one does not touch it, and needs no line of its own.
    if (i + 2 == starts.size()) {
      out.space = true;
      out.line_end = false;
    }
    return out;
  }
  [[nodiscard]] Word a_word(std::size_t i) const { return word(a_text_, diff_.a_starts, i); }
  [[nodiscard]] Word b_word(std::size_t i) const { return word(b_text_, diff_.b_starts, i); }

  void write_note(const std::string& note) {
    layout_.end_line();
    out_ += inked(Ink::dim, fmt::format("{}… {} …", kIndent, note), look_.colour) + '\n';
  }

  void write_equal(const DiffPart& part, bool is_first, bool is_last) {
    const std::size_t size = part.a_end - part.a_begin;
    const std::size_t head = is_first ? 0 : kContextWords, tail = is_last ? 0 : kContextWords;
    const bool folded = !look_.full && size >= head + tail + kLeastFolded;
    for (std::size_t i = 0; i < size; ++i) {
      if (folded && i == head) {
        write_note(fmt::format("{} equal", counted(size - head - tail, "word", "words")));
        i = size - tail;
        if (i == size) break;
      }
      layout_.equal(a_word(part.a_begin + i), b_word(part.b_begin + i));
    }
  }

  void write_changed(const DiffPart& part) {
    const std::size_t most = look_.full ? kAll : kChangedWords;
    const std::size_t a_size = part.a_end - part.a_begin, b_size = part.b_end - part.b_begin;
    // Cutting a word or two off would not be worth the line that says so.
    const auto shown = [&](std::size_t size) { return size <= most || size - most < kLeastFolded ? size : most; };
    const std::size_t a_shown = shown(a_size), b_shown = shown(b_size);
    if (layout_.pairs_changes()) {
      for (std::size_t i = 0; i < std::max(a_shown, b_shown); ++i) {
        const Word a = i < a_shown ? a_word(part.a_begin + i) : Word{};
        const Word b = i < b_shown ? b_word(part.b_begin + i) : Word{};
        layout_.changed(i < a_shown ? &a : nullptr, i < b_shown ? &b : nullptr);
      }
    } else {
      for (std::size_t i = 0; i < a_shown; ++i) {
        const Word a = a_word(part.a_begin + i);
        layout_.changed(&a, nullptr);
      }
      for (std::size_t i = 0; i < b_shown; ++i) {
        const Word b = b_word(part.b_begin + i);
        layout_.changed(nullptr, &b);
      }
    }
    std::string note;
    if (a_shown < a_size) note = fmt::format("{} removed", counted(a_size - a_shown, "more word", "more words"));
    if (b_shown < b_size) {
      note += fmt::format("{}{} added", note.empty() ? "" : ", ", counted(b_size - b_shown, "more word", "more words"));
    }
    if (!note.empty()) write_note(note);
  }

  void write_rest(std::size_t from) {
    const auto left = std::count_if(diff_.parts.begin() + static_cast<std::ptrdiff_t>(from), diff_.parts.end(),
                                    [](const DiffPart& part) { return part.kind != DiffPart::Kind::equal; });
    write_note(
        fmt::format("{} (--full shows all)", counted(static_cast<std::uint64_t>(left), "more change", "more changes")));
  }

  std::string_view a_text_, b_text_;
  const WordDiff& diff_;
  const DiffLook& look_;
  Layout& layout_;
  std::string& out_;
};

}  // namespace

std::string show_diff(const Comparison& comparison, const DiffLook& look) {
  std::string out;
  if (look.style == DiffStyle::none || !comparison.diff) return out;
  if (look.style == DiffStyle::side) {
    Columns columns(look, out);
    DiffWriter(comparison, look, columns, out).write();
  } else {
    Flow flow(look, out);
    DiffWriter(comparison, look, flow, out).write();
  }
  return out;
}

std::string shown_text(std::string_view text, std::size_t max_columns) { return word_of(text, max_columns).text; }

std::string inked(Ink ink, std::string_view text, bool colour) {
  if (!colour) return std::string(text);
  constexpr std::array<std::string_view, 4> kCodes{"\x1b[31m", "\x1b[32m", "\x1b[1m", "\x1b[2m"};
  return fmt::format("{}{}\x1b[0m", kCodes.at(static_cast<std::size_t>(ink)), text);
}

}  // namespace neardup::cli
