#include "hamming/fast.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "base/system.h"
#include "hamming/compare_all.h"
#include "hamming/csr_scan.h"
#include "hamming/fast_search.h"
#include "hamming/kinds.h"
#include "hamming/limits.h"
#include "hamming/line_scan.h"
#include "hamming/prepared.h"
#include "neardup/error.h"

namespace neardup::hamming {
namespace {

using TwoTables = LineTables<HammingKey>;
using EightTables = LineTables<ByteKey>;

constexpr std::size_t kFew = 4096;  // comparing so many takes no longer than looking anything up

// Members of the family differ in their tables, which find matches up to kMostDistance.
template <class Scan>
class FastIndex final : public HammingIndex {
 public:
  using Tables = typename Scan::Tables;

  FastIndex(Tables tables, RowLists rows, BitOrder order)
      : tables_(std::move(tables)),
        rows_(std::move(rows)),
        order_(std::move(order)),
        unevenness_(tables_.expected_compared() / tables_.even_compared()) {}

  [[nodiscard]] std::string_view kind() const noexcept override { return "fast"; }
  [[nodiscard]] std::uint64_t size() const noexcept override { return rows_.total_rows(); }
  [[nodiscard]] bool exact_up_to(unsigned) const noexcept override { return true; }
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept override {
    return tables_.memory_bytes() + rows_.memory_bytes();
  }
  [[nodiscard]] std::string describe() const override {
    std::string text = "fast: " + tables_.describe();
    if (order_.changes()) text += "; bits in another order, because some hardly vary";
    if (uneven()) text += "; " + complaint();
    return text;
  }

  SearchStats search(const HammingQueries& queries, const SearchOptions& options, PairSink& sink,
                     const Context& context) const override {
    check_distance(options.distance, 64);
    if (options.distance > Tables::kMostDistance) return compare_all(queries, options, sink, context);
    if (uneven() && options.matches == MatchKind::all && context.observer != nullptr) {
      context.observer->warning(complaint());
    }
    return run_search(queries.bits.size(), sink, context, 256, [&](std::size_t first, std::size_t last, Found& found) {
      search_tables<Scan>(tables_, rows_, order_, queries.bits, first, last, options, found);
    });
  }

 private:
  SearchStats compare_all(const HammingQueries& queries, const SearchOptions& options, PairSink& sink,
                          const Context& context) const {
    SearchStats stats =
        run_search(queries.bits.size(), sink, context, 1, [&](std::size_t first, std::size_t last, Found& found) {
          std::vector<std::uint64_t> codes(last - first);
          std::transform(queries.bits.begin() + static_cast<std::ptrdiff_t>(first),
                         queries.bits.begin() + static_cast<std::ptrdiff_t>(last), codes.begin(), order_);
          CompareAll<std::uint64_t, RowOrder::any> compare(codes, first, options, found);
          tables_.each_block([&](std::span<const std::uint64_t> block, Entry entry) {
            base::check_stop(context);
            compare.with(block, rows_, [&](std::size_t i) { return entry + i; });
            return !compare.done();
          });
          compare.finish();
        });
    stats.fallback = fmt::format("these tables find distances up to {}; for {} everything was compared",
                                 Tables::kMostDistance, options.distance);
    return stats;
  }

  [[nodiscard]] bool uneven() const { return unevenness_ > 32; }
  [[nodiscard]] std::string complaint() const {
    return fmt::format(
        "fingerprints crowd in few places: a search for one of them looks at {:.0f} others, {:.0f} times as many as if "
        "they were spread evenly",
        tables_.expected_compared(), unevenness_);
  }

  Tables tables_;
  RowLists rows_;
  BitOrder order_;
  double unevenness_;
};

// So few that tables would only be in the way.
class FewCodes final : public HammingIndex {
 public:
  explicit FewCodes(Distinct distinct) : distinct_(std::move(distinct)) {}

  [[nodiscard]] std::string_view kind() const noexcept override { return "fast"; }
  [[nodiscard]] std::string describe() const override {
    return fmt::format("fast: fewer than {} fingerprints, compared one by one", kFew);
  }
  [[nodiscard]] std::uint64_t size() const noexcept override { return distinct_.rows.total_rows(); }
  [[nodiscard]] bool exact_up_to(unsigned) const noexcept override { return true; }
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept override {
    return distinct_.codes.capacity() * sizeof(std::uint64_t) + distinct_.rows.memory_bytes();
  }
  SearchStats search(const HammingQueries& queries, const SearchOptions& options, PairSink& sink,
                     const Context& context) const override {
    check_distance(options.distance, 64);
    return run_search(queries.bits.size(), sink, context, 1, [&](std::size_t first, std::size_t last, Found& found) {
      const auto mine = queries.bits.subspan(first, last - first);
      CompareAll<std::uint64_t, RowOrder::any> compare(mine, first, options, found);
      const std::span<const std::uint64_t> codes = distinct_.codes;
      constexpr std::size_t kAtOnce = kBlock<std::uint64_t>;
      for (std::size_t at = 0; at < codes.size() && !compare.done(); at += kAtOnce) {
        base::check_stop(context);
        const auto block = codes.subspan(at, std::min(kAtOnce, codes.size() - at));
        compare.with(block, distinct_.rows, [&](std::size_t i) { return at + i; });
      }
      compare.finish();
    });
  }

