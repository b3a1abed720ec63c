#include "match/match_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/memory_plan.h"
#include "neardup/error.h"

namespace neardup::matching {
namespace {

constexpr std::uint64_t kRowBytes = sizeof(std::uint64_t) + sizeof(std::uint32_t);
constexpr std::uint64_t kLeastPart = 1u << 16;
constexpr std::size_t kLeastChunk = 1u << 14, kMostChunk = 1u << 19;

// How memory is shared out.
struct Shares {
  std::uint64_t chunk_rows, part;  // part: for the rows of a part, their index, and building it
};

Shares shares(std::uint64_t memory, std::uint64_t chunk_row_bytes) {
  // Of chunks, one is searched while the next one is read.
  const std::uint64_t chunk_rows =
      std::clamp<std::uint64_t>(memory / 8 / (2 * chunk_row_bytes), kLeastChunk, kMostChunk);
  const std::uint64_t others = base::plan_memory(memory).pairs + chunk_rows * 2 * chunk_row_bytes;
  return {chunk_rows, memory > others ? memory - others : 0};
}

}  // namespace

hamming::MemoryNeed need_of(const MatchOptions& options) {
  HammingOptions index = options.index;
  index.distance = options.search.distance;
  return hamming::memory_need(index);
}

MatchPlan plan_match(const MatchSides& sides, const MatchOptions& options, const Context& context) {
  const io::FingerprintSource &base = sides.base, &queries = sides.queries;
  const bool exact = hamming::kind_by_name(options.index.kind).exact;
  const std::uint64_t memory = base::memory_bytes(context);
  const hamming::MemoryNeed need = need_of(options);
  const auto plan = [&](MatchPlan::Indexed indexed, std::uint64_t copies, std::uint64_t chunk_row_bytes) {
    const Shares share = shares(base::memory_left(context), chunk_row_bytes);
    MatchPlan out{.indexed = indexed, .chunk_rows = static_cast<std::size_t>(share.chunk_rows)};
    out.row_bytes = copies * kRowBytes + need.building;
    out.chunk_bytes = share.chunk_rows * 2 * chunk_row_bytes;
    const std::uint64_t rows = (indexed == MatchPlan::Indexed::base ? base : queries).rows();
    const std::uint64_t fits = (share.part - std::min(share.part, need.fixed)) / (out.row_bytes + need.row);
    out.part_rows = std::min(rows, fits);
    out.index_bytes = share.part - out.part_rows * out.row_bytes;
    return out;
  };
  const std::uint64_t query_bytes = kRowBytes + (exact ? 0 : sizeof(Volatility));
  const MatchPlan whole = plan(MatchPlan::Indexed::base, 1, query_bytes);
  if (whole.part_rows == base.rows() && whole.index_bytes > 0) return whole;

  // Of the base, one part is searched while the next one is read.
  const MatchPlan parts =
      exact ? plan(MatchPlan::Indexed::queries, 1, kRowBytes) : plan(MatchPlan::Indexed::base, 2, query_bytes);
  const std::uint64_t least_part = std::min(exact ? queries.rows() : base.rows(), kLeastPart);
  if (parts.part_rows >= least_part && parts.index_bytes > 0) return parts;
  const std::uint64_t needed = std::max<std::uint64_t>(need.bytes(least_part), 1) + least_part * parts.row_bytes;
  const std::uint64_t held = context.memory != nullptr ? context.memory->reserved() : 0;
  std::uint64_t least = memory >> 20 << 20;  // whole ones, as it will be told
  while (shares(least - std::min(least, held), exact ? kRowBytes : query_bytes).part < needed) least += 1u << 20;
  base::throw_too_small(context, "match these files", least, base::LeastMemory::exact);
}

MatchPlan smaller(const MatchPlan& plan, const MatchSides& sides, const MatchOptions& options, const Error& problem) {
  MatchPlan next = plan;
  if (plan.indexed == MatchPlan::Indexed::base && hamming::kind_by_name(options.index.kind).exact) {
    next.indexed = MatchPlan::Indexed::queries;
    next.part_rows = std::min(plan.part_rows, sides.queries.rows());
  } else {
    next.part_rows = plan.part_rows / 2;
    if (next.part_rows < kLeastPart / 2) {
      throw Error(ErrorCode::limit, fmt::format("the memory is too small to match these files: {}", problem.what()),
                  "memory");
    }
  }
  next.index_bytes += (plan.part_rows - next.part_rows) * plan.row_bytes;
  return next;
}

std::string describe(const MatchPlan& plan, const MatchSides& sides) {
  const bool of_base = plan.indexed == MatchPlan::Indexed::base;
  const io::FingerprintSource& indexed = of_base ? sides.base : sides.queries;
  const io::FingerprintSource& passing = of_base ? sides.queries : sides.base;
  const std::uint64_t parts = plan.part_rows == 0 ? 0 : (indexed.rows() + plan.part_rows - 1) / plan.part_rows;
  const std::string index = parts <= 1
                                ? fmt::format("one index of {}", indexed.name())
                                : fmt::format("{} indexes of parts of {}, one after the other", parts, indexed.name());
  return fmt::format("{} (the {}); {} passes by in chunks of {} fingerprints{}", index, of_base ? "base" : "queries",
                     passing.name(), plan.chunk_rows, parts <= 1 ? "" : ", once for each index");
}

}  // namespace neardup::matching
