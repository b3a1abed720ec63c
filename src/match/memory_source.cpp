#include "match/memory_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "neardup/error.h"

namespace neardup::matching {
namespace {

constexpr std::size_t kBlockRows = 1u << 14;

class MemoryReader final : public io::FingerprintReader {
 public:
  MemoryReader(const FingerprintsView& view, std::uint64_t first_row) : view_(view), next_(first_row) {}

  bool next() override {
    first_ = next_;
    next_ = std::min<std::uint64_t>(first_ + kBlockRows, view_.bits.size());
    return first_ < next_;
  }
  [[nodiscard]] std::uint64_t first_row() const override { return first_; }
  [[nodiscard]] std::size_t rows() const override { return static_cast<std::size_t>(next_ - first_); }

  void load(io::FingerprintSections sections, io::FingerprintBlock& out) override {
    out.clear();
    out.first_row = first_;
    const std::span<const std::uint64_t> bits = view_.bits.subspan(first_, rows());
    out.bits.assign(bits.begin(), bits.end());
    out.missing.assign((bits.size() + 63) / 64, 0);
    for (std::size_t i = 0; i < bits.size(); ++i)
      if (!view_.has(first_ + i)) out.missing[i / 64] |= std::uint64_t{1} << i % 64;
    if (!sections.volatility) return;
    const std::span<const Volatility> volatility = view_.volatility.subspan(first_, rows());
    out.volatility.assign(volatility.begin(), volatility.end());
  }

 private:
  const FingerprintsView& view_;
  std::uint64_t first_ = 0, next_;
};

class MemorySource final : public io::FingerprintSource {
 public:
  MemorySource(const FingerprintsView& view, std::string name) : FingerprintSource(std::move(name)), view_(view) {
    for (std::uint64_t row = 0; row < view.bits.size(); ++row) missing_ += view.has(row) ? 0 : 1;
  }
  [[nodiscard]] const std::optional<io::FingerprintMaking>& making() const override { return making_; }
  [[nodiscard]] FingerprintOrder order() const override { return FingerprintOrder::input; }
  [[nodiscard]] bool has_volatility() const override { return view_.bits.empty() || !view_.volatility.empty(); }
  [[nodiscard]] std::uint64_t rows() const override { return view_.bits.size(); }
  [[nodiscard]] std::uint64_t missing() const override { return missing_; }
  [[nodiscard]] std::unique_ptr<io::FingerprintReader> read(std::uint64_t from) const override {
    return std::make_unique<MemoryReader>(view_, from);
  }

 private:
  const FingerprintsView& view_;
  std::uint64_t missing_ = 0;
  std::optional<io::FingerprintMaking> making_;  // the caller knows
};

}  // namespace

std::unique_ptr<io::FingerprintSource> source_of(const FingerprintsView& view, std::string name) {
  for (const auto& [what, size] :
       {std::pair("status", view.status.size()), std::pair("volatility", view.volatility.size())}) {
    if (size != 0 && size != view.bits.size()) {
      throw Error(ErrorCode::usage, fmt::format("the {} has {} fingerprints, but {} entries of `{}`", name,
                                                view.bits.size(), size, what));
    }
  }
  if (view.bits.size() > std::numeric_limits<std::uint32_t>::max())
    throw Error(ErrorCode::limit, fmt::format("the {} has 2^32 fingerprints or more: search them in parts", name));
  return std::make_unique<MemorySource>(view, std::move(name));
}

}  // namespace neardup::matching
