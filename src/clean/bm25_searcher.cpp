// Exact top-N by windows of rows. (MaxScore of Turtle and Flood 1995, with bounds of blocks as Ding and Suel 2011.)
//
// In a window each term has a bound: the most that one of its blocks there can add. The terms with the smallest bounds
// that together cannot lift a document above what is already enough are not essential: a document with none of the
// others need not be looked at. So the essential terms are summed up in an array over the window, and the rest is
// looked up only for documents that it could still bring among the best.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "clean/bm25_best.h"
#include "clean/bm25_index.h"

namespace neardup::clean {

namespace {

constexpr DocumentNumber kWindow = 4096;  // its sums and norms stay in the second cache
// With more postings than one row in so many, all sums of a window are looked at; else those that were changed.
constexpr DocumentNumber kDense = 8;

// Where a search is in the list of a term. Moves forward only. Unpacks a block when it is asked for what is in it.
class Cursor {
 public:
  // Precondition: the list is not empty.
  void start(const TermList& list, std::uint32_t times) {
    list_ = &list;
    times_ = times;
    block_ = 0;
    position_ = 0;
    rows_of_ = counts_of_ = kNone;
  }

  [[nodiscard]] const TermList& list() const { return *list_; }
  [[nodiscard]] Units times() const { return times_; }
  [[nodiscard]] Units bound() const { return list_->bound * times_; }
  [[nodiscard]] bool at_end() const { return block_ == list_->block_count; }

  // To the block that holds the first posting from `row` on.
  void advance(DocumentNumber row) {
    if (at_end() || block().last >= row) return;
    const Block* const end = list_->blocks + list_->block_count;
    const Block* from = list_->blocks + block_;
    std::ptrdiff_t step = 1;
    for (; end - from > step && from[step].last < row; step *= 2) from += step;
    const Block* const to = end - from > step ? from + step : end;
    block_ = static_cast<std::uint32_t>(
        std::lower_bound(from, to, row, [](const Block& each, DocumentNumber wanted) { return each.last < wanted; }) -
        list_->blocks);
    position_ = 0;
  }
  // The next block; precondition: not at the end.
  void next_block() {
    ++block_;
    position_ = 0;
  }

  [[nodiscard]] const Block& block() const { return list_->blocks[block_]; }
  [[nodiscard]] Units block_bound() const { return static_cast<Units>(block().bound) * times_; }
  [[nodiscard]] DocumentNumber block_first() const { return before() + 1; }  // or earlier than its first row

  // The most that a posting before `end` adds.
  [[nodiscard]] Units bound_before(DocumentNumber end) const {
    float most = 0;
    DocumentNumber first = block_first();
    for (std::uint32_t i = block_; i < list_->block_count && first < end; ++i) {
      most = std::max(most, list_->blocks[i].bound);
      first = list_->blocks[i].last + 1;
    }
    return static_cast<Units>(most) * times_;
  }

  // No posting from `row` on is before this one. Exact where the block is unpacked. Precondition: not at the end,
  // and advanced to `row`.
  [[nodiscard]] DocumentNumber next_row(DocumentNumber row) {
    if (rows_of_ != block_) return std::max(block_first(), row);
    seek(row);
    return rows_[position_];
  }

  // Unpacks the block's rows.
  const BlockValues& rows() {
    if (rows_of_ != block_) {
      read_rows(list_->data, block(), before(), rows_);
      rows_of_ = block_;
    }
    return rows_;
  }
  const BlockValues& counts() {
    if (counts_of_ != block_) {
      read_counts(list_->data, block(), counts_);
      counts_of_ = block_;
    }
    return counts_;
  }
  // Position of the block's first row from `row` on. Precondition: the block's last row is not before it.
  unsigned seek(DocumentNumber row) {
    rows();
    while (rows_[position_] < row) ++position_;
    return position_;
  }
  // How often the term occurs in `row`; 0: it does not. Precondition: advanced to it, not at the end.
  std::uint32_t count_at(DocumentNumber row) {
    if (rows()[seek(row)] != row) return 0;
    return counts_of_ == block_ ? counts_[position_] : read_count(list_->data, block(), position_);
  }

 private:
  static constexpr std::uint32_t kNone = ~0u;
  [[nodiscard]] DocumentNumber before() const {
    return block_ == 0 ? ~DocumentNumber{0} : list_->blocks[block_ - 1].last;
  }

  const TermList* list_ = nullptr;
  Units times_ = 0;
  std::uint32_t block_ = 0;
  unsigned position_ = 0;
  std::uint32_t rows_of_ = kNone, counts_of_ = kNone;  // the blocks that are unpacked
  BlockValues rows_{}, counts_{};
};

class Bm25Searcher final : public Searcher {
 public:
  explicit Bm25Searcher(const Bm25State& index)
      : index_(index), rows_(static_cast<DocumentNumber>(index.norms.size())), sums_(kWindow), changed_(kWindow / 64) {}

