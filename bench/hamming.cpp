// Measures one way of searching fingerprints and prints what it saw as one line of JSON.
//
//   hamming search FOLDER BASE QUERIES [flag=value...]     kind, distance, memory, design, code, header_bits, first,
//                                                          target, flips, model, threads, builds, repeat
//   hamming single FOLDER BASE QUERIES [flag=value...]     one query after another: rate and latencies
//   hamming self-join FOLDER BASE [distance=, threads=, repeat=]
//   hamming hex FOLDER COUNT file=base60|q                 as text
//   hamming decode FOLDER BASE [code=huffman|elias-fano]   sorted distinct codes, decoded in sequence
//
// FOLDER holds what hamming_data made; BASE and QUERIES say how much of it to take. Times are CPU seconds of the whole
// process, which on one thread leave out what other programs do.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "hamming/elias_fano.h"
#include "hamming/huffman.h"
#include "lab_input.h"
#include "neardup/error.h"
#include "neardup/hamming.h"

namespace {

using namespace neardup;
using namespace neardup::bench;

// Counts pairs, and sums up a hash of each so that two answers can be compared whatever their order.
class Counter final : public PairSink {
 public:
  bool accept(std::span<const Pair> pairs) override {
    count += pairs.size();
    for (const Pair& pair : pairs) {
      const std::uint64_t left = pair.left * 64 + static_cast<std::uint64_t>(pair.score);
      sum += (left * 0x9e3779b97f4a7c15u) ^ (pair.right * 0xbf58476d1ce4e5b9u);  // cheap: there may be 10^9 pairs
    }
    return true;
  }
  std::uint64_t count = 0, sum = 0;
};

// Takes pairs and looks at none of them.
class Tally final : public PairSink {
 public:
  bool accept(std::span<const Pair> pairs) override {
    count += pairs.size();
    return true;
  }
  std::uint64_t count = 0;
};

HammingOptions index_options(const Arguments& arguments) {
  return {.kind = arguments.text("kind", "fast"),
          .distance = arguments.whole("distance", 3),
          .memory_bytes = static_cast<std::uint64_t>(arguments.number("memory", 0)),
          .design = arguments.text("design", "plan"),
          .code = arguments.text("code", "huffman"),
          .header_bits = arguments.whole("header_bits", 0)};
}

SearchOptions search_options(const Arguments& arguments) {
  return {.distance = arguments.whole("distance", 3),
          .matches = arguments.whole("first", 0) != 0 ? MatchKind::first : MatchKind::all,
          .target_recall = arguments.number("target", 0.95),
          .max_probes = arguments.whole("flips", 0),
          .flips = arguments.text("model", "calibrated") == "sampled" ? FlipModel::sampled : FlipModel::calibrated};
}

void search(const Arguments& arguments) {
  const Data data = load(arguments);
  Context context{.threads = arguments.whole("threads", 1)};
  // The first to touch memory may wait for the host of a virtual machine to hand it out: that is not ours to measure.
  std::unique_ptr<HammingIndex> index;
  double build = 1e9, started = 0;
  for (unsigned repeat = 0; repeat < arguments.whole("builds", 1); ++repeat) {
    index.reset();
    started = cpu_seconds();
    index = build_hamming_index(data.base, index_options(arguments), context);
    build = std::min(build, cpu_seconds() - started);
  }
  double best = 1e9, best_wall = 1e9;
  Counter found;
  SearchStats stats;
  for (unsigned repeat = 0; repeat < arguments.whole("repeat", 8); ++repeat) {
    found = {};
    started = cpu_seconds();
    const double started_wall = wall_seconds();
    stats =
        index->search({.bits = data.queries, .volatility = data.volatility}, search_options(arguments), found, context);
    best = std::min(best, cpu_seconds() - started);
    best_wall = std::min(best_wall, wall_seconds() - started_wall);
  }
  const auto queries = static_cast<double>(data.queries.size()), base = static_cast<double>(data.base.size());
  fmt::print(
      R"({{"kind":"{}","description":"{}","queries_per_second":{:.0f},"wall_queries_per_second":{:.0f},"bytes_per_fingerprint":{:.2f},"build_per_second":{:.0f},"matches":{},"answer":"{:016x}","probes_per_query":{:.2f},"compared_per_query":{:.4f},"largest_probe_count":{},"fallback":"{}"}})"
      "\n",
      index->kind(), index->describe(), queries / best, queries / best_wall,
      static_cast<double>(index->memory_bytes()) / base, base / build, found.count, found.sum,
      static_cast<double>(stats.probes) / queries, static_cast<double>(stats.compared) / queries,
      stats.largest_probe_count, stats.fallback);
}

void single(const Arguments& arguments) {
  const Data data = load(arguments);
  Context context{.threads = 1};
  const auto index = build_hamming_index(data.base, index_options(arguments), context);
  const SearchOptions options = search_options(arguments);
  const auto search = [&](std::size_t i, Counter& found) {
    index->search({.bits = {&data.queries[i], 1}, .volatility = {&data.volatility[i], 1}}, options, found, context);
  };
  Counter found;
  double total = 1e9;
  for (unsigned repeat = 0; repeat < arguments.whole("repeat", 8); ++repeat) {
    found = {};
    const double started = wall_seconds();
    for (std::size_t i = 0; i < data.queries.size(); ++i) search(i, found);
    total = std::min(total, wall_seconds() - started);
  }
  // A round of its own: asking for the time before and after takes a good part of a query's time.
  Counter again;
  std::vector<double> latencies;
  for (std::size_t i = 0; i < data.queries.size(); ++i) {
    const double started = wall_seconds();
    search(i, again);
    latencies.push_back(wall_seconds() - started);
  }
  std::sort(latencies.begin(), latencies.end());
  const auto quantile = [&](double share) {
    return 1e6 * latencies[static_cast<std::size_t>(share * static_cast<double>(latencies.size() - 1))];
  };
  fmt::print(
      R"({{"kind":"{}","queries_per_second":{:.0f},"p50_microseconds":{:.2f},"p99_microseconds":{:.2f},"matches":{},"answer":"{:016x}"}})"
      "\n",
      index->kind(), static_cast<double>(latencies.size()) / total, quantile(0.5), quantile(0.99), found.count,
      found.sum);
}

void self_join(const Arguments& arguments) {
  const auto base = read_file<std::uint64_t>(arguments.folder + "/data/base60.bin", arguments.base);
  Context context{.threads = arguments.whole("threads", 1)};
  const unsigned distance = arguments.whole("distance", 3);
  Counter found;  // its sum takes longer than finding most of these pairs: the run that is checked is not timed
  SearchStats stats = hamming_self_join(base, distance, found, context);
  double best = 1e9, best_wall = 1e9;
  for (unsigned repeat = 0; repeat < arguments.whole("repeat", 2); ++repeat) {
    Tally tally;
    const double started = cpu_seconds(), started_wall = wall_seconds();
    stats = hamming_self_join(base, distance, tally, context);
    best = std::min(best, cpu_seconds() - started);
    best_wall = std::min(best_wall, wall_seconds() - started_wall);
    if (tally.count != found.count) throw Error(ErrorCode::input, "two runs of a self-join found different pairs");
  }
  fmt::print(R"({{"cpu_seconds":{:.3f},"wall_seconds":{:.3f},"pairs":{},"answer":"{:016x}","fallback":"{}"}})"
             "\n",
             best, best_wall, found.count, found.sum, stats.fallback);
}

void print_hex(const Arguments& arguments) {
  const auto codes =
      read_file<std::uint64_t>(arguments.folder + "/data/" + arguments.text("file", "q") + ".bin", arguments.base);
  for (std::size_t i = 0; i < codes.size(); ++i) fmt::print("{:016x}\t{}\n", codes[i], i);
}

template <class Codes>
void decode_with(const std::vector<std::uint64_t>& sorted) {
  const Codes codes(sorted);
  std::uint64_t wanted = 0;
  for (const std::uint64_t each : sorted) wanted += each;
  double best = 1e9;
  for (int repeat = 0; repeat < 3; ++repeat) {
    std::array<std::uint64_t, 1024> some{};  // stays in the cache
    std::uint64_t sum = 0;
    const double started = cpu_seconds();
    auto reader = codes.begin();
    while (const std::size_t count = reader.read(some)) {
      for (std::size_t i = 0; i < count; ++i) sum += some[i];
    }
    best = std::min(best, cpu_seconds() - started);
    if (sum != wanted) throw Error(ErrorCode::corrupt, "what was decoded is not what was encoded");
  }
  const auto count = static_cast<double>(sorted.size());
  fmt::print(R"({{"code":"{}","fingerprints":{},"bits_per_fingerprint":{:.3f},"decode_nanoseconds":{:.3f}}})"
             "\n",
             Codes::kName, sorted.size(), 8 * static_cast<double>(codes.memory_bytes()) / count, 1e9 * best / count);
}

void decode(const Arguments& arguments) {
  auto codes = read_file<std::uint64_t>(arguments.folder + "/data/base60.bin", arguments.base);
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  if (codes.empty()) throw Error(ErrorCode::usage, "decode needs a base that is not empty");
  const std::string code = arguments.text("code", "huffman");
  if (code == hamming::HuffmanBlocks::kName) {
    decode_with<hamming::HuffmanBlocks>(codes);
  } else if (code == hamming::EliasFano::kName) {
    decode_with<hamming::EliasFano>(codes);
  } else {
    throw Error(ErrorCode::usage, "code=" + code + ": expected huffman or elias-fano");
  }
}

}  // namespace

int main(int count, char** words) {
  try {
    if (count < 4)
      throw Error(ErrorCode::usage,
                  "usage: hamming search|single|self-join|hex|decode FOLDER BASE [QUERIES] [flag=value...]");
    const Arguments arguments(count, words);
    const std::string& verb = arguments.verb;
    if (verb == "search") {
      search(arguments);
    } else if (verb == "single") {
      single(arguments);
    } else if (verb == "self-join") {
      self_join(arguments);
    } else if (verb == "hex") {
      print_hex(arguments);
    } else if (verb == "decode") {
      decode(arguments);
    } else {
      throw Error(ErrorCode::usage, "unknown verb " + verb);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "hamming: {}\n", error.what());
    return 2;
  }
}
