#include "match/fingerprint_sorter.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <numeric>
#include <string>
#include <utility>

#include "base/merge_runs.h"
#include "io/codecs/codecs.h"
#include "neardup/error.h"

namespace neardup::matching {
namespace {

constexpr std::size_t kMostFanIn = 16;
constexpr std::size_t kCursorBytes = 4u << 20;  // about what a block of an input takes
constexpr std::uint32_t kRunBlockRecords = 4096;
constexpr std::size_t kMostIdBytes = 1u << 30;  // ids of one run

// A fingerprint's place in the order.
struct Place {
  bool missing;
  std::uint64_t bits;
  friend auto operator<=>(const Place&, const Place&) = default;
};

// Goes through one run.
class Cursor {
 public:
  Cursor(const io::FingerprintSource& source, bool volatility)
      : source_(source), reader_(source.read(0)), sections_{.volatility = volatility, .ids = true} {
    refill();
  }
  [[nodiscard]] bool done() const { return at_ == block_.size(); }
  [[nodiscard]] Place head() const { return {block_.is_missing(at_), block_.bits[at_]}; }
  [[nodiscard]] io::FingerprintRecord record() const { return block_.record(at_); }
  void advance() {
    const Place last = head();
    if (++at_ == block_.size()) refill();
    if (!done() && head() < last) {
      throw Error(
          ErrorCode::corrupt,
          fmt::format("{}: says that its fingerprints are ascending, but record {} is not (write the file again "
                      "with neardup fingerprint)",
                      source_.name(), block_.first_row + at_ + 1));
    }
  }

 private:
  void refill() {
    block_.clear();
    at_ = 0;
    while (block_.size() == 0 && reader_->next()) reader_->load(sections_, block_);
  }

  const io::FingerprintSource& source_;
  std::unique_ptr<io::FingerprintReader> reader_;
  io::FingerprintSections sections_;
  io::FingerprintBlock block_;
  std::size_t at_ = 0;
};

}  // namespace

// A source of the caller's, or a temporary file.
struct FingerprintSorter::Run {
  const io::FingerprintSource* given = nullptr;
  std::filesystem::path path{};
};

FingerprintSorter::FingerprintSorter(std::unique_ptr<io::FingerprintSink> out, Volatilities volatilities,
                                     std::size_t memory_bytes, const Context& context)
    : out_(std::move(out)),
      volatility_(volatilities == Volatilities::kept),
      memory_bytes_(memory_bytes),
      context_(context),
      memory_(base::reservation(context)) {}

FingerprintSorter::~FingerprintSorter() = default;

std::size_t FingerprintSorter::held_bytes() const {
  constexpr std::size_t kBytes = sizeof(std::uint64_t) + sizeof(std::uint32_t) + sizeof(std::uint32_t);
  // Growing vectors hold up to twice what they need.
  return 2 * (held_.size() * (kBytes + (volatility_ ? sizeof(Volatility) : 0)) + held_.id_bytes.size());
}

void FingerprintSorter::add(const io::FingerprintRecord& record) {
  constexpr std::size_t kLeast = 1024;
  if (held_.size() % kLeast == 0) memory_.hold(held_bytes());
  if (held_.size() >= kLeast && (held_bytes() >= memory_bytes_ || held_.id_bytes.size() >= kMostIdBytes)) spill();
  held_.add({record.fingerprint, volatility_ ? record.volatility : nullptr, record.id});
}

void FingerprintSorter::add(const io::FingerprintSource& source) {
  if (source.order() == FingerprintOrder::fingerprint) {
    if (held_.size() > 0) spill();
    runs_.push_back({.given = &source});
    return;
  }
  io::FingerprintBlock block;
  for (const auto reader = source.read(0); reader->next();) {
    base::check_stop(context_);
    reader->load({.volatility = volatility_, .ids = true}, block);
    for (std::size_t i = 0; i < block.size(); ++i) add(block.record(i));
  }
}

void FingerprintSorter::each_sorted(io::FingerprintSink& out) const {
  std::vector<std::uint32_t> order(held_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Place x{held_.is_missing(a), held_.bits[a]}, y{held_.is_missing(b), held_.bits[b]};
    return x != y ? x < y : a < b;
  });
  for (const std::uint32_t i : order) out.add(held_.record(i));
}

std::unique_ptr<io::FingerprintSink> FingerprintSorter::create_run(std::vector<Run>& runs) {
  if (!temp_) temp_ = std::make_unique<base::TempFolder>(context_);
  runs.push_back({.path = temp_->path() / std::to_string(runs_made_++)});
  const io::FingerprintHeader header{
      .order = FingerprintOrder::fingerprint, .volatility = volatility_, .block_records = kRunBlockRecords};
  return std::make_unique<io::FingerprintFileWriter>(
      io::open_sink(base::files(context_), runs.back().path, io::plain_codec()), header);
}

void FingerprintSorter::spill() {
  const auto run = create_run(runs_);
  each_sorted(*run);
  run->close();
  held_.clear();
}

void FingerprintSorter::merge(std::span<const Run> runs, io::FingerprintSink& out) const {
  std::vector<std::unique_ptr<io::FingerprintSource>> opened;
  std::deque<Cursor> cursors;
  for (const Run& run : runs) {
    if (run.given == nullptr) opened.push_back(io::open_fingerprints(run.path.string(), context_));
    cursors.emplace_back(run.given != nullptr ? *run.given : *opened.back(), volatility_);
  }
  std::uint64_t written = 0;
  base::merge_runs(cursors, std::less<>{}, [&](const Cursor& next) {
    if (written++ % kRunBlockRecords == 0) base::check_stop(context_);
    out.add(next.record());
  });
}

void FingerprintSorter::close() {
  if (runs_.empty()) {
    each_sorted(*out_);
    out_->close();
    return;
  }
  if (held_.size() > 0) spill();
  held_ = {};
  memory_.hold(0);
  const std::size_t fan_in = std::clamp<std::size_t>(memory_bytes_ / kCursorBytes, 2, kMostFanIn);
  while (runs_.size() > fan_in) {
    std::vector<Run> fewer;
    for (std::size_t first = 0; first < runs_.size(); first += fan_in) {
      const auto group = std::span(runs_).subspan(first, std::min(fan_in, runs_.size() - first));
      const auto run = create_run(fewer);
      merge(group, *run);
      run->close();
      for (const Run& done : group) {
        if (done.given == nullptr) base::files(context_).remove_all(done.path);
      }
    }
    runs_ = std::move(fewer);
  }
  merge(runs_, *out_);
  out_->close();
}

}  // namespace neardup::matching