  void search(QueryNumber number, std::size_t depth, const Removed& removed, std::vector<Hit>& out) override {
    out.clear();
    depth = std::min<std::size_t>(depth, rows_);
    if (depth == 0) return;
    start(number);
    const Units likely = likely_enough(depth);
    if (likely > 1) search_above(likely - 1, depth, removed);
    if (likely <= 1 || best_.size() < depth) {
      start(number);
      search_above(0, depth, removed);
    }
    for (const BestRows::Scored& each : best_.finish()) {
      out.push_back({each.row, static_cast<double>(each.score) / kUnitsPerOne});
    }
  }

  std::uint64_t matches(QueryNumber number, const Removed& removed) override {
    start(number);
    seen_.assign(rows_ / 64 + 1, 0);
    for (std::size_t i = 0; i < cursor_count_; ++i) {
      for (Cursor& cursor = cursors_[i]; !cursor.at_end(); cursor.next_block()) {
        const BlockValues& rows = cursor.rows();
        for (unsigned j = 0; j < cursor.block().count; ++j) seen_[rows[j] / 64] |= std::uint64_t{1} << (rows[j] % 64);
      }
    }
    std::uint64_t count = 0;
    for (std::size_t word = 0; word < seen_.size(); ++word) {
      count += static_cast<std::uint64_t>(std::popcount(seen_[word]));
      for (std::uint64_t bits = seen_[word]; bits != 0; bits &= bits - 1) {
        const std::size_t row = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        if (row >= removed.size()) break;
        count -= removed[row];
      }
    }
    return count;
  }

 private:
  // A term in the current window.
  struct Bounded {
    Cursor* cursor;
    Units bound;
  };

  void start(QueryNumber number) {
    const auto terms = index_.query(number);
    cursor_count_ = terms.size();
    if (cursors_.size() < cursor_count_) cursors_.resize(cursor_count_);
    std::vector<QueryTerm> ordered(terms.begin(), terms.end());
    const auto bound = [&](const QueryTerm& each) { return index_.terms[each.term].bound * each.times; };
    std::sort(ordered.begin(), ordered.end(), [&](const QueryTerm& left, const QueryTerm& right) {
      return bound(left) != bound(right) ? bound(left) < bound(right) : left.term < right.term;
    });
    for (std::size_t i = 0; i < cursor_count_; ++i) cursors_[i].start(index_.terms[ordered[i].term], ordered[i].times);
  }

  // A score that this many documents have and some more, in case some were removed: those where one term alone adds it.
  Units likely_enough(std::size_t depth) const {
    const auto rank = static_cast<unsigned>(std::bit_width(depth + depth / 4 - 1));
    Units most = 0;
    for (std::size_t i = 0; i < cursor_count_; ++i) {
      const TermList& list = cursors_[i].list();
      if (rank >= static_cast<unsigned>(std::bit_width(list.count))) continue;
      most = std::max(most, (Units{list.tops[rank]} << list.top_shift) * cursors_[i].times());
    }
    return most;
  }

  void search_above(Units enough, std::size_t depth, const Removed& removed) {
    best_.start(depth, enough);
    for (DocumentNumber begin = 0; next_window(begin);) search_window(begin, removed);
  }

  // Moves to the first row that could matter; false: there is none.
  bool next_window(DocumentNumber& begin) {
    Units rest = 0;
    DocumentNumber first = rows_;
    for (std::size_t i = 0; i < cursor_count_; ++i) {
      Cursor& cursor = cursors_[i];
      rest += cursor.bound();
      if (rest <= best_.enough()) continue;  // nowhere essential
      cursor.advance(begin);
      if (!cursor.at_end()) first = std::min(first, cursor.next_row(begin));
    }
    begin = first;
    return begin < rows_;
  }

  // Moves `begin` behind what was looked at.
  void search_window(DocumentNumber& begin, const Removed& removed) {
    const DocumentNumber end = rows_ - begin > kWindow ? begin + kWindow : rows_;
    window_.clear();
    DocumentNumber block_end = rows_;  // up to here every term stays in the block where it is
    for (std::size_t i = 0; i < cursor_count_; ++i) {
      Cursor& cursor = cursors_[i];
      cursor.advance(begin);
      if (cursor.at_end()) continue;
      const Units bound = cursor.bound_before(end);
      block_end = std::min(block_end, bound == 0 ? cursor.block_first() : cursor.block().last + 1);
      if (bound != 0) window_.push_back({&cursor, bound});
    }
    std::sort(window_.begin(), window_.end(), [](const Bounded& a, const Bounded& b) { return a.bound < b.bound; });
    std::size_t essential = 0;
    Units rest = 0;  // what the terms before `essential` add at most
    while (essential < window_.size() && rest + window_[essential].bound <= best_.enough()) {
      rest += window_[essential++].bound;
    }
    if (essential == window_.size()) {
      begin = std::max(end, block_end);
      return;
    }

    const Units needed = best_.enough() - rest;  // more than this
    double postings = 0;
    for (std::size_t i = essential; i < window_.size(); ++i) postings += window_[i].cursor->list().count;
    const bool is_dense = postings * kDense > rows_;
    const bool is_alone = essential + 1 == window_.size();
    for (std::size_t i = essential; i < window_.size(); ++i) {
      add_up(*window_[i].cursor, begin, end, is_alone ? needed : -1, is_dense);
    }
    take_candidates(begin, end, needed, is_dense);
    while (essential != 0) {
      const auto& [cursor, bound] = window_[--essential];
      rest -= bound;
      look_up(*cursor, begin, bound, rest);
    }
    for (const DocumentNumber row : candidates_) {
      const Units score = sums_[row];
      if (!is_dense) sums_[row] = 0;
      if (score > best_.enough() && (begin + row >= removed.size() || !removed[begin + row])) {
        best_.add(score, begin + row);
      }
    }
    if (is_dense) std::fill_n(sums_.begin(), end - begin, 0);
    begin = end;
  }

