#include "match/match_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/memory_plan.h"
#include "neardup/error.h"

namespace neardup::matching {
namespace {

constexpr std::uint64_t kRowBytes = sizeof(std::uint64_t) + sizeof(std::uint32_t);
constexpr std::uint64_t kLeastPart = 1u << 16;
constexpr std::size_t kLeastChunk = 1u << 14, kMostChunk = 1u << 19;

// What indexes of random fingerprints take at least, in bytes.
struct Need {
  std::string_view kind;
  std::uint64_t fixed, a_row;
  std::uint64_t build;  // of each row while the index is built, besides the index
};
constexpr std::array kNeeds{
    Need{"scan", 0, 8, 0},
    Need{"fast", 4u << 20, 24, 20},
    Need{"block-tables", 1u << 16, 48, 32},
    Need{"compressed-tables", 1u << 17, 32, 36},
    Need{"volatile-bits", 1u << 19, 16, 20},
    Need{"hybrid", 9u << 20, 40, 20},
};

Need need_of(const std::string& method) {
  const auto found = std::ranges::find(kNeeds, method, &Need::kind);
  return found == kNeeds.end() ? kNeeds.back() : *found;
}

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

std::string in_mebibytes(std::uint64_t bytes) { return fmt::format("{}M", (bytes + (1u << 20) - 1) >> 20); }

}  // namespace

std::uint64_t least_index_bytes(const std::string& method, std::uint64_t rows) {
  const Need need = need_of(method);
  return need.fixed + rows * need.a_row;
}

bool is_exact(const std::string& method) {
  const auto kinds = hamming_kinds();
  const auto kind = std::ranges::find(kinds, method, &HammingKind::name);
  if (kind != kinds.end()) return kind->exact;
  std::string names;
  for (const HammingKind& each : kinds) names += (names.empty() ? "" : ", ") + std::string(each.name);
  throw Error(ErrorCode::usage, fmt::format("unknown method \"{}\"; there are: {}", method, names), "method");
}

MatchPlan plan_match(const io::FingerprintSource& base, const io::FingerprintSource& queries,
                     const MatchOptions& options, const Context& context) {
  const bool exact = is_exact(options.method);
  const std::uint64_t memory = base::memory_bytes(context);
  const Need need = need_of(options.method);
  const auto plan = [&](MatchPlan::Indexed indexed, std::uint64_t copies, std::uint64_t chunk_row_bytes) {
    const Shares share = shares(base::memory_left(context), chunk_row_bytes);
    MatchPlan out{.indexed = indexed, .chunk_rows = static_cast<std::size_t>(share.chunk_rows)};
    out.row_bytes = copies * kRowBytes + need.build;
    out.chunk_bytes = share.chunk_rows * 2 * chunk_row_bytes;
    const std::uint64_t rows = (indexed == MatchPlan::Indexed::base ? base : queries).rows();
    const std::uint64_t fits = (share.part - std::min(share.part, need.fixed)) / (out.row_bytes + need.a_row);
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
  const std::uint64_t needed = need.fixed + least_part * (parts.row_bytes + need.a_row) + 1;
  const std::uint64_t held = context.memory != nullptr ? context.memory->reserved() : 0;
  std::uint64_t least = memory;
  while (shares(least - std::min(least, held), exact ? kRowBytes : query_bytes).part < needed) least += 1u << 20;
  throw Error(ErrorCode::limit,
              fmt::format("`memory` {} is too small to match these files; the least that suffices is {}",
                          in_mebibytes(memory), in_mebibytes(least)),
              "memory");
}

MatchPlan smaller(const MatchPlan& plan, const io::FingerprintSource& queries, const MatchOptions& options,
                  const Error& problem) {
  MatchPlan next = plan;
  if (plan.indexed == MatchPlan::Indexed::base && is_exact(options.method)) {
    next.indexed = MatchPlan::Indexed::queries;
    next.part_rows = std::min(plan.part_rows, queries.rows());
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

std::string describe(const MatchPlan& plan, const io::FingerprintSource& base, const io::FingerprintSource& queries) {
  const bool of_base = plan.indexed == MatchPlan::Indexed::base;
  const io::FingerprintSource& indexed = of_base ? base : queries;
  const io::FingerprintSource& passing = of_base ? queries : base;
  const std::uint64_t parts = plan.part_rows == 0 ? 0 : (indexed.rows() + plan.part_rows - 1) / plan.part_rows;
  const std::string index = parts <= 1
                                ? fmt::format("one index of {}", indexed.name())
                                : fmt::format("{} indexes of parts of {}, one after the other", parts, indexed.name());
  return fmt::format("{} (the {}); {} passes by in chunks of {} fingerprints{}", index, of_base ? "base" : "queries",
                     passing.name(), plan.chunk_rows, parts <= 1 ? "" : ", once for each index");
}

}  // namespace neardup::matching
