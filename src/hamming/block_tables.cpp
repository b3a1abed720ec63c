#include "hamming/block_tables.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "hamming/compare_all.h"
#include "hamming/kinds.h"
#include "hamming/searching.h"
#include "hamming/wide.h"

namespace neardup::hamming {

std::string why_compare_all(const TablePlan& plan, unsigned made_for, unsigned distance) {
  if (plan.tables.empty()) {
    return fmt::format("at distance {} tables leave as much to compare as there is", made_for);
  }
  return distance <= made_for ? "" : fmt::format("the tables serve distances up to {}, not {}", made_for, distance);
}

std::string describe_plan(const TablePlan& plan) {
  if (plan.tables.empty()) return "no tables, which would not help at this distance; everything is compared";
  const auto [least, most] = std::ranges::minmax_element(plan.tables, {}, &TablePlan::Table::leading);
  const std::string leading = least->leading == most->leading ? fmt::format("{}", least->leading)
                                                              : fmt::format("{} to {}", least->leading, most->leading);
  return fmt::format("design {}: {} tables with {} leading bits", plan.design, plan.tables.size(), leading);
}

namespace {

// A sorted copy of the fingerprints, permuted.
template <class Code>
struct Table {
  std::vector<Code> codes;
  std::vector<Entry> entries;  // by place; none when the permutation keeps the order, and place and entry are the same

  [[nodiscard]] Entry entry(std::size_t place) const {
    return entries.empty() ? static_cast<Entry>(place) : entries[place];
  }
  [[nodiscard]] std::uint64_t memory_bytes() const {
    return codes.size() * sizeof(Code) + entries.size() * sizeof(Entry);
  }
};

template <class Code>
Table<Code> make_table(std::span<const Code> sorted, const TableView<Code>& view, const Context& context) {
  Table<Code> table;
  table.codes.reserve(sorted.size());
  for (const Code code : sorted) {
    const Code permuted = view.permute(code);
    if (!table.codes.empty() && permuted < table.codes.back()) break;
    table.codes.push_back(permuted);
  }
  if (table.codes.size() == sorted.size()) return table;
  const auto items = sorted_codes<Code>(sorted.size(), context, [&](std::size_t i) { return view.permute(sorted[i]); });
  table.codes.resize(items.size());
  table.entries.resize(items.size());
  base::parallel_for(context, items.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      table.codes[i] = items[i].code;
      table.entries[i] = items[i].number;
    }
  });
  return table;
}

// As published: no addresses, a search by the leading bits in each table, one query after the other.
//
// Memory: a table's codes, 4 bytes more in all but the first, and the rows. Time: a probe of each table, and comparing
// n / 2^leading codes there. Threads: const members may run concurrently.
template <class Bits>
class BlockTables final : public HammingIndexOf<Bits> {
  using Code = CodeOf<Bits>;

 public:
  explicit BlockTables(const BuildOf<Bits>& build) : made_for_(build.options.distance) {
    check_rows(build.bits.size());
    auto distinct = find_distinct(build.bits, build.context);
    const std::span<const Code> sorted = distinct.codes;
    rows_ = std::move(distinct.rows);
    const TableSizes sizes{.rows = rows_.memory_bytes(),
                           .first = sorted.size_bytes(),
                           .further = sorted.size() * (sizeof(Code) + sizeof(Entry))};
    plan_ = plan_for(kind(), sorted, build.options, sizes, build.context);
    views_ = table_views<Code>(plan_);
    if (views_.empty()) views_.emplace_back(plain_table<Code>());
    for (const TableView<Code>& view : views_) tables_.push_back(make_table(sorted, view, build.context));
  }

  [[nodiscard]] std::string_view kind() const noexcept override { return "block-tables"; }
  [[nodiscard]] std::string describe() const override {
    return fmt::format("{}, {} different fingerprints, {} bytes", describe_plan(plan_), tables_[0].codes.size(),
                       memory_bytes());
  }
  [[nodiscard]] std::uint64_t size() const noexcept override { return rows_.total_rows(); }
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept override {
    std::uint64_t bytes = rows_.memory_bytes();
    for (const Table<Code>& table : tables_) bytes += table.memory_bytes();
    return bytes;
  }
  [[nodiscard]] bool exact_up_to(unsigned distance) const noexcept override { return distance <= kCodeBits<Code>; }

