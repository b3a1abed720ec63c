#include "text/fold.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/ascii.h"
#include "base/utf8.h"

namespace neardup::text {
namespace {

// Room that must be left beyond one byte of output per byte of input still to come: kernels write up to 64 bytes too
// many, a reader may read 64 past the end, and one code point adds at most 6.
constexpr std::size_t kSlack = 192;
constexpr std::size_t kReadable = 64;

// Shorter stretches of ASCII are folded one by one: calling a kernel would cost more.
constexpr int kShortStretch = 8;

// Larger than any combining class: nothing may follow without examining the whole segment.
constexpr std::uint8_t kNoMarks = 255;

constexpr std::array<char, 128> kAsciiFold = [] {
  std::array<char, 128> fold{};
  for (int c = 0; c < 128; ++c) {
    const bool upper = c >= 'A' && c <= 'Z';
    const bool word = upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    fold[static_cast<std::size_t>(c)] = static_cast<char>(upper ? c + 0x20 : word ? c : ' ');
  }
  return fold;
}();

}  // namespace

// Where folding stands. A segment is a code point with a normalisation boundary before it and all that follow without
// one; it is undone and given to the normaliser when a code point turns up that the table cannot just append.
struct Folder::Position {
  const char* in;
  const char* end;
  std::size_t out = 0;
  bool after_spaceless = false;

  const char* segment_in;
  std::size_t segment_out = 0;
  bool segment_after_spaceless = false;
  std::uint8_t last_class = 0;  // a plain mark of at least this class can be appended to the segment

  Position(const char* first, const char* last) : in(first), end(last), segment_in(first) {}
  void start_segment(const char* at) {
    segment_in = at;
    segment_out = out;
    segment_after_spaceless = after_spaceless;
  }
};

Folder::Folder(Spacing spacing, const neardup_kernels& kernels)
    : spacing_(spacing), table_(FoldTable::of(spacing)), kernels_(kernels) {}

void Folder::reserve(std::size_t used, std::size_t more) {
  if (capacity_ - used >= more) return;
  const std::size_t capacity = std::max(used + more + kSlack, capacity_ + capacity_ / 2);
  auto larger = std::make_unique_for_overwrite<char[]>(capacity);
  if (used != 0) std::memcpy(larger.get(), buffer_.get(), used);
  buffer_ = std::move(larger);
  capacity_ = capacity;
}

void Folder::shrink(std::size_t max_bytes) {
  if (capacity_ > max_bytes) {
    buffer_.reset();
    capacity_ = 0;
  }
  normaliser_.shrink(max_bytes);
}

// The last ASCII byte starts a segment: a mark may follow it.
void Folder::append_ascii(Position& at) {
  char* out = buffer_.get() + at.out;
  if (at.after_spaceless) *out++ = ' ';
  int budget = kShortStretch;
  do {
    *out++ = kAsciiFold[static_cast<unsigned char>(*at.in++)];
  } while (--budget != 0 && at.in != at.end && base::is_ascii(*at.in));
  if (budget == 0) {
    const std::size_t folded = kernels_.fold_ascii(at.in, static_cast<std::size_t>(at.end - at.in), out);
    at.in += folded;
    out += folded;
  }
  at.out = static_cast<std::size_t>(out - buffer_.get()) - 1;
  at.after_spaceless = false;
  at.start_segment(at.in - 1);
  at.out += 1;
  at.last_class = 0;
}

void Folder::append_code_point(Position& at) {
  const char* next = at.in;
  const FoldEntry& entry = table_.entry(base::decode(next, at.end));
  if ((entry.flags & FoldEntry::kBoundary) != 0) {
    at.start_segment(at.in);
    if ((entry.flags & FoldEntry::kLong) != 0) return append_segment(at);
    at.last_class = (entry.flags & FoldEntry::kTakesMarks) != 0 ? 0 : kNoMarks;
  } else {
    const bool in_order = entry.combining_class >= at.last_class;
    if ((entry.flags & FoldEntry::kPlainMark) == 0 || !in_order) return append_segment(at);
    at.last_class = entry.combining_class;
  }
  char* out = buffer_.get() + at.out;
  *out = ' ';
  out += at.after_spaceless && (entry.flags & FoldEntry::kStartsLetter) != 0;
  std::memcpy(out, entry.bytes.data(), entry.bytes.size());
  at.out = static_cast<std::size_t>(out - buffer_.get()) + entry.length;
  if ((entry.flags & FoldEntry::kOnlyMarks) == 0) {
    at.after_spaceless = (entry.flags & FoldEntry::kEndsSpaceless) != 0;
  }
  at.in = next;
}

// The general way: from the segment's start to the next boundary, through the normaliser, one code point at a time.
void Folder::append_segment(Position& at) {
  at.in = at.segment_in;
  at.out = at.segment_out;
  at.after_spaceless = at.segment_after_spaceless;
  normaliser_.clear();
  normaliser_.append(base::decode(at.in, at.end));
  while (at.in != at.end) {
    const char* next = at.in;
    const char32_t c = base::decode(next, at.end);
    if (base::is_ascii(*at.in) || (table_.entry(c).flags & FoldEntry::kBoundary) != 0) break;
    normaliser_.append(c);
    at.in = next;
  }
  for (const char32_t c : normaliser_.result()) {
    reserve(at.out, static_cast<std::size_t>(at.end - at.in) + kSlack);
    at.out += fold_normalised(c, spacing_, at.after_spaceless, buffer_.get() + at.out);
  }
}

std::string_view Folder::fold(std::string_view text) {
  Position at{text.data(), text.data() + text.size()};
  reserve(0, text.size() + kSlack);
  while (at.in != at.end) {
    reserve(at.out, static_cast<std::size_t>(at.end - at.in) + kSlack);
    if (base::is_ascii(*at.in)) {
      append_ascii(at);
    } else {
      append_code_point(at);
    }
  }
  std::memset(buffer_.get() + at.out, ' ', kReadable);
  return {buffer_.get(), at.out};
}

}  // namespace neardup::text
