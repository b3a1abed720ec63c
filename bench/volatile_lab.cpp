// Looks inside a search that flips volatile bits, and prints what it saw as one line of JSON.
//
//   volatile_lab trees                                      the trees of flip sets, their top levels
//   volatile_lab attempts FOLDER BASE QUERIES [model=]      sets tried before the right one, matches at distance 1, 2,
//   3 volatile_lab ranks FOLDER BASE QUERIES [bits=16,17,...] [model=] [target=.95]   recall after k flips in a header
//   volatile_lab constants FOLDER BASE                      what the cost models of the paper multiply
//   volatile_lab batch FOLDER BASE QUERIES method=volatile-bits|block-tables [flips=] [first=]
//
// FOLDER holds what hamming_data made; BASE and QUERIES say how much of it to take. model=sampled takes the chances of
// flips from weights at large, as in the paper; model=calibrated from the pairs of every other query. Both are judged
// by the rest of the queries. Times are CPU seconds of one thread.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "hamming/block_tables.h"
#include "hamming/flip_model.h"
#include "hamming/flip_sets.h"
#include "lab_input.h"
#include "neardup/error.h"
#include "neardup/hamming.h"
#include "simd/dispatch.h"

namespace {

using namespace neardup;
using namespace neardup::bench;
using namespace neardup::hamming;

constexpr unsigned kDistance = 3;

class Collector final : public PairSink {
 public:
  bool accept(std::span<const Pair> some) override {
    pairs.insert(pairs.end(), some.begin(), some.end());
    return true;
  }
  std::vector<Pair> pairs;
};

SearchStats find(const HammingQueries& queries, const HammingIndex& index, const SearchOptions& options,
                 Collector& found) {
  Context context{.threads = 1};
  return index.search(queries, options, found, context);
}

std::unique_ptr<HammingIndex> build(std::span<const std::uint64_t> bits, const HammingOptions& options) {
  Context context{.threads = 1};
  return build_hamming_index(bits, options, context);
}

// Every pair within the distance, sorted by query.
std::vector<AlikePair> exact_pairs(const Data& data) {
  Collector found;
  find({data.queries, data.volatility}, *build(data.base, {}), {.distance = kDistance}, found);
  std::vector<AlikePair> pairs;
  for (const Pair& pair : found.pairs) pairs.push_back({pair.left, data.queries[pair.left] ^ data.base[pair.right], 1});
  std::sort(pairs.begin(), pairs.end(), [](const AlikePair& a, const AlikePair& b) {
    return std::tie(a.query, a.differing) < std::tie(b.query, b.differing);
  });
  return pairs;
}

struct Trial {
  FlipChances chances;
  std::vector<AlikePair> pairs;  // to judge by
};

Trial make_trial(const Arguments& arguments, const Data& data) {
  std::vector<AlikePair> learn, judge;
  for (const AlikePair& pair : exact_pairs(data)) (pair.query % 2 == 0 ? learn : judge).push_back(pair);
  const bool sampled = arguments.text("model", "sampled") == "sampled";
  return {sampled ? sampled_chances({data.queries, data.volatility}) : calibrated_chances(learn, data.volatility),
          std::move(judge)};
}

void trees(const Arguments&) {
  constexpr unsigned kLevelsShown = 5;
  std::string out;
  for (unsigned size = 1; size <= kDistance; ++size) {
    std::vector<std::string> levels;
    std::vector<std::uint64_t> level{(std::uint64_t{1} << size) - 1};
    for (unsigned depth = 0; depth < kLevelsShown; ++depth) {
      std::vector<std::uint64_t> next;
      std::vector<std::string> sets;
      for (const std::uint64_t set : level) {
        std::vector<int> ranks;
        for (std::uint64_t rest = set; rest != 0; rest &= rest - 1) ranks.push_back(1 + std::countr_zero(rest));
        sets.push_back(fmt::format("{}", ranks));
        for (const std::uint64_t child : {left_child(set, 64), right_child(set)}) {
          if (child != 0) next.push_back(child);
        }
      }
      levels.push_back(fmt::format("[{}]", fmt::join(sets, ",")));
      level = std::move(next);
    }
    out += fmt::format(R"({}"{}":[{}])", size > 1 ? "," : "", size, fmt::join(levels, ","));
  }
  fmt::print("{{{}}}\n", out);
}

std::uint64_t choose(unsigned n, unsigned k) {
  std::uint64_t result = 1;
  for (unsigned i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

// How many sets of all 64 bits are tried until the right one: counting all, and only those of its own size.
struct Attempts {
  std::uint64_t all = 0, own_size = 0;
};
Attempts attempts_for(FlipSets& sets, const FlipChances& chances, const Volatility& levels, std::uint64_t wanted,
                      unsigned most_bits) {
  FlipCost costs[64];
  for (unsigned bit = 0; bit < 64; ++bit) costs[bit] = chances.cost[levels.level[bit]];
  sets.start(costs, most_bits);
  Attempts attempts;
  for (std::uint64_t mask = 0; mask != wanted;) {
    mask = sets.next().mask;
    if (mask == 0) throw Error(ErrorCode::corrupt, "a set of flips is missing");
    ++attempts.all;
    attempts.own_size += std::popcount(mask) == std::popcount(wanted) ? 1 : 0;
  }
  return attempts;
}

std::string describe_attempts(std::vector<std::uint64_t> attempts, std::uint64_t most) {
  std::sort(attempts.begin(), attempts.end());
  std::vector<std::uint64_t> quantiles;
  for (const double share : {0.5, 0.8, 0.95, 1.0}) {
    quantiles.push_back(
        attempts[static_cast<std::size_t>(std::ceil(share * static_cast<double>(attempts.size()))) - 1]);
  }
  std::vector<std::string> curve;
  for (double x = 1; x < static_cast<double>(most) * 1.1; x = std::max(x + 1, std::floor(x * 1.2))) {
    const auto below = std::upper_bound(attempts.begin(), attempts.end(), static_cast<std::uint64_t>(x));
    curve.push_back(fmt::format("[{:.0f},{:.5f}]", std::min(x, static_cast<double>(most)),
                                static_cast<double>(below - attempts.begin()) / static_cast<double>(attempts.size())));
  }
  return fmt::format(R"({{"quantiles":[{}],"curve":[{}]}})", fmt::join(quantiles, ","), fmt::join(curve, ","));
}

void attempts(const Arguments& arguments) {
  constexpr std::size_t kMostPairs = 20'000;
  const Data data = load(arguments);
  const Trial trial = make_trial(arguments, data);
  std::vector<std::string> parts;
  FlipSets sets;
  for (unsigned size = 1; size <= kDistance; ++size) {
    std::vector<AlikePair> pairs;
    for (const AlikePair& pair : trial.pairs) {
      if (std::popcount(pair.differing) == static_cast<int>(size)) pairs.push_back(pair);
    }
    if (pairs.empty()) continue;
    const std::size_t step = (pairs.size() + kMostPairs - 1) / kMostPairs;
    std::vector<std::uint64_t> own_size, all;
    for (std::size_t i = 0; i < pairs.size(); i += step) {
      const Volatility& levels = data.volatility[pairs[i].query];
      own_size.push_back(attempts_for(sets, trial.chances, levels, pairs[i].differing, size).own_size);
      all.push_back(attempts_for(sets, trial.chances, levels, pairs[i].differing, kDistance).all);
    }
    parts.push_back(fmt::format(R"("{}":{{"pairs":{},"sets":{},"own_size":{},"all_sizes":{}}})", size, own_size.size(),
                                choose(64, size), describe_attempts(own_size, choose(64, size)),
                                describe_attempts(all, choose(64, 3) + choose(64, 2) + 64)));
  }
  fmt::print("{{{}}}\n", fmt::join(parts, ","));
}

// ranks[i]: how many flips of header bits are tried before pair i is found. Pairs are of one query.
void rank_pairs(FlipSets& sets, const FlipChances& chances, const Volatility& levels, std::span<const AlikePair> pairs,
                unsigned header_bits, std::span<std::size_t> ranks) {
  FlipCost costs[32];
  for (unsigned bit = 0; bit < header_bits; ++bit) costs[bit] = chances.cost[levels.level[64 - header_bits + bit]];
  sets.start({costs, header_bits}, kDistance);
  std::size_t missing = pairs.size();
  std::uint64_t mask = 0;
  for (std::size_t rank = 0;; ++rank) {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (pairs[i].differing >> (64 - header_bits) != mask) continue;
      ranks[i] = rank;
      --missing;
    }
    if (missing == 0) return;
    mask = sets.next().mask;
    if (mask == 0) throw Error(ErrorCode::corrupt, "a set of flips is missing");
  }
}

struct Recall {  // by number of flips
  std::vector<double> share;
  std::size_t needed;  // for the target
};
Recall recall_of(const std::vector<std::size_t>& ranks, double target) {
  constexpr std::size_t kShown = 100;
  std::vector<std::size_t> sorted = ranks;
  std::sort(sorted.begin(), sorted.end());
  Recall recall;
  for (std::size_t k = 0; k <= kShown; ++k) {
    const auto found = std::upper_bound(sorted.begin(), sorted.end(), k) - sorted.begin();
    recall.share.push_back(static_cast<double>(found) / static_cast<double>(sorted.size()));
  }
  recall.needed = sorted[static_cast<std::size_t>(std::ceil(target * static_cast<double>(sorted.size()))) - 1];
  return recall;
}

void ranks(const Arguments& arguments) {
  const Data data = load(arguments);
  const Trial trial = make_trial(arguments, data);
  if (trial.pairs.empty()) throw Error(ErrorCode::usage, "no pairs to judge by");
  const double target = arguments.number("target", 0.95);
  std::vector<std::string> parts;
  std::istringstream bits(arguments.text("bits", "16"));
  FlipSets sets;
  for (std::string word; std::getline(bits, word, ',');) {
    const auto header_bits = static_cast<unsigned>(std::stoul(word));
    std::vector<std::size_t> all(trial.pairs.size()), unequal, first;
    for (std::size_t begin = 0, end; begin < trial.pairs.size(); begin = end) {
      for (end = begin; end < trial.pairs.size() && trial.pairs[end].query == trial.pairs[begin].query;) ++end;
      const std::span<std::size_t> mine(all.data() + begin, end - begin);
      rank_pairs(sets, trial.chances, data.volatility[trial.pairs[begin].query], {&trial.pairs[begin], end - begin},
                 header_bits, mine);
      first.push_back(*std::min_element(mine.begin(), mine.end()));
      for (std::size_t i = begin; i < end; ++i) {
        if (trial.pairs[i].differing != 0) unequal.push_back(all[i]);
      }
    }
    std::vector<std::string> recalls;
    for (const auto& [name, found] : {std::pair{"all", &all}, {"first", &first}, {"unequal", &unequal}}) {
      if (found->empty()) continue;
      const Recall recall = recall_of(*found, target);
      recalls.push_back(
          fmt::format(R"("{}":{{"flips":{},"recall":[{:.5f}]}})", name, recall.needed, fmt::join(recall.share, ",")));
    }
    parts.push_back(fmt::format(R"("{}":{{{}}})", header_bits, fmt::join(recalls, ",")));
  }
  fmt::print(R"({{"pairs":{},"bits":{{{}}}}})"
             "\n",
             trial.pairs.size(), fmt::join(parts, ","));
}

// Nanoseconds of `steps` steps, the best of three.
template <class Work>
double nanoseconds(std::size_t steps, const Work& work) {
  double best = 1e9;
  for (int repeat = 0; repeat < 3; ++repeat) {
    const double started = cpu_seconds();
    work();
    best = std::min(best, cpu_seconds() - started);
  }
  return 1e9 * best / static_cast<double>(steps);
}

void constants(const Arguments& arguments) {
  const Data data = load(arguments);
  const std::vector<std::uint64_t>& base = data.base;
  if (base.size() < 2 || data.queries.empty()) throw Error(ErrorCode::usage, "constants need a base and queries");
  base::Random random(1);
  std::uint64_t sum = 0;

  // A walk that visits every place, each step known only after the one before; and reads that do not wait.
  std::vector<std::uint64_t> next(base.size());
  std::iota(next.begin(), next.end(), std::uint64_t{0});
  for (std::size_t i = next.size(); i > 1; --i) std::swap(next[i - 1], next[random.below(i - 1)]);
  constexpr std::size_t kReads = 2'000'000;
  const double dependent = nanoseconds(kReads, [&] {
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < kReads; ++i) at = next[at];
    sum += at;
  });
  const double overlapped = nanoseconds(kReads, [&] {
    std::uint64_t state = 1;
    for (std::size_t i = 0; i < kReads; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      sum += base[static_cast<std::size_t>((static_cast<unsigned __int128>(state) * base.size()) >> 64)];
    }
  });

  std::vector<std::uint32_t> near(base.size() + 8);
  const double compare = nanoseconds(base.size(), [&] {
    sum += simd::kernels().filter_signatures(base.data(), base.size(), data.queries[0], kDistance, near.data());
  });

  constexpr std::size_t kHashes = 1'000'000;
  const auto views = table_views<std::uint64_t>(design_by_name("4", 64, kDistance));
  const double permute = nanoseconds(kHashes * views.size(), [&] {
    for (std::size_t i = 0; i < kHashes; ++i) {
      for (const auto& view : views) sum += view.permute(base[i % base.size()]);
    }
  });

  const unsigned header_bits = std::clamp(static_cast<unsigned>(std::bit_width(base.size())) - 1, 16u, 26u),
                 flips = arguments.whole("flips", 20);
  const FlipChances chances = sampled_chances({data.queries, data.volatility});
  const std::size_t queries = std::min<std::size_t>(data.queries.size(), 20'000);
  const double heap = nanoseconds(queries * flips, [&] {
    FlipSets sets;
    FlipCost costs[32];
    for (std::size_t i = 0; i < queries; ++i) {
      for (unsigned bit = 0; bit < header_bits; ++bit) {
        costs[bit] = chances.cost[data.volatility[i].level[64 - header_bits + bit]];
      }
      sets.start({costs, header_bits}, kDistance);
      for (unsigned k = 0; k < flips; ++k) sum += sets.next().mask;
    }
  });

  std::vector<std::uint64_t> sorted;
  const double sort = nanoseconds(base.size(), [&] {
    sorted = base;
    std::sort(sorted.begin(), sorted.end());
  });
  fmt::print(
      R"({{"random_read":{:.3f},"overlapped_read":{:.3f},"compare":{:.4f},"permute":{:.3f},"heap":{:.3f},"sort":{:.4f},"flips":{},"check":{}}})"
      "\n",
      dependent, overlapped, compare, permute, heap / std::log2(std::max(2u, flips)),
      sort / std::log2(static_cast<double>(base.size())), flips, sum);
}

// As section 6.3 has it: chunks of as many fingerprints as there are queries, an index of each in turn; or tables of
// the queries, and everything looked up in them.
void batch(const Arguments& arguments) {
  const Data data = load(arguments);
  const bool first = arguments.whole("first", 0) != 0;
  double building = 0, searching = 0;
  std::uint64_t matches = 0, probes = 0;
  const auto timed = [](double& total, const auto& work) {
    const double started = cpu_seconds();
    work();
    total += cpu_seconds() - started;
  };
  const auto search = [&](const HammingQueries& queries, const HammingIndex& index, const SearchOptions& options) {
    Collector found;
    timed(searching, [&] { probes += find(queries, index, options, found).probes; });
    matches += found.pairs.size();
    return std::move(found.pairs);
  };
  std::unique_ptr<HammingIndex> index;
  if (arguments.text("method", "volatile-bits") == "block-tables") {
    timed(building, [&] { index = build(data.queries, {.kind = "block-tables", .design = "4"}); });
    search({data.base}, *index, {.distance = kDistance});
  } else {
    const SearchOptions options{.distance = kDistance,
                                .matches = first ? MatchKind::first : MatchKind::all,
                                .max_probes = arguments.whole("flips", 20),
                                .flips = FlipModel::sampled};
    const unsigned header_bits = std::clamp(static_cast<unsigned>(std::bit_width(data.queries.size())) - 1, 16u, 26u);
    std::vector<std::uint64_t> queries = data.queries;
    std::vector<Volatility> volatility = data.volatility;
    for (std::size_t begin = 0; begin < data.base.size() && !queries.empty(); begin += data.queries.size()) {
      const std::span<const std::uint64_t> chunk =
          std::span(data.base).subspan(begin, std::min(data.queries.size(), data.base.size() - begin));
      timed(building, [&] { index = build(chunk, {.kind = "volatile-bits", .header_bits = header_bits}); });
      const std::vector<Pair> found = search({queries, volatility}, *index, options);
      if (!first) continue;
      std::vector<bool> answered(queries.size());
      for (const Pair& pair : found) answered[pair.left] = true;
      std::size_t kept = 0;
      for (std::size_t i = 0; i < queries.size(); ++i) {
        if (answered[i]) continue;
        queries[kept] = queries[i];
        volatility[kept++] = volatility[i];
      }
      queries.resize(kept);
      volatility.resize(kept);
    }
  }
  fmt::print(R"({{"build_seconds":{:.4f},"search_seconds":{:.4f},"matches":{},"probes":{}}})"
             "\n",
             building, searching, matches, probes);
}

}  // namespace

int main(int count, char** words) {
  try {
    if (count < 2) {
      throw Error(ErrorCode::usage,
                  "usage: volatile_lab trees|attempts|ranks|constants|batch [FOLDER BASE QUERIES] [flag=value...]");
    }
    const Arguments arguments(count, words);
    const std::map<std::string, void (*)(const Arguments&)> verbs = {
        {"trees", trees}, {"attempts", attempts}, {"ranks", ranks}, {"constants", constants}, {"batch", batch}};
    const auto verb = verbs.find(arguments.verb);
    if (verb == verbs.end()) throw Error(ErrorCode::usage, "unknown verb " + arguments.verb);
    verb->second(arguments);
  } catch (const std::exception& error) {
    fmt::print(stderr, "volatile_lab: {}\n", error.what());
    return 2;
  }
}
