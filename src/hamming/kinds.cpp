#include "hamming/kinds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/guard.h"
#include "neardup/error.h"

namespace neardup {
namespace hamming {
namespace {

constexpr std::array<HammingKind, 6> kKinds{{
    {"fast", "direct addresses, few cache lines a query, many queries at once", true},
    {"scan", "compares everything with everything", true},
    {"block-tables", "sorted permuted copies, searched by their leading bits (Manku et al. 2007)", true},
    {"compressed-tables", "the same tables in about half the memory, decoded where they are searched", true},
    {"volatile-bits", "one copy; the query's least certain bits are flipped first (Sood, Loguinov 2011)", false},
    {"hybrid", "two copies, each searched at the query's least certain bits", false},
}};

// As kKinds has them.
using Make = std::unique_ptr<HammingIndex> (*)(const Build&);
constexpr std::array<Make, kKinds.size()> kMake{
    make_fast, make_scan, make_block_tables, make_compressed_tables, make_volatile_bits, make_hybrid};

using MakeWide = std::unique_ptr<WideHammingIndex> (*)(const BuildOf<WideBits>&);
constexpr std::array<MakeWide, kKinds.size()> kMakeWide{nullptr, make_scan, make_block_tables,
                                                        nullptr, nullptr,   nullptr};

// As kKinds has them. Tables of a plan's own choice are at least a few; those of a design are counted.
constexpr std::array<MemoryNeed, kKinds.size()> kNeeds{{
    {.fixed = 4u << 20, .row = 24, .building = 20},
    {.fixed = 0, .row = 8, .building = 0},
    {.fixed = 1u << 16, .row = 48, .building = 32},
    {.fixed = 1u << 17, .row = 32, .building = 36},
    {.fixed = 1u << 19, .row = 16, .building = 20},
    {.fixed = 9u << 20, .row = 40, .building = 20},
}};
constexpr std::uint64_t kRowNumber = 5;                          // of a row, at most
constexpr std::uint64_t kPlainTable = 12, kCompressedTable = 9;  // of a row in each table, at most
constexpr std::uint64_t kCodeBytes = 10240;                      // of a compressed table's code, at most

// Builds with the function at the place of the kind's name; null ones do not exist for these bits.
template <class Bits, class Makers>
auto build_by_name(const BuildOf<Bits>& build, const Makers& makers) {
  std::vector<std::string_view> known;
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    if (makers[i] == nullptr) continue;
    if (kKinds[i].name == build.options.kind) return makers[i](build);
    known.push_back(kKinds[i].name);
  }
  throw Error(ErrorCode::usage,
              fmt::format("unknown kind of index \"{}\" for {} bits; there are: {}", build.options.kind,
                          8 * sizeof(Bits), fmt::join(known, ", ")),
              "method");
}

}  // namespace

const HammingKind& kind_by_name(std::string_view name) {
  const auto kind = std::ranges::find(kKinds, name, &HammingKind::name);
  if (kind != kKinds.end()) return *kind;
  std::vector<std::string_view> known;
  for (const HammingKind& each : kKinds) known.push_back(each.name);
  throw Error(ErrorCode::usage, fmt::format("unknown method \"{}\"; there are: {}", name, fmt::join(known, ", ")),
              "method");
}

MemoryNeed memory_need(const HammingOptions& options) {
  const HammingKind& kind = kind_by_name(options.kind);
  MemoryNeed need = kNeeds[static_cast<std::size_t>(&kind - kKinds.data())];
  const bool plain = kind.name == "block-tables";
  if (options.design != "plan" && (plain || kind.name == "compressed-tables")) {
    const std::size_t tables = design_by_name(options.design, 64, options.distance).tables.size();
    need.row = std::max(need.row, kRowNumber + tables * (plain ? kPlainTable : kCompressedTable));
    if (!plain) need.fixed = std::max(need.fixed, tables * kCodeBytes);
  }
  if (options.header_bits != 0 && kind.name == "volatile-bits")
    need.fixed = std::max(need.fixed, std::uint64_t{5} << options.header_bits);
  return need;
}

}  // namespace hamming

std::span<const HammingKind> hamming_kinds() { return hamming::kKinds; }

std::unique_ptr<HammingIndex> build_hamming_index(std::span<const std::uint64_t> bits, const HammingOptions& options,
                                                  const Context& context) {
  return base::guarded(context, [&](const Context& call) {
    return hamming::build_by_name(hamming::Build{bits, options, call}, hamming::kMake);
  });
}

std::unique_ptr<WideHammingIndex> build_hamming_index(std::span<const WideBits> bits, const HammingOptions& options,
                                                      const Context& context) {
  return base::guarded(context, [&](const Context& call) {
    return hamming::build_by_name(hamming::BuildOf<WideBits>{bits, options, call}, hamming::kMakeWide);
  });
}

}  // namespace neardup