 private:
  Distinct distinct_;
};

std::unique_ptr<HammingIndex> build_lists(const Prepared& from, unsigned key_bits, const Context& context) {
  CsrTables tables(from.distinct.codes, key_bits, context);
  const std::vector<Entry> order = tables.order_long_lists(from.distinct.rows);
  RowLists rows = order.empty() ? from.distinct.rows : from.distinct.rows.reordered(order);
  return std::make_unique<FastIndex<CsrScan>>(std::move(tables), std::move(rows), from.order);
}

template <class Key>
std::unique_ptr<HammingIndex> build_lines(const Prepared& from, unsigned line_bits, const Context& context) {
  const auto& codes = from.distinct.codes;
  LineTables<Key> tables(codes, line_bits, context);
  RowLists rows = from.distinct.rows.reordered(tables.numbering().order(codes));
  return std::make_unique<FastIndex<LineScan<Key>>>(std::move(tables), std::move(rows), from.order);
}

// The members, quickest first, with what they are expected to take.
struct Member {
  FastTables tables;
  std::uint64_t bytes;
  std::function<std::unique_ptr<HammingIndex>(const Prepared&, const Context&)> build;
};

std::vector<Member> members(const Distinct& distinct) {
  const std::uint64_t entries = distinct.codes.size(), ids = distinct.rows.memory_bytes();
  const unsigned key_bits = CsrTables::suitable_key_bits(entries);
  const unsigned line_bits = LineStore::suitable_bits(entries);
  const unsigned byte_bits = std::min(line_bits, ByteKey::kMostBits);
  std::vector<Member> list = {
      {FastTables::eight_lines, ids + EightTables::kTables * LineStore::expected_bytes(byte_bits, entries),
       [=](const Prepared& from, const Context& context) { return build_lines<ByteKey>(from, byte_bits, context); }},
      {FastTables::lists, ids + CsrTables::expected_bytes(key_bits, entries),
       [=](const Prepared& from, const Context& context) { return build_lists(from, key_bits, context); }}};
  // Half as many lines are fuller, with more lists aside, but smaller.
  for (const unsigned bits : {line_bits, std::max(line_bits - 1, LineStore::kLeastBits)}) {
    list.push_back(
        {FastTables::two_lines, ids + TwoTables::kTables * LineStore::expected_bytes(bits, entries),
         [=](const Prepared& from, const Context& context) { return build_lines<HammingKey>(from, bits, context); }});
  }
  return list;
}

}  // namespace

std::unique_ptr<HammingIndex> make_fast(const Build& build) { return make_fast(build, FastTables::by_memory); }

std::unique_ptr<HammingIndex> make_fast(const Build& build, FastTables wanted) {
  check_rows(build.bits.size());
  const std::uint64_t allowed = build.options.memory_bytes;
  if (build.bits.size() < kFew) {
    auto index = std::make_unique<FewCodes>(find_distinct(build.bits, build.context));
    check_memory("an index of kind fast", index->memory_bytes(), allowed);
    return index;
  }
  if (wanted == FastTables::by_memory && allowed == 0) wanted = FastTables::lists;
  const Prepared prepared = prepare(build.bits, build.context);
  std::uint64_t least = UINT64_MAX;
  for (const Member& member : members(prepared.distinct)) {
    if (wanted != FastTables::by_memory && wanted != member.tables) continue;
    least = std::min(least, member.bytes);
    if (allowed != 0 && member.bytes > allowed) continue;
    auto index = member.build(prepared, build.context);
    // Fingerprints that crowd may take more than expected.
    if (allowed == 0 || index->memory_bytes() <= allowed) return index;
    if (least == member.bytes) least = index->memory_bytes();
  }
  check_memory("an index of kind fast", least, allowed);
  throw Error(ErrorCode::limit, fmt::format("no tables of kind fast fit the {} bytes of `memory`", allowed), "memory");
}

}  // namespace neardup::hamming
