#include <algorithm>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "find/kinds.h"
#include "neardup/error.h"
#include "similarity/verifier.h"

namespace neardup::find {
namespace {

class BruteForce final : public Finder {
 public:
  explicit BruteForce(const FinderOptions& options)
      : has_sizes_(options.definition.measure != Measure::hamming),
        has_alternative_(has_sizes_ && options.definition.measure != Measure::overlap),
        verifier_(options.definition) {}

  std::string_view name() const override { return "exact"; }
  std::string parameters() const override { return "every pair compared"; }
  bool exact() const override { return true; }
  std::size_t sketch_width() const override { return 0; }
  void sketch(std::span<const Feature>, std::span<std::uint32_t>) const override {}
  void add(std::span<const std::uint32_t>, std::uint32_t set_size) override { sizes_.push_back(set_size); }
  bool offers(Unit, Unit) const override { return true; }

  std::vector<Unit> groups(Context&) override {
    if (sizes_.size() > kBruteForceLimit) {
      throw Error(ErrorCode::limit, "--finder exact compares every pair, and " + std::to_string(sizes_.size()) +
                                        " different documents are more than its limit of " +
                                        std::to_string(kBruteForceLimit) + " (" +
                                        (has_alternative_ ? "--finder minhash takes any number; " : "") +
                                        "--sample or --limit look at a part)");
    }
    return std::vector<Unit>(sizes_.size(), 0);
  }

  void candidates(std::span<const Unit> a, std::span<const Unit> b, CandidateSink& sink,
                  Context& context) const override {
    const std::vector<Unit> left = by_size(a);
    const std::vector<Unit> right = b.empty() ? left : by_size(b);
    base::parallel_for(context, left.size(), [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        // Within one block each pair is met once, from the side that is later by size.
        offer_partners(left[i], std::span(right).first(b.empty() ? i : right.size()), sink);
      }
    });
  }

 private:
  std::vector<Unit> by_size(std::span<const Unit> units) const {
    std::vector<Unit> sorted(units.begin(), units.end());
    std::sort(sorted.begin(), sorted.end(),
              [&](Unit x, Unit y) { return sizes_[x] != sizes_[y] ? sizes_[x] < sizes_[y] : x < y; });
    return sorted;
  }

  // Sorted by size, the possible partners of a unit are one window of the others.
  void offer_partners(Unit unit, std::span<const Unit> others, CandidateSink& sink) const {
    auto partner = others.begin();
    if (has_sizes_) {
      partner = std::lower_bound(others.begin(), others.end(), verifier_.min_size(sizes_[unit]),
                                 [&](Unit u, std::uint64_t size) { return sizes_[u] < size; });
    }
    const std::uint64_t max_size = has_sizes_ ? verifier_.max_size(sizes_[unit]) : ~std::uint64_t{0};
    for (; partner != others.end() && sizes_[*partner] <= max_size; ++partner) sink.consider(unit, *partner);
  }

  bool has_sizes_;
  bool has_alternative_;  // minhash serves this measure too
  similarity::Verifier verifier_;
  std::vector<std::uint32_t> sizes_;
};

}  // namespace

std::unique_ptr<Finder> make_brute_force(const FinderOptions& options) { return std::make_unique<BruteForce>(options); }

}  // namespace neardup::find
