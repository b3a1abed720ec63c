// Pairs as columns.
#include <algorithm>
#include <cassert>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "arrow/export.h"
#include "base/guard.h"
#include "neardup/memory.h"

namespace neardup {
namespace arrow {
namespace {

constexpr std::size_t kLeastPairs = 1024, kMostPairs = std::size_t{1} << 16;

// A batch of pairs, which never moves once it is full. Holds its share of the budget for as long as anybody has it.
struct PairColumns {
  PairColumns(std::size_t capacity, Reservation reserved) : memory(std::move(reserved)) {
    left.reserve(capacity);
    right.reserve(capacity);
    score.reserve(capacity);
  }
  [[nodiscard]] bool is_full() const { return left.size() == left.capacity(); }

  std::vector<std::uint64_t> left, right;
  std::vector<double> score;
  Reservation memory;
};
using PairBlocks = std::deque<std::shared_ptr<PairColumns>>;

class PairExporter final : public Exporter {
 public:
  explicit PairExporter(PairBlocks blocks) : blocks_(std::move(blocks)) {}

  [[nodiscard]] std::vector<ExportedColumn> columns() const override {
    return {{"left", "L", false}, {"right", "L", false}, {"score", "g", false}};
  }

  std::optional<ExportedBatch> next() override {
    if (blocks_.empty()) return std::nullopt;
    const std::shared_ptr<const PairColumns> block = std::move(blocks_.front());
    blocks_.pop_front();
    return ExportedBatch{.rows = static_cast<std::int64_t>(block->left.size()),
                         .columns = {{{nullptr, block->left.data()}, 0, block},
                                     {{nullptr, block->right.data()}, 0, block},
                                     {{nullptr, block->score.data()}, 0, block}}};
  }

 private:
  PairBlocks blocks_;
};

}  // namespace
}  // namespace arrow

struct ArrowPairs::State {
  std::shared_ptr<MemoryBudget> budget;
  arrow::PairBlocks blocks{};
  std::uint64_t size = 0;

  void add_block() {
    constexpr std::size_t kPairBytes = 2 * sizeof(std::uint64_t) + sizeof(double);
    const auto capacity =
        static_cast<std::size_t>(std::clamp<std::uint64_t>(size, arrow::kLeastPairs, arrow::kMostPairs));
    blocks.push_back(
        std::make_shared<arrow::PairColumns>(capacity, budget->reserve(capacity * kPairBytes, "the pairs")));
  }
};

ArrowPairs::ArrowPairs(const Context& context)
    : state_(base::guarded([&] {
        const auto own = [&] { return std::make_shared<MemoryBudget>(context.memory_bytes); };
        return std::make_unique<State>(State{.budget = context.memory != nullptr ? context.memory : own()});
      })) {}
ArrowPairs::~ArrowPairs() = default;

bool ArrowPairs::accept(std::span<const Pair> pairs) {
  return base::guarded([&] {
    for (const Pair& pair : pairs) {
      if (state_->blocks.empty() || state_->blocks.back()->is_full()) state_->add_block();
      arrow::PairColumns& block = *state_->blocks.back();
      block.left.push_back(pair.left);
      block.right.push_back(pair.right);
      block.score.push_back(pair.score);
      ++state_->size;
    }
    return true;
  });
}

std::uint64_t ArrowPairs::size() const { return state_->size; }

ArrowArrayStream ArrowPairs::finish() {
  return base::guarded(
      [&] { return arrow::export_stream(std::make_unique<arrow::PairExporter>(std::exchange(state_->blocks, {}))); });
}

}  // namespace neardup