  SearchStats search(const HammingQueriesOf<Bits>& queries, const SearchOptions& options, PairSink& sink,
                     const Context& context) const override {
    check_distance(options.distance, kCodeBits<Code>);
    const std::string fallback = why_compare_all(plan_, made_for_, options.distance);
    const std::size_t least_piece = fallback.empty() ? 1 : 64;
    SearchStats stats = run_search(queries.bits.size(), sink, context, least_piece,
                                   [&](std::size_t first, std::size_t last, Found& found) {
                                     if (!fallback.empty()) {
                                       compare_all(queries, first, last, options, found, context);
                                       return;
                                     }
                                     std::vector<std::uint32_t> hits(kBlock<Code> + 8);
                                     for (std::size_t i = first; i < last && !found.enough(); ++i) {
                                       if (i % 1024 == 0) base::check_stop(context);
                                       look_up(to_code(queries.bits[i]), i, options, hits, found);
                                     }
                                   });
    stats.fallback = fallback;
    return stats;
  }

 private:
  void look_up(Code query, std::size_t number, const SearchOptions& options, std::vector<std::uint32_t>& hits,
               Found& found) const {
    LowestRow lowest;
    // Every table sees an equal fingerprint, and the first one owns it.
    const std::size_t tables = options.distance == 0 ? 1 : tables_.size();
    for (std::size_t t = 0; t < tables; ++t) {
      const std::span<const Code> codes = tables_[t].codes;
      const Code permuted = views_[t].permute(query);
      const std::size_t begin = lower_place(codes, static_cast<Code>(permuted & ~views_[t].after));
      const std::size_t end = run_end(codes, begin, static_cast<Code>(permuted | views_[t].after));
      ++found.probes;
      found.compared += end - begin;
      for (std::size_t at = begin; at < end; at += kBlock<Code>) {
        const auto block = codes.subspan(at, std::min(kBlock<Code>, end - at));
        const std::size_t count = filter_codes(block, permuted, options.distance, hits.data());
        for (std::size_t i = 0; i < count; ++i) {
          const Code difference = permuted ^ block[hits[i]];
          if (!owns<Code>(views_, t, views_[t].restore(difference))) continue;
          take_match(rows_, tables_[t].entry(at + hits[i]), number, distance_of(difference, Code{0}), options.matches,
                     lowest, found);
        }
      }
    }
    lowest.send(number, found);
  }

  void compare_all(const HammingQueriesOf<Bits>& queries, std::size_t first, std::size_t last,
                   const SearchOptions& options, Found& found, const Context& context) const {
    const std::span<const Code> codes = tables_[0].codes;
    std::vector<Code> mine;
    for (std::size_t i = first; i < last; ++i) mine.push_back(views_[0].permute(to_code(queries.bits[i])));
    CompareAll<Code, RowOrder::any> compare(mine, first, options, found);
    for (std::size_t at = 0; at < codes.size() && !compare.done(); at += kBlock<Code>) {
      base::check_stop(context);
      compare.with(codes.subspan(at, std::min(kBlock<Code>, codes.size() - at)), rows_,
                   [&](std::size_t i) { return tables_[0].entry(at + i); });
    }
    compare.finish();
  }

  unsigned made_for_;
  TablePlan plan_;  // without tables: everything is compared
  RowsOf<Bits> rows_;
  std::vector<TableView<Code>> views_;  // by table
  std::vector<Table<Code>> tables_;     // at least one
};

}  // namespace

std::unique_ptr<HammingIndex> make_block_tables(const Build& build) {
  return std::make_unique<BlockTables<std::uint64_t>>(build);
}
std::unique_ptr<WideHammingIndex> make_block_tables(const BuildOf<WideBits>& build) {
  return std::make_unique<BlockTables<WideBits>>(build);
}

}  // namespace neardup::hamming
