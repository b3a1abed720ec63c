#include "text/main_text.h"

#include <algorithm>
#include <string_view>

#include "text/furniture.h"
#include "text/page_text_reader.h"

namespace neardup::text {

namespace {

constexpr std::uint64_t kWord = 128;  // weight of a word

// Numbers of the rules; docs/algorithms/main-text.md says where they come from.
constexpr std::uint32_t kGoodLinkPercent = 33;
constexpr std::uint32_t kGoodParagraphWords = 8, kGoodWords = 12, kLongWords = 20;  // the first two with a sentence end
constexpr std::uint64_t kItemPercent = 70;                                          // of a good item's weight counts
constexpr std::uint64_t kStrongPercent = 70, kWeakPercent = 40;  // of the weight: an element with more is not dropped
constexpr std::uint64_t kLeastGoodWords = 50;                    // of good text
constexpr std::uint64_t kContainerPercent = 70, kArticlePercent = 130;
constexpr std::uint64_t kGroupPercent = 10;
constexpr std::uint32_t kParagraphLinkPercent = 50, kItemLinkPercent = 40, kShortLinkPercent = 60, kShortWords = 5;
constexpr std::uint32_t kUnlinkedWords = 5;
constexpr std::uint32_t kHeadingLinkPercent = 50, kGapLinkPercent = 60, kWideLinkPercent = 50;
constexpr std::uint64_t kEnoughPercent = 50;

// Words are what white space separates. A character of Thai, kana, Han or Hangul adds half a word.
std::uint32_t half_words_of(std::string_view text) {
  std::uint32_t words = 0, characters = 0;
  bool in_word = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool is_space = is_html_space(text[i]);
    words += static_cast<std::uint32_t>(!is_space && !in_word);
    in_word = !is_space;
    if (c < 0xE0 || c > 0xED || i + 2 >= text.size()) continue;
    const auto next = static_cast<unsigned char>(text[i + 1]);
    const bool is_thai = c == 0xE0 && (next == 0xB8 || next == 0xB9);
    const bool is_east_asian = c == 0xE3 ? next >= 0x81 && next != 0x84 : c >= 0xE4 && c <= 0xED;
    characters += static_cast<std::uint32_t>(is_thai || is_east_asian);
  }
  return 2 * words + characters;
}

bool ends_sentence(std::string_view text) {
  for (const std::string_view end : {".", "!", "?", ":", "\"", ")", "…", "。", "！", "？", "”", "’"}) {
    if (text.ends_with(end)) return true;
  }
  return false;
}

}  // namespace

MainText::Tag MainText::tag_of(std::string_view tag) {
  switch (tag.empty() ? '\0' : tag[0]) {
    case 'p':
      return tag == "p" ? Tag::paragraph : tag == "pre" ? Tag::preformatted : Tag::other;
    case 'b':
      return tag == "blockquote" ? Tag::quotation : Tag::other;
    case 'l':
      return tag == "li" ? Tag::item : Tag::other;
    case 'h':
      return tag.size() == 2 && tag[1] >= '1' && tag[1] <= '6' ? Tag::heading : Tag::other;
    case 't':
      return tag == "td" || tag == "th" ? Tag::cell : tag == "tr" ? Tag::row : Tag::other;
    case 'd':
      return tag == "dt" || tag == "dd" ? Tag::term : Tag::other;
    case 'u':
    case 'o':
      return tag == "ul" || tag == "ol" ? Tag::list : Tag::other;
    default:
      return Tag::other;
  }
}

// The page is node 0; element i is node i + 1. Outer elements come before inner ones.
void MainText::list_nodes(const Page& page) {
  nodes_.assign(page.elements.size() + 1, {});
  for (std::size_t i = 0; i < page.elements.size(); ++i) {
    const PageElement& element = page.elements[i];
    Node& node = nodes_[i + 1];
    node.tag = tag_of(element.tag);
    node.hint = hints_.of(element);
    if (node.tag == Tag::heading) node.heading_level = static_cast<std::uint8_t>(element.tag[1] - 48);
    node.is_article = hints_.is_marked_as_article();
    node.parent = element.parent == kNoPageElement ? 0 : element.parent + 1;
  }
  for (std::uint32_t i = 0; i < page.blocks.size(); ++i) {
    const std::uint32_t element = page.blocks[i].element;
    Node& node = nodes_[element == kNoPageElement ? 0 : element + 1];
    node.begin = std::min(node.begin, i);
    node.end = i + 1;
  }
  for (std::size_t i = nodes_.size() - 1; i > 0; --i) {
    Node& parent = nodes_[nodes_[i].parent];
    parent.begin = std::min(parent.begin, nodes_[i].begin);
    parent.end = std::max(parent.end, nodes_[i].end);
  }
  steps_ += 2 * nodes_.size() + page.blocks.size();
}

