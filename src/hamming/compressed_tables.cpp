#include <fmt/format.h>

#include <array>
#include <cassert>
#include <memory>
#include <utility>

#include "base/choices.h"
#include "hamming/block_tables.h"
#include "hamming/compare_all.h"
#include "hamming/elias_fano.h"
#include "hamming/huffman.h"
#include "hamming/kinds.h"
#include "hamming/searching.h"
#include "hamming/wide.h"
#include "neardup/error.h"

namespace neardup::hamming {
namespace {

// `Coded` is a sorted table, compressed: it is read in sequence, from any number on.
//
// Memory: the tables and the rows; no table has entry numbers. In the first one, which keeps the fingerprints' own
// order, places are entries; entries found in another table are looked up there. Threads: const members may run
// concurrently.
template <class Coded>
class CompressedTables final : public HammingIndex {
  using Code = std::uint64_t;

 public:
  explicit CompressedTables(const Build& build) : made_for_(build.options.distance) {
    check_rows(build.bits.size());
    Distinct distinct = find_distinct(build.bits, build.context);
    const std::span<const Code> sorted = distinct.codes;
    rows_ = std::move(distinct.rows);
    const std::uint64_t bytes = Coded::most_bytes(sorted.size());
    plan_ = plan_for(kind(), sorted, build.options, {.rows = rows_.memory_bytes(), .first = bytes, .further = bytes},
                     build.context);
    views_ = table_views<Code>(plan_);
    if (views_.empty()) views_.emplace_back(plain_table<Code>());
    std::vector<Code> codes(sorted.size());
    for (const TableView<Code>& view : views_) {
      if (tables_.empty()) {
        std::ranges::transform(sorted, codes.begin(), view.permute);
        assert(std::ranges::is_sorted(codes));
      } else {
        const auto items =
            sorted_codes<Code>(sorted.size(), build.context, [&](std::size_t i) { return view.permute(sorted[i]); });
        std::ranges::transform(items, codes.begin(), &Numbered<Code>::code);
      }
      tables_.emplace_back(codes);
    }
  }

  [[nodiscard]] std::string_view kind() const noexcept override { return "compressed-tables"; }
  [[nodiscard]] std::string describe() const override {
    std::string text =
        fmt::format("{}, {} different fingerprints, {} code", describe_plan(plan_), tables_[0].size(), Coded::kName);
    if (tables_[0].size() == 0) return text;
    text += "; bits a fingerprint in each table:";
    for (const Coded& table : tables_) text += fmt::format(" {:.2f}", bits_each(table.memory_bytes()));
    const double mean = bits_each(table_bytes()) / static_cast<double>(tables_.size());
    return text + fmt::format(" ({:.3f} of 64); rows {:.2f}; {} bytes", mean / 64, bits_each(rows_.memory_bytes()),
                              memory_bytes());
  }
  [[nodiscard]] std::uint64_t size() const noexcept override { return rows_.total_rows(); }
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept override { return rows_.memory_bytes() + table_bytes(); }
  [[nodiscard]] bool exact_up_to(unsigned distance) const noexcept override { return distance <= kCodeBits<Code>; }

  SearchStats search(const HammingQueries& queries, const SearchOptions& options, PairSink& sink,
                     const Context& context) const override {
    check_distance(options.distance, kCodeBits<Code>);
    const std::string fallback = why_compare_all(plan_, made_for_, options.distance);
    // Decoding everything is worth while for many queries at once.
    const std::size_t least_piece = fallback.empty() ? 1 : 1024;
    SearchStats stats = run_search(
        queries.bits.size(), sink, context, least_piece, [&](std::size_t first, std::size_t last, Found& found) {
          if (!fallback.empty()) {
            compare_all(queries.bits.subspan(first, last - first), first, options, found, context);
            return;
          }
          for (std::size_t i = first; i < last && !found.enough(); ++i) {
            if (i % 1024 == 0) base::check_stop(context);
            look_up(queries.bits[i], i, options, found);
          }
        });
    stats.fallback = fallback;
    return stats;
  }

 private:
  // Most runs are short; long ones are decoded in larger pieces.
  static constexpr std::size_t kFirstPiece = 16, kPiece = 256;

  void look_up(Code query, std::size_t number, const SearchOptions& options, Found& found) const {
    LowestRow lowest;
    std::array<Code, kPiece> codes{};
    std::array<std::uint32_t, kPiece + 8> hits{};
    // Every table sees an equal fingerprint, and the first one owns it.
    const std::size_t tables = options.distance == 0 ? 1 : tables_.size();
    for (std::size_t t = 0; t < tables; ++t) {
      const Code permuted = views_[t].permute(query), most = permuted | views_[t].after;
      auto reader = tables_[t].from(permuted & ~views_[t].after);
      ++found.probes;
      for (std::size_t wanted = kFirstPiece;; wanted = kPiece) {
        const std::size_t got = reader.read(std::span(codes).first(wanted));
        const auto run = static_cast<std::size_t>(
            std::upper_bound(codes.begin(), codes.begin() + static_cast<std::ptrdiff_t>(got), most) - codes.begin());
        found.compared += run;
        const std::size_t count = filter_codes(std::span(codes).first(run), permuted, options.distance, hits.data());
        for (std::size_t i = 0; i < count; ++i) {
          const Code difference = views_[t].restore(permuted ^ codes[hits[i]]);
          if (!owns<Code>(views_, t, difference)) continue;
          take_match(rows_, tables_[0].place_of(views_[0].permute(query ^ difference)), number,
                     distance_of(difference, Code{0}), options.matches, lowest, found);
        }
        if (run < wanted) break;  // the run or the table ends here
      }
    }
    lowest.send(number, found);
  }

  void compare_all(std::span<const Code> queries, std::size_t first, const SearchOptions& options, Found& found,
                   const Context& context) const {
    std::vector<Code> mine(queries.size()), codes(kBlock<Code>);
    std::ranges::transform(queries, mine.begin(), views_[0].permute);
    CompareAll<Code, RowOrder::any> compare(mine, first, options, found);
    auto reader = tables_[0].begin();
    while (!compare.done()) {
      base::check_stop(context);
      const std::size_t place = reader.place(), got = reader.read(codes);
      if (got == 0) break;
      compare.with(std::span(codes).first(got), rows_, [&](std::size_t i) { return place + i; });
    }
    compare.finish();
  }

  [[nodiscard]] std::uint64_t table_bytes() const noexcept {
    std::uint64_t bytes = 0;
    for (const Coded& table : tables_) bytes += table.memory_bytes();
    return bytes;
  }
  [[nodiscard]] double bits_each(std::uint64_t bytes) const {
    return 8 * static_cast<double>(bytes) / static_cast<double>(tables_[0].size());
  }

  unsigned made_for_;
  TablePlan plan_;  // without tables: everything is compared
  RowLists rows_;
  std::vector<TableView<Code>> views_;  // by table
  std::vector<Coded> tables_;           // at least one
};

}  // namespace

std::unique_ptr<HammingIndex> make_compressed_tables(const Build& build) {
  if (build.options.code == HuffmanBlocks::kName) return std::make_unique<CompressedTables<HuffmanBlocks>>(build);
  if (build.options.code == EliasFano::kName) return std::make_unique<CompressedTables<EliasFano>>(build);
  base::refuse_choice("code", build.options.code, {std::string(HuffmanBlocks::kName), std::string(EliasFano::kName)});
}

}  // namespace neardup::hamming
