#include "passages/units.h"

#include <unicode/brkiter.h>
#include <unicode/utext.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/ascii.h"
#include "features/extractor.h"
#include "neardup/error.h"
#include "simd/dispatch.h"

namespace neardup::passages {
namespace {

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos; }

constexpr std::array<std::string_view, 36> kBlocks{
    "address",    "article", "aside",  "blockquote", "dd",    "div",   "dl", "dt",   "fieldset",
    "figcaption", "figure",  "footer", "form",       "h1",    "h2",    "h3", "h4",   "h5",
    "h6",         "header",  "hr",     "li",         "main",  "nav",   "ol", "p",    "pre",
    "section",    "td",      "th",     "tr",         "table", "tbody", "ul", "body", "title"};

// The end of the tag of a block element that begins here; 0 when none does.
std::size_t block_tag(std::string_view text) {
  constexpr std::size_t kLongest = 1000;
  std::size_t at = 1;
  if (at < text.size() && text[at] == '/') ++at;
  const std::size_t name = at;
  while (at < text.size() && at - name < 12 &&
         ((base::lower(text[at]) >= 'a' && base::lower(text[at]) <= 'z') || (text[at] >= '0' && text[at] <= '9')))
    ++at;
  if (at == text.size() || at == name ||
      (text[at] != '>' && text[at] != ' ' && text[at] != '/' && text[at] != '\n' && text[at] != '\t'))
    return 0;
  if (std::ranges::find(kBlocks, base::lowered(text.substr(name, at - name))) == kBlocks.end()) return 0;
  const std::size_t end = text.substr(0, kLongest).find_first_of("<>", at);
  return end == std::string_view::npos || text[end] == '<' ? 0 : end + 1;
}

}  // namespace

std::vector<ByteRange> lines_of(std::string_view text) {
  std::vector<ByteRange> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)});
    at = end;
  }
  return lines;
}

std::vector<ByteRange> paragraphs_of(std::string_view text) {
  // Where one may begin: after blank lines and after the tags of block elements.
  std::vector<ByteRange> paragraphs;
  std::size_t begin = 0;
  bool has_content = false;
  const auto start = [&](std::size_t at) {
    if (has_content) paragraphs.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at)});
    begin = at;
    has_content = false;
  };
  bool is_after_blank = false;
  for (const ByteRange line : lines_of(text)) {
    const std::string_view content = text.substr(line.begin, line.end - line.begin);
    if (is_blank(content)) {
      is_after_blank = true;
      continue;
    }
    if (is_after_blank) start(line.begin);
    is_after_blank = false;
    has_content = true;
    for (std::size_t at = content.find('<'); at != std::string_view::npos;) {
      std::size_t next = at + 1;
      if (const std::size_t size = block_tag(text.substr(line.begin + at)); size != 0) {
        // A tag belongs to no paragraph: the text before it ends, and what follows begins.
        start(line.begin + at);
        begin = line.begin + at + size;
        has_content = false;
        next = at + size;
        if (next >= content.size()) break;
        has_content = true;
      }
      at = content.find('<', next);
    }
  }
  start(text.size());
  return paragraphs;
}

std::vector<ByteRange> sentences_of(std::string_view text) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::BreakIterator> breaks(
      icu::BreakIterator::createSentenceInstance(icu::Locale::getRoot(), status));
  const std::unique_ptr<UText, decltype(&utext_close)> view(
      utext_openUTF8(nullptr, text.data(), static_cast<std::int64_t>(text.size()), &status), &utext_close);
  if (U_FAILURE(status)) throw Error(ErrorCode::internal, "internal error: ICU has no rules for sentences");
  breaks->setText(view.get(), status);
  if (U_FAILURE(status)) throw Error(ErrorCode::internal, "internal error: ICU cannot read a text");
  std::vector<ByteRange> sentences;
  std::int32_t begin = breaks->first();
  for (std::int32_t end = breaks->next(); end != icu::BreakIterator::DONE; begin = end, end = breaks->next())
    sentences.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
  return sentences;
}

ItemFolder::ItemFolder(ItemKind kind) : kind_(kind), folder_(text::Spacing::words, simd::kernels()) {}

void ItemFolder::append_words(std::string_view folded) {
  masks_.resize((folded.size() + 63) / 64);
  simd::kernels().word_masks(folded.data(), folded.size(), masks_.data());
  out_.reserve(out_.size() + folded.size() + 1);
  bool is_first = true;
  features::for_each_word(masks_, folded.size(), [&](std::size_t first, std::size_t last) {
    if (!is_first) out_ += ' ';
    is_first = false;
    out_.append(folded, first, last - first);
  });
}

std::string_view ItemFolder::fold(std::string_view text, std::uint32_t& items) {
  constexpr std::size_t kKeep = std::size_t{8} << 20;
  if (out_.capacity() > kKeep) std::string().swap(out_);
  out_.clear();
  items = 0;
  if (kind_ == ItemKind::words) {
    append_words(folder_.fold(text));
    items = out_.empty() ? 0 : static_cast<std::uint32_t>(std::count(out_.begin(), out_.end(), ' ')) + 1;
    folder_.shrink(kKeep);
    return out_;
  }
  const auto ranges = kind_ == ItemKind::lines        ? lines_of(text)
                      : kind_ == ItemKind::paragraphs ? paragraphs_of(text)
                                                      : sentences_of(text);
  for (const ByteRange range : ranges) {
    const std::size_t before = out_.size();
    if (items != 0) out_ += '\n';
    const std::size_t begin = out_.size();
    append_words(folder_.fold(text.substr(range.begin, range.end - range.begin)));
    if (out_.size() == begin) {
      out_.resize(before);
    } else {
      ++items;
    }
  }
  folder_.shrink(kKeep);
  return out_;
}

std::vector<ByteRange> item_ranges(std::string_view text, ItemKind kind) {
  auto ranges = kind == ItemKind::lines        ? lines_of(text)
                : kind == ItemKind::paragraphs ? paragraphs_of(text)
                                               : sentences_of(text);
  text::Folder folder(text::Spacing::words, simd::kernels());
  std::erase_if(ranges, [&](ByteRange range) {
    return folder.fold(text.substr(range.begin, range.end - range.begin)).find_first_not_of(' ') ==
           std::string_view::npos;
  });
  return ranges;
}

}  // namespace neardup::passages
