#include <fmt/format.h>

#include "base/system.h"
#include "hamming/compare_all.h"
#include "hamming/kinds.h"
#include "hamming/limits.h"
#include "hamming/wide.h"

namespace neardup::hamming {
namespace {

// Every row is its own entry.
struct EveryRow {
  [[nodiscard]] static Row first(Entry entry) { return entry; }
  template <class Visit>
  static void each(Entry entry, Visit visit) {
    visit(entry);
  }
};

// Memory: the fingerprints. Time: all of them for each query. Threads: const members may run concurrently.
template <class Bits>
class Scan final : public HammingIndexOf<Bits> {
  using Code = CodeOf<Bits>;

 public:
  explicit Scan(const BuildOf<Bits>& build) {
    check_rows(build.bits.size());
    check_memory("scan", build.bits.size() * sizeof(Code), build.options.memory_bytes);
    codes_.reserve(build.bits.size());
    for (const Bits& bits : build.bits) codes_.push_back(to_code(bits));
  }

  [[nodiscard]] std::string_view kind() const noexcept override { return "scan"; }
  [[nodiscard]] std::string describe() const override {
    return fmt::format("all {} fingerprints, one after the other", codes_.size());
  }
  [[nodiscard]] std::uint64_t size() const noexcept override { return codes_.size(); }
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept override { return codes_.size() * sizeof(Code); }
  [[nodiscard]] bool exact_up_to(unsigned distance) const noexcept override { return distance <= kCodeBits<Code>; }

  SearchStats search(const HammingQueriesOf<Bits>& queries, const SearchOptions& options, PairSink& sink,
                     const Context& context) const override {
    check_distance(options.distance, kCodeBits<Code>);
    // So many queries make reading a block once for all of them worth while.
    constexpr std::size_t kLeastPiece = 64;
    return run_search(
        queries.bits.size(), sink, context, kLeastPiece, [&](std::size_t first, std::size_t last, Found& found) {
          std::vector<Code> mine;
          for (std::size_t i = first; i < last; ++i) mine.push_back(to_code(queries.bits[i]));
          CompareAll<Code, RowOrder::ascending> compare(mine, first, options, found);
          for (std::size_t at = 0; at < codes_.size() && !compare.done(); at += kBlock<Code>) {
            base::check_stop(context);
            const std::size_t size = std::min(kBlock<Code>, codes_.size() - at);
            compare.with(std::span(codes_).subspan(at, size), EveryRow{}, [&](std::size_t i) { return at + i; });
          }
          compare.finish();
        });
  }

 private:
  std::vector<Code> codes_;
};

}  // namespace

std::unique_ptr<HammingIndex> make_scan(const Build& build) { return std::make_unique<Scan<std::uint64_t>>(build); }
std::unique_ptr<WideHammingIndex> make_scan(const BuildOf<WideBits>& build) {
  return std::make_unique<Scan<WideBits>>(build);
}

}  // namespace neardup::hamming
