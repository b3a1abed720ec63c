#include "hamming/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "base/guard.h"
#include "hamming/limits.h"
#include "neardup/error.h"

namespace neardup {

unsigned TablePlan::least_leading() const {
  if (tables.empty()) return 0;
  return std::ranges::min_element(tables, {}, &Table::leading)->leading;
}

namespace hamming {
namespace {

constexpr unsigned kMostWidth = 128;
constexpr std::uint64_t kMostTables = 4096;       // of any design
constexpr std::uint64_t kMostTablesOffered = 64;  // of those a plan is chosen from

// A cut of the bits that are left into blocks, of which every choice of so many leads a table.
struct Level {
  unsigned blocks, chosen;
  friend bool operator==(const Level&, const Level&) = default;
};
using Levels = std::vector<Level>;

// The names of the paper's designs, for distance 3.
struct NamedDesign {
  std::string_view name, meaning;
};
constexpr std::array<NamedDesign, 4> kNamed{{{"4", "4/1"}, {"10", "5/2"}, {"16", "4/1+4/1"}, {"20", "6/3"}}};

// Saturates above kMostTables.
std::uint64_t choices(unsigned n, unsigned k) {
  k = std::min(k, n - k);
  std::uint64_t result = 1;
  for (unsigned i = 1; i <= k && result <= kMostTables; ++i) result = result * (n - k + i) / i;
  return std::min(result, kMostTables + 1);
}

std::uint64_t count_tables(const Levels& levels) {
  std::uint64_t tables = 1;
  for (const Level& level : levels) {
    tables = std::min(kMostTables + 1, tables * choices(level.blocks, level.chosen));
  }
  return tables;
}

std::string name_of(const Levels& levels, unsigned distance) {
  std::string meaning;
  for (const Level& level : levels) {
    meaning += fmt::format("{}{}/{}", meaning.empty() ? "" : "+", level.blocks, level.chosen);
  }
  const auto named = std::ranges::find(kNamed, meaning, &NamedDesign::meaning);
  return distance == 3 && named != kNamed.end() ? std::string(named->name) : meaning;
}

std::optional<Level> parse_level(std::string_view text) {
  Level level{};
  const char* const end = text.data() + text.size();
  const auto blocks = std::from_chars(text.data(), end, level.blocks);
  if (blocks.ec != std::errc{} || blocks.ptr == end || *blocks.ptr != '/') return std::nullopt;
  const auto chosen = std::from_chars(blocks.ptr + 1, end, level.chosen);
  if (chosen.ec != std::errc{} || chosen.ptr != end) return std::nullopt;
  if (level.chosen == 0 || level.chosen > level.blocks || level.blocks > kMostWidth) return std::nullopt;
  return level;
}

Levels parse_levels(std::string_view design) {
  const auto named = std::ranges::find(kNamed, design, &NamedDesign::name);
  std::string_view rest = named != kNamed.end() ? named->meaning : design;
  Levels levels;
  while (true) {
    const std::size_t plus = rest.find('+');
    const std::optional<Level> level = parse_level(rest.substr(0, plus));
    if (!level) {
      throw Error(
          ErrorCode::usage,
          fmt::format("unknown design of tables \"{}\"; there are: plan, 4, 10, 16, 20, and G/g for all choices "
                      "of g out of G blocks, as 6/3, also within each other, as 4/1+4/1",
                      design),
          "design");
    }
    levels.push_back(*level);
    if (plus == std::string_view::npos) return levels;
    rest.remove_prefix(plus + 1);
  }
}

// Where each block ends when `bits` are cut as evenly as they can be, the longer blocks first.
std::vector<unsigned> block_ends(unsigned bits, unsigned blocks) {
  std::vector<unsigned> ends;
  unsigned end = 0;
  for (unsigned block = 0; block < blocks; ++block)
    ends.push_back(end += bits / blocks + (block < bits % blocks ? 1 : 0));
  return ends;
}

// Calls visit(chosen) for every choice, that of the first ones first; chosen[i] says whether block i is in.
void each_choice(const Level& level, const std::function<void(const std::vector<bool>&)>& visit) {
  std::vector<bool> chosen(level.blocks, false);
  std::fill_n(chosen.begin(), level.chosen, true);
  do {
    visit(chosen);
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
}

// Adds the tables of what is left once `leading` is chosen. Both are descending, so that the first table keeps the
// fingerprints' own order.
void add_tables(std::span<const Level> levels, const std::vector<unsigned>& leading, const std::vector<unsigned>& left,
                std::vector<TablePlan::Table>& tables) {
  if (levels.empty()) {
    TablePlan::Table table{.order = leading, .leading = static_cast<unsigned>(leading.size())};
    std::ranges::sort(table.order, std::greater<>());
    table.order.insert(table.order.end(), left.begin(), left.end());
    tables.push_back(std::move(table));
    return;
  }
  const std::vector<unsigned> ends = block_ends(static_cast<unsigned>(left.size()), levels.front().blocks);
  each_choice(levels.front(), [&](const std::vector<bool>& chosen) {
    std::vector<unsigned> now_leading = leading, now_left;
    unsigned at = 0;
    for (std::size_t block = 0; block < ends.size(); ++block) {
      for (; at < ends[block]; ++at) (chosen[block] ? now_leading : now_left).push_back(left[at]);
    }
    add_tables(levels.subspan(1), now_leading, now_left, tables);
  });
}

TablePlan make_plan(const Levels& levels, unsigned width, unsigned distance) {
  std::vector<unsigned> positions(width);
  for (unsigned i = 0; i < width; ++i) positions[i] = width - 1 - i;
  TablePlan plan{.design = name_of(levels, distance), .tables = {}};
  add_tables(levels, {}, positions, plan.tables);
  return plan;
}

void check_width(unsigned width) {
  if (width == 0 || width > kMostWidth) {
    throw Error(ErrorCode::usage,
                fmt::format("fingerprints of {} bits: tables are made for 1 to {}", width, kMostWidth));
  }
}

void check_width_and_distance(unsigned width, unsigned distance) {
  check_width(width);
  if (distance >= width) {
    throw Error(ErrorCode::usage,
                fmt::format("no table helps at distance {} among {} bits: any block may differ", distance, width),
                "distance");
  }
}

// How many bits may be left, at most and at least, after one more level: the choice takes long or short blocks.
struct Left {
  unsigned least, most;
};
Left cut(unsigned bits, const Level& level) {
  const unsigned size = bits / level.blocks, longer = bits % level.blocks;
  const unsigned most_longer = std::min(longer, level.chosen);
  const unsigned least_longer = level.chosen - std::min(level.chosen, level.blocks - longer);
  return {bits - size * level.chosen - most_longer, bits - size * level.chosen - least_longer};
}

// The recurrence of section 3.1.2: the fewest tables of at least so many leading bits, and among equally many those
// with the most. What is counted down is the number of bits left without an agreement: the paper's d - (leading bits)
// against its tau. It stops when tau is reached (d <= tau; as printed, d < tau, the designs with 4, 10, 16 and 20
// tables of its own example 3.1 would not come out). Blocks have whole bits here, so that one level may leave
// different numbers of them: all count.
class Recurrence {
 public:
  Recurrence(unsigned distance, unsigned most_left, std::uint64_t most_tables)
      : distance_(distance), most_left_(most_left), best_tables_(most_tables) {}

  std::optional<Levels> solve(unsigned width) {
    cut_further({width}, 1);
    return best_;
  }

 private:
  void cut_further(const std::set<unsigned>& left, std::uint64_t tables) {
    if (*left.rbegin() <= most_left_) {
      if (best_ && tables == best_tables_ && *left.rbegin() >= best_left_) return;
      best_ = levels_;
      best_tables_ = tables;
      best_left_ = *left.rbegin();
      return;
    }
    // The paper's r, blocks with a bit each at least. All of them may be chosen when no bit may differ.
    const unsigned most_blocks = distance_ == 0 ? 1 : *left.begin();
    for (unsigned blocks = distance_ + 1; blocks <= most_blocks; ++blocks) {
      const Level level{blocks, blocks - distance_};
      const std::uint64_t now = tables * choices(blocks, distance_);
      if (now > best_tables_) break;
      std::set<unsigned> now_left;
      for (const unsigned bits : left) {
        const Left range = cut(bits, level);
        for (unsigned each = range.least; each <= range.most; ++each) now_left.insert(each);
      }
      levels_.push_back(level);
      cut_further(now_left, now);
      levels_.pop_back();
    }
  }

  unsigned distance_, most_left_;
  Levels levels_;
  std::optional<Levels> best_;
  std::uint64_t best_tables_;
  unsigned best_left_ = 0;
};

TablePlan plan_by_name(std::string_view design, unsigned width, unsigned distance) {
  check_width_and_distance(width, distance);
  const Levels levels = parse_levels(design);
  unsigned least_left = width;
  for (const Level& level : levels) {
    if (level.blocks - level.chosen < distance) {
      throw Error(
          ErrorCode::usage,
          fmt::format("`design` {} finds matches up to distance {} only: {} differing bits can be in {} blocks, "
                      "which leaves {} of {} equal (`distance` {})",
                      design, level.blocks - level.chosen, distance, distance,
                      level.blocks - std::min(level.blocks, distance), level.blocks, distance),
          "design");
    }
    if (level.blocks > least_left) {
      throw Error(
          ErrorCode::usage,
          fmt::format("`design` {} has more blocks than bits to cut ({} of {} left)", design, level.blocks, least_left),
          "design");
    }
    least_left = cut(least_left, level).least;
  }
  if (count_tables(levels) > kMostTables) {
    throw Error(ErrorCode::usage, fmt::format("`design` {} has more than {} tables", design, kMostTables), "design");
  }
  return make_plan(levels, width, distance);
}

TablePlan plan_by_leading(unsigned width, unsigned distance, unsigned least_leading) {
  check_width_and_distance(width, distance);
  std::optional<Levels> levels;
  if (least_leading <= width) levels = Recurrence(distance, width - least_leading, kMostTables).solve(width);
  if (!levels) {
    throw Error(ErrorCode::usage, fmt::format("no {} tables agree in {} leading bits for every distance up to {} among "
                                              "{} bits; ask for fewer",
                                              kMostTables, least_leading, distance, width));
  }
  return make_plan(*levels, width, distance);
}

// A design as the choice sees it.
struct Offer {
  TablePlan plan;
  double compared;  // fingerprints, by a query, expected among uniform ones
  std::uint64_t bytes;

  // A probe is a search by steps that miss the cache; it takes about as long as comparing so many fingerprints in a
  // row. Solved from the times of designs 4 and 10: 340 among 20M, 690 among 60M, where the choice matters more.
  static constexpr double kProbe = 700;
  [[nodiscard]] double cost() const { return kProbe * static_cast<double>(plan.tables.size()) + compared; }
};

// Every number of tables that the recurrence has an answer for, fewest first, until probes find almost nothing.
std::vector<Offer> make_offers(std::uint64_t n, unsigned width, unsigned distance, const TableSizes& sizes) {
  std::vector<Offer> offers;
  for (unsigned leading = 1; leading <= width - distance;) {
    const auto levels = Recurrence(distance, width - leading, kMostTablesOffered).solve(width);
    if (!levels) break;
    Offer offer{.plan = make_plan(*levels, width, distance), .compared = 0, .bytes = 0};
    for (const TablePlan::Table& table : offer.plan.tables) {
      offer.compared += std::ldexp(static_cast<double>(n), -static_cast<int>(table.leading));
    }
    offer.bytes = sizes.of(offer.plan.tables.size());
    leading = offer.plan.least_leading() + 1;
    const bool finds_nothing = offer.compared < 0.001 * static_cast<double>(offer.plan.tables.size());
    offers.push_back(std::move(offer));
    if (finds_nothing) break;
  }
  return offers;
}

std::string explain(const std::vector<Offer>& offers, const Offer* chosen, std::uint64_t n, unsigned width,
                    unsigned distance, std::uint64_t memory_bytes) {
  std::string text = fmt::format("{} fingerprints of {} bits, distance up to {}", n, width, distance);
  text += memory_bytes == 0 ? "\n" : fmt::format(", {} bytes allowed\n", memory_bytes);
  if (!offers.empty()) {
    text += fmt::format("  {:<16} {:>6} {:>6} {:>12} {:>20} {:>15}\n", "design", "tables", "probes", "leading bits",
                        "fingerprints a probe", "bytes");
  }
  for (const Offer& offer : offers) {
    const auto tables = static_cast<double>(offer.plan.tables.size());
    text += fmt::format("{} {:<16} {:>6} {:>6} {:>12} {:>20.6g} {:>15}{}\n", &offer == chosen ? '*' : ' ',
                        offer.plan.design, offer.plan.tables.size(), offer.plan.tables.size(),
                        offer.plan.least_leading(), offer.compared / tables, offer.bytes,
                        memory_bytes != 0 && offer.bytes > memory_bytes ? "  too large" : "");
  }
  if (chosen == nullptr) {
    text +=
        "Blocks are so short at this distance that tables leave as much to compare as there is: comparing everything "
        "is cheaper.\n";
  } else if (chosen->cost() > static_cast<double>(n)) {
    text +=
        fmt::format("Comparing everything is cheaper: a probe takes as long as {:.0f} comparisons.\n", Offer::kProbe);
  }
  return text;
}

}  // namespace

PlanChoice choose_plan(std::string_view kind, std::uint64_t n, unsigned width, unsigned distance,
                       std::uint64_t memory_bytes, const TableSizes& sizes) {
  const std::vector<Offer> offers = distance < width ? make_offers(n, width, distance, sizes) : std::vector<Offer>{};
  const Offer* chosen = nullptr;
  std::uint64_t smallest = UINT64_MAX;
  for (const Offer& offer : offers) {
    if (n != 0 && offer.compared >= static_cast<double>(n)) continue;
    smallest = std::min(smallest, offer.bytes);
    const bool fits = memory_bytes == 0 || offer.bytes <= memory_bytes;
    if (fits && (chosen == nullptr || offer.cost() < chosen->cost())) chosen = &offer;
  }
  if (chosen == nullptr) check_memory(kind, smallest == UINT64_MAX ? sizes.of(1) : smallest, memory_bytes);
  return {.plan = chosen == nullptr ? TablePlan{.design = "plan", .tables = {}} : chosen->plan,
          .explanation = explain(offers, chosen, n, width, distance, memory_bytes)};
}

}  // namespace hamming

TablePlan design_by_name(std::string_view design, unsigned width, unsigned distance) {
  return base::guarded([&] { return hamming::plan_by_name(design, width, distance); });
}

TablePlan fewest_tables(unsigned width, unsigned distance, unsigned least_leading) {
  return base::guarded([&] { return hamming::plan_by_leading(width, distance, least_leading); });
}

PlanChoice choose_design(std::uint64_t n, unsigned width, unsigned distance, std::uint64_t memory_bytes) {
  return base::guarded([&] {
    hamming::check_width(width);
    const std::uint64_t code = width > 64 ? 16 : 8;
    // A row's number and a flag; a table's entry numbers, which the first one does without.
    const std::uint64_t rows = n * (static_cast<std::uint64_t>(std::bit_width(n)) + 1) / 8 + 1;
    return hamming::choose_plan("block-tables", n, width, distance, memory_bytes,
                                {.rows = rows, .first = n * code, .further = n * (code + 4)});
  });
}

}  // namespace neardup