  // Blocks that add at most `needed` are passed over.
  void add_up(Cursor& cursor, DocumentNumber begin, DocumentNumber end, Units needed, bool is_dense) {
    for (; !cursor.at_end() && cursor.block_first() < end; cursor.next_block()) {
      const Block& block = cursor.block();
      if (cursor.block_bound() > needed) {
        const BlockValues& rows = cursor.rows();
        const BlockValues& counts = cursor.counts();
        const unsigned first = cursor.seek(begin);
        unsigned last = block.count;
        if (block.last >= end) {
          last = static_cast<unsigned>(std::lower_bound(rows.begin() + first, rows.begin() + last, end) - rows.begin());
        }
        contributions(cursor.list().weight, rows, counts, index_.norms.data(), first, last, added_);
        const Units times = cursor.times();
        for (unsigned i = first; i < last; ++i) sums_[rows[i] - begin] += added_[i] * times;
        if (!is_dense) {
          for (unsigned i = first; i < last; ++i) {
            changed_[(rows[i] - begin) / 64] |= std::uint64_t{1} << ((rows[i] - begin) % 64);
          }
        }
      }
      if (block.last >= end) return;  // the rest of it belongs to later windows
    }
  }

  void take_candidates(DocumentNumber begin, DocumentNumber end, Units needed, bool is_dense) {
    const DocumentNumber count = end - begin;
    candidates_.resize(kWindow);
    std::size_t found = 0;
    if (is_dense) {
      for (DocumentNumber row = 0; row < count; ++row) {
        candidates_[found] = row;
        found += sums_[row] > needed;
      }
    } else {
      for (DocumentNumber word = 0; word < (count + 63) / 64; ++word) {
        for (std::uint64_t bits = changed_[word]; bits != 0; bits &= bits - 1) {
          const DocumentNumber row = word * 64 + static_cast<DocumentNumber>(std::countr_zero(bits));
          if (sums_[row] > needed) {
            candidates_[found++] = row;
          } else {
            sums_[row] = 0;
          }
        }
        changed_[word] = 0;
      }
    }
    candidates_.resize(found);
  }

  // Adds a term to those candidates that it and what comes after it (`rest` at most) can bring above what is enough,
  // and drops the others. `bound` is what the term adds at most.
  void look_up(Cursor& cursor, DocumentNumber begin, Units bound, Units rest) {
    const Units needed = best_.enough() - rest;
    const double weight = cursor.list().weight;
    std::size_t kept = 0;
    for (const DocumentNumber row : candidates_) {
      Units& sum = sums_[row];
      bool is_kept = sum + bound > needed;
      if (is_kept) {
        cursor.advance(begin + row);
        if (!cursor.at_end() && sum + cursor.block_bound() > needed && cursor.block_first() <= begin + row) {
          const std::uint32_t count = cursor.count_at(begin + row);
          if (count != 0) sum += contribution(weight, count, index_.norms[begin + row]) * cursor.times();
        }
        is_kept = sum > needed;
      }
      if (is_kept) {
        candidates_[kept++] = row;
      } else {
        sum = 0;
      }
    }
    candidates_.resize(kept);
  }

  const Bm25State& index_;
  const DocumentNumber rows_;
  std::vector<Cursor> cursors_;             // by ascending bound
  std::size_t cursor_count_ = 0;            // of them in use
  std::vector<Bounded> window_;             // by ascending bound in the window
  std::vector<Units> sums_;                 // by row of the window; all zero between windows
  std::vector<std::uint64_t> changed_;      // a bit for every such row, when the window is not dense
  std::vector<DocumentNumber> candidates_;  // rows of the window, ascending
  std::array<Units, kBlock> added_{};
  BestRows best_;
  std::vector<std::uint64_t> seen_;
};

}  // namespace

std::unique_ptr<Searcher> Bm25Index::searcher() const { return std::make_unique<Bm25Searcher>(state_); }

}  // namespace neardup::clean