void MainText::judge_blocks(const Page& page) {
  blocks_.assign(page.blocks.size(), {});
  const std::string_view text = page.text;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const PageBlock& from = page.blocks[i];
    BlockFacts& block = blocks_[i];
    const std::string_view shown = text.substr(from.begin, from.end - from.begin);
    block.node = from.element == kNoPageElement ? 0 : from.element + 1;
    block.tag = nodes_[block.node].tag;
    block.half_words = half_words_of(shown);
    block.link_percent = static_cast<std::uint32_t>((100 * from.link_bytes + shown.size() - 1) / shown.size());
    block.is_furniture = block.tag != Tag::cell && is_furniture(shown);
    if (block.is_furniture || block.tag == Tag::heading || block.link_percent > kGoodLinkPercent) continue;
    const std::uint32_t least = block.tag == Tag::paragraph ? kGoodParagraphWords : kGoodWords;
    if (block.half_words < 2 * least || (block.half_words < 2 * kLongWords && !ends_sentence(shown))) continue;
    block.weight = block.half_words * (100 - block.link_percent) * (kWord / 2) / 100;
    if (block.tag == Tag::item) block.weight = block.weight * kItemPercent / 100;
  }
  steps_ += blocks_.size();
}

void MainText::sum_up() {
  sums_.resize(blocks_.size() + 1);
  Weight sum = 0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    sums_[i] = sum;
    sum += blocks_[i].weight;
  }
  sums_[blocks_.size()] = sum;
  steps_ += blocks_.size();
}

// Drops elements with this hint or a stronger one that contain at most this share of the good text.
void MainText::drop(PageHint least, std::uint64_t percent) {
  const Weight all = sums_.back();
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    Node& node = nodes_[i];
    const bool is_small = 100 * weight_of(node) <= percent * all;
    node.is_dropped |=
        nodes_[node.parent].is_dropped || node.hint == PageHint::control || (node.hint >= least && is_small);
  }
  for (BlockFacts& block : blocks_) {
    if (!is_live(block)) block.weight = 0;
  }
  steps_ += nodes_.size() + blocks_.size();
  sum_up();
}

MainText::Weight MainText::promise_of(const Node& node) const {
  return node.is_dropped ? 0 : weight_of(node) * (node.is_article ? kArticlePercent : 100) / 100;
}

std::uint32_t MainText::find_container() {
  for (std::uint32_t i = static_cast<std::uint32_t>(nodes_.size()) - 1; i > 0; --i) {
    Node& parent = nodes_[nodes_[i].parent];
    const Weight promise = promise_of(nodes_[i]);
    // The first of several; nodes are visited from the last one.
    if (promise > 0 && (parent.heaviest == 0 || promise >= promise_of(nodes_[parent.heaviest]))) parent.heaviest = i;
  }
  std::uint32_t at = 0;
  while (nodes_[at].heaviest != 0 &&
         100 * promise_of(nodes_[nodes_[at].heaviest]) >= kContainerPercent * weight_of(nodes_[at])) {
    at = nodes_[at].heaviest;
    ++steps_;
  }
  while (at != 0 && nodes_[at].tag != Tag::other && nodes_[at].tag != Tag::cell) at = nodes_[at].parent;
  steps_ += nodes_.size();
  return at;
}

// The element in which a block has neighbours of its kind: its own, or that around the paragraph or the list.
std::uint32_t MainText::group_of(const BlockFacts& block) const {
  std::uint32_t at = block.node;
  switch (block.tag) {
    case Tag::paragraph:
    case Tag::quotation:
    case Tag::preformatted:
      at = nodes_[at].parent;
      if (block.tag == Tag::paragraph && nodes_[at].tag == Tag::quotation) at = nodes_[at].parent;
      return at;
    case Tag::item:
      return nodes_[nodes_[at].parent].parent;
    default:
      return at;
  }
}

