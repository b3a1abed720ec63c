// Which part of a page is what its author wrote for it, and which part surrounds it on every page?
//
// The blocks of a page (html_blocks.h) are judged by their length, by the share of links in them, by their tag and by
// what the elements around them are called (page_names.h). In short:
//   1. A block is good if it is prose: few links, and long, or of medium length and ending like a sentence.
//   2. Elements that are called navigation, footer, comments, ... are dropped, unless much of the good text is in them.
//   3. The container is the innermost element with most of the good text that is left.
//   4. In it, good blocks are kept, and shorter ones beside them; then headings of kept blocks, and gaps between them.
//   5. If too little was found, every block is kept that is not mostly links and not dropped: lists, products, forums.
//   6. If even that is next to nothing, the text is the whole page, and the caller is told.
// docs/algorithms/main-text.md has the rules with their numbers, and how good they are.
//
// Flat arrays and a fixed number of passes over them: time and memory are linear in blocks and elements, whatever the
// page contains. Integers only, so that every machine gives the same answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/html_text.h"
#include "text/page_names.h"

namespace neardup::text {

enum class MainTextFound : std::uint8_t {
  article,     // by rules 1 to 4
  wide,        // by rule 5
  whole_page,  // by rule 6: nothing qualified
};

// Threads: one per thread; buffers are kept between pages.
class MainText {
 public:
  // Precondition: the page was read with Blocks::collect, and what was read is still there. `out` is overwritten.
  MainTextFound extract(const Page&, std::string& out);

  // Visits of blocks and elements by the last call, for tests.
  [[nodiscard]] std::size_t steps() const { return steps_; }

 private:
  using Weight = std::uint64_t;  // in 128ths of a word

  enum class Tag : std::uint8_t { other, paragraph, quotation, preformatted, item, heading, cell, term, list, row };

  struct BlockFacts {
    Tag tag = Tag::other;
    std::uint32_t node = 0;
    std::uint32_t half_words = 0;    // a character of a script without spaces is half a word
    std::uint32_t link_percent = 0;  // of its bytes, rounded up
    Weight weight = 0;               // 0: not good
    bool is_furniture = false;       // a date, a counter, a byline, ...: not kept
    bool is_kept = false;
  };
  // An element; the first node is the page itself.
  struct Node {
    Tag tag = Tag::other;
    PageHint hint = PageHint::none;
    std::uint8_t heading_level = 0;
    bool is_article = false;  // says the page
    bool is_dropped = false;
    std::uint32_t parent = 0;
    std::uint32_t begin = 0xffffffff, end = 0;  // its blocks
    std::uint32_t heaviest = 0;                 // of its children; 0: none
    Weight good_beside = 0;                     // weight of good blocks directly in it
  };

  static Tag tag_of(std::string_view);
  void judge_blocks(const Page&);
  void list_nodes(const Page&);
  void sum_up();
  void drop(PageHint least, std::uint64_t percent);
  [[nodiscard]] Weight weight_of(const Node& node) const { return sums_[node.end] - sums_[node.begin]; }
  [[nodiscard]] Weight promise_of(const Node&) const;
  [[nodiscard]] bool is_live(const BlockFacts& block) const {
    return !block.is_furniture && !nodes_[block.node].is_dropped;
  }
  [[nodiscard]] std::uint32_t find_container();
  [[nodiscard]] std::uint32_t group_of(const BlockFacts&) const;
  static bool is_linked_prose(const BlockFacts&);
  void keep_in(const Node& container);
  void keep_near_kept(const Node& container);
  [[nodiscard]] bool kept_enough() const;
  bool keep_wide();

  PageHints hints_;
  std::vector<BlockFacts> blocks_;
  std::vector<Node> nodes_;
  std::vector<Weight> sums_;  // of the weights of the blocks before each
  std::size_t steps_ = 0;
};

}  // namespace neardup::text