// Long, and though most of it is linked, a few words are not: the lead of an article often is.
bool MainText::is_linked_prose(const BlockFacts& block) {
  return block.half_words >= 2 * kLongWords && block.half_words * (100 - block.link_percent) >= 200 * kUnlinkedWords;
}

void MainText::keep_in(const Node& container) {
  for (std::uint32_t i = container.begin; i < container.end; ++i) {
    if (blocks_[i].weight > 0) nodes_[group_of(blocks_[i])].good_beside += blocks_[i].weight;
  }
  const Weight least = kGroupPercent * weight_of(container);
  for (std::uint32_t i = container.begin; i < container.end; ++i) {
    BlockFacts& block = blocks_[i];
    block.is_kept = block.weight > 0;
    if (block.is_kept || !is_live(block) || block.tag == Tag::heading) continue;
    if (100 * nodes_[group_of(block)].good_beside < least) continue;
    switch (block.tag) {
      case Tag::paragraph:
      case Tag::quotation:
      case Tag::preformatted:
        block.is_kept = block.link_percent <= kParagraphLinkPercent || is_linked_prose(block);
        break;
      case Tag::item:
        block.is_kept = block.link_percent <= kItemLinkPercent || is_linked_prose(block);
        break;
      default:
        block.is_kept = block.link_percent <= kShortLinkPercent && block.half_words >= 2 * kShortWords;
    }
  }
  steps_ += 2 * (container.end - container.begin);
}

// Backwards: a heading is kept with what follows it, and so is a short block between kept ones.
void MainText::keep_near_kept(const Node& container) {
  std::uint32_t first = container.begin, last = container.end;
  while (first < container.end && !blocks_[first].is_kept) ++first;
  while (last > first && !blocks_[last - 1].is_kept) --last;
  bool next_is_kept = false;
  for (std::uint32_t i = container.end; i-- > container.begin;) {
    BlockFacts& block = blocks_[i];
    if (!is_live(block)) continue;
    if (!block.is_kept) {
      const bool is_between = i > first && i < last;
      if (block.tag == Tag::heading) {
        block.is_kept = next_is_kept && block.link_percent <= kHeadingLinkPercent &&
                        (i > first || nodes_[block.node].heading_level != 1);
      } else if (is_between && block.link_percent <= kGapLinkPercent) {
        block.is_kept = next_is_kept || block.tag == Tag::cell || block.tag == Tag::term;
      }
    }
    next_is_kept = block.is_kept;
  }
  steps_ += container.end - container.begin;
}

bool MainText::kept_enough() const {
  std::uint64_t kept = 0, all = 0;
  for (const BlockFacts& block : blocks_) {
    const std::uint64_t words = std::uint64_t{block.half_words} * (100 - block.link_percent);
    if (block.is_kept) kept += words;
    if (is_live(block) && block.link_percent < kWideLinkPercent) all += words;
  }
  return kept > 0 && 100 * kept >= kEnoughPercent * all;
}

bool MainText::keep_wide() {
  bool any = false;
  for (BlockFacts& block : blocks_) {
    block.is_kept = is_live(block) && block.link_percent < kWideLinkPercent;
    any |= block.is_kept;
  }
  steps_ += blocks_.size();
  return any;
}

bool has_html_tag(std::string_view text) {
  HtmlTokens tokens;
  tokens.start(text);
  while (tokens.next()) {
    const bool is_tag = tokens.kind() == HtmlTokens::Kind::start_tag || tokens.kind() == HtmlTokens::Kind::end_tag;
    if (is_tag && !html_element(tokens.raw()).name.empty()) return true;
  }
  return false;
}

MainTextFound MainText::extract(const Page& page, std::string& out) {
  steps_ = 0;
  list_nodes(page);
  judge_blocks(page);
  sum_up();
  drop(PageHint::strong, kStrongPercent);
  drop(PageHint::weak, kWeakPercent);
  MainTextFound found = MainTextFound::article;
  if (sums_.back() >= kLeastGoodWords * kWord) {
    const Node& container = nodes_[find_container()];
    keep_in(container);
    keep_near_kept(container);
  }
  if (!kept_enough()) found = keep_wide() ? MainTextFound::wide : MainTextFound::whole_page;
  out.clear();
  if (found == MainTextFound::whole_page) {
    out = page.text;
    return found;
  }
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (blocks_[i].is_kept) append_block(out, page.text, page.blocks[i]);
  }
  steps_ += blocks_.size();
  return found;
}

}  // namespace neardup::text
