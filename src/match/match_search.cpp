#include "match/match_plan.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "base/system.h"

namespace neardup::matching {
namespace {

using QueryRow = std::uint32_t;
constexpr QueryRow kNone = std::numeric_limits<QueryRow>::max();

// Gives found pairs the names of their rows.
class Renaming final : public PairSink {
 public:
  enum class Turned { no, yes };
  Renaming(const io::FingerprintChunk& queries, const io::FingerprintChunk& indexed, Turned turned, PairSink& sink)
      : queries_(queries), indexed_(indexed), turned_(turned), sink_(sink) {}
  std::vector<bool>* answered = nullptr;  // by row of the queries: set where something was found

  bool accept(std::span<const Pair> pairs) override {
    renamed_.clear();
    for (const Pair& pair : pairs) {
      Pair out{.left = queries_.row(pair.left), .right = indexed_.row(pair.right), .score = pair.score};
      if (turned_ == Turned::yes) std::swap(out.left, out.right);
      if (answered != nullptr) (*answered)[out.left] = true;
      renamed_.push_back(out);
    }
    return sink_.accept(renamed_);
  }

 private:
  const io::FingerprintChunk& queries_;
  const io::FingerprintChunk& indexed_;
  Turned turned_;
  PairSink& sink_;
  std::vector<Pair> renamed_;
};

// Queries that wait for the first row of the base that is near them. Equal ones wait together; those that have found
// theirs are no longer asked about.
class Waiting final : public PairSink {
 public:
  explicit Waiting(const io::FingerprintChunk& queries) : queries_(queries), order_(queries.bits.size()) {
    std::iota(order_.begin(), order_.end(), QueryRow{0});
    std::sort(order_.begin(), order_.end(), [&](QueryRow a, QueryRow b) {
      return queries.bits[a] != queries.bits[b] ? queries.bits[a] < queries.bits[b] : a < b;
    });
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (i == 0 || queries.bits[order_[i]] != queries.bits[order_[i - 1]]) begins_.push_back(static_cast<QueryRow>(i));
    }
    best_.assign(begins_.size(), {});
    asking_.resize(begins_.size());
    std::iota(asking_.begin(), asking_.end(), QueryRow{0});
    waiting_ = begins_.size();
  }

  [[nodiscard]] std::size_t waiting() const { return waiting_; }
  // How many an index made of codes() holds that have been answered since.
  [[nodiscard]] std::size_t answered_in_index() const { return asking_.size() - waiting_; }

  // The fingerprints still waited for, to be indexed.
  std::vector<std::uint64_t> codes() {
    std::erase_if(asking_, [&](QueryRow group) { return best_[group].sent; });
    std::vector<std::uint64_t> codes;
    codes.reserve(asking_.size());
    for (const QueryRow group : asking_) codes.push_back(queries_.bits[order_[begins_[group]]]);
    return codes;
  }

  // A stretch of `chunk` is about to be searched, from `offset` on; more than `most` pairs are too many.
  void begin(const io::FingerprintChunk& chunk, std::size_t offset, std::uint64_t most) {
    chunk_ = &chunk;
    offset_ = offset;
    most_ = most;
    seen_ = 0;
  }

  bool accept(std::span<const Pair> pairs) override {
    seen_ += pairs.size();
    for (const Pair& pair : pairs) {
      const QueryRow group = asking_[pair.right];
      Best& best = best_[group];
      if (best.sent) continue;
      const auto row = static_cast<QueryRow>(chunk_->row(offset_ + pair.left));
      if (best.row == kNone) fresh_.push_back(group);
      if (row >= best.row) continue;
      best.row = row;
      best.distance = static_cast<std::uint8_t>(pair.score);
    }
    return seen_ <= most_;
  }
  [[nodiscard]] bool too_many() const { return seen_ > most_; }

  // The stretch was searched to its end: its results are final.
  void send(PairSink& sink) {
    std::vector<Pair> pairs;
    for (const QueryRow group : fresh_) {
      Best& best = best_[group];
      best.sent = true;
      const std::size_t end = group + 1 < begins_.size() ? begins_[group + 1] : order_.size();
      for (std::size_t i = begins_[group]; i < end; ++i) {
        pairs.push_back(
            {.left = queries_.row(order_[i]), .right = best.row, .score = static_cast<double>(best.distance)});
      }
    }
    waiting_ -= fresh_.size();
    fresh_.clear();
    sink.accept(pairs);
  }
  // It was not: what was found need not be the first.
  void forget() {
    for (const QueryRow group : fresh_) best_[group] = {};
    fresh_.clear();
  }

 private:
  struct Best {
    QueryRow row = kNone;
    std::uint8_t distance = 0;
    bool sent = false;
  };
  const io::FingerprintChunk& queries_;
  std::vector<QueryRow> order_;   // queries by fingerprint
  std::vector<QueryRow> begins_;  // by group of equal ones: where it begins in order_
  std::vector<Best> best_;        // by group
  std::vector<QueryRow> asking_;  // by row of the index: its group
  std::vector<QueryRow> fresh_;   // groups that found something in this stretch
  std::size_t waiting_ = 0;
  const io::FingerprintChunk* chunk_ = nullptr;
  std::size_t offset_ = 0;
  std::uint64_t most_ = 0, seen_ = 0;
};

class Search {
 public:
  Search(const MatchSides& sides, const MatchOptions& options, const MatchPlan& plan, PairSink& sink,
         const Context& context)
      : sides_(sides),
        options_(options),
        plan_(plan),
        sink_(sink),
        context_(context),
        memory_(base::reservation(context)) {
    index_options_ = options.index;
    index_options_.distance = options.search.distance;
    index_options_.memory_bytes = plan.index_bytes;
  }

  MatchReport run() {
    done_.method = options_.index.kind;
    done_.base = sides_.base.rows();
    done_.base_without = sides_.base.missing();
    done_.queries = done_.search.queries = sides_.queries.rows();
    done_.queries_without = sides_.queries.missing();
    if (plan_.indexed == MatchPlan::Indexed::base) {
      index_base();
    } else {
      index_queries();
    }
    return std::move(done_);
  }

 private:
  // A part of the base, indexed, is asked for all queries, then the next part.
  void index_base() {
    const bool first = options_.search.matches == MatchKind::first;
    const bool in_parts = plan_.part_rows < sides_.base.rows();
    const io::FingerprintSections sections{.volatility = !hamming::kind_by_name(options_.index.kind).exact};
    std::vector<bool> answered(first && in_parts ? sides_.queries.rows() : 0);
    io::ChunkReader parts(sides_.base, 0, sides_.base.rows(), static_cast<std::size_t>(plan_.part_rows), {},
                          in_parts ? io::ChunkReader::Ahead::one : io::ChunkReader::Ahead::none);
    io::FingerprintChunk part, asked;
    while (parts.next(part)) {
      ++done_.chunks;
      if (part.bits.empty()) continue;
      stage("indexing", 0);
      const auto index = build(part.bits);
      std::vector<std::uint64_t>().swap(part.bits);
      stage("searching", sides_.queries.rows());
      const base::Stopwatch watch;
      bool asked_any = false;
      for (io::ChunkReader queries = passing(sides_.queries, sections); queries.next(asked);) {
        const std::size_t rows = asked.bits.size();
        if (!answered.empty()) asked.keep([&](std::size_t i) { return !answered[asked.row(i)]; });
        if (!asked.bits.empty()) {
          asked_any = true;
          Renaming renaming(asked, part, Renaming::Turned::no, sink_);
          if (!answered.empty()) renaming.answered = &answered;
          look(*index, {.bits = asked.bits, .volatility = asked.volatility}, options_.search, renaming);
        }
        advance(rows);
      }
      done_.search.search_seconds += watch.seconds();
      if (!asked_any) break;
    }
  }

  // A part of the queries is indexed, and the base passes by.
  void index_queries() {
    io::ChunkReader parts(sides_.queries, 0, sides_.queries.rows(), static_cast<std::size_t>(plan_.part_rows), {},
                          io::ChunkReader::Ahead::none);
    for (io::FingerprintChunk part; parts.next(part);) {
      if (part.bits.empty()) continue;
      if (options_.search.matches == MatchKind::first) {
        pass_base_until_answered(part);
      } else {
        pass_base(part);
      }
    }
  }

  void pass_base(const io::FingerprintChunk& queries) {
    const auto index = build(queries.bits);
    stage("searching", sides_.base.rows());
    const base::Stopwatch watch;
    io::ChunkReader base = passing(sides_.base, {});
    for (io::FingerprintChunk chunk; base.next(chunk);) {
      ++done_.chunks;
      Renaming renaming(chunk, queries, Renaming::Turned::yes, sink_);
      look(*index, {.bits = chunk.bits}, options_.search, renaming);
      advance(chunk.bits.size());
    }
    done_.search.search_seconds += watch.seconds();
  }

  // Stretches of the base whose pairs are too many, because much of it is alike, are cut until they are not: one row
  // cannot be near more queries than wait.
  void pass_base_until_answered(const io::FingerprintChunk& queries) {
    constexpr std::uint64_t kPairs = 1u << 24, kPairsARow = 16;
    SearchOptions all = options_.search;
    all.matches = MatchKind::all;
    Waiting waiting(queries);
    std::size_t indexed = waiting.waiting();
    auto index = build(waiting.codes());
    const auto drop_answered = [&] {
      index.reset();
      indexed = waiting.waiting();
      if (indexed > 0) index = build(waiting.codes());
    };
    stage("searching", sides_.base.rows());
    io::ChunkReader base = passing(sides_.base, {});
    for (io::FingerprintChunk chunk; waiting.waiting() > 0 && base.next(chunk);) {
      ++done_.chunks;
      std::size_t size = chunk.bits.size();
      for (std::size_t at = 0; at < chunk.bits.size() && waiting.waiting() > 0;) {
        const base::Stopwatch watch;
        size = std::min(size, chunk.bits.size() - at);
        waiting.begin(chunk, at, std::max<std::uint64_t>(kPairs, kPairsARow * (size + indexed)));
        look(*index, {.bits = std::span(chunk.bits).subspan(at, size)}, all, waiting);
        done_.search.search_seconds += watch.seconds();
        if (waiting.too_many()) {
          waiting.forget();
          size = std::max<std::size_t>(1, size / 2);
          if (waiting.answered_in_index() > 0) drop_answered();
          continue;
        }
        waiting.send(sink_);
        at += size;
        size *= 2;
        if (2 * waiting.answered_in_index() >= indexed) drop_answered();
      }
      advance(chunk.bits.size());
    }
  }

  std::unique_ptr<HammingIndex> build(std::span<const std::uint64_t> bits) {
    const base::Stopwatch watch;
    auto index = build_hamming_index(bits, index_options_, context_);
    done_.index_bytes = std::max(done_.index_bytes, index->memory_bytes());
    memory_.hold(plan_.chunk_bytes + plan_.part_rows * plan_.row_bytes + index->memory_bytes());
    if (done_.description.empty()) done_.description = index->describe();
    done_.build_seconds += watch.seconds();
    return index;
  }

  void look(const HammingIndex& index, const HammingQueries& queries, const SearchOptions& options, PairSink& sink) {
    const SearchStats stats = index.search(queries, options, sink, context_);
    done_.search.probes += stats.probes;
    done_.search.compared += stats.compared;
    done_.search.largest_probe_count = std::max(done_.search.largest_probe_count, stats.largest_probe_count);
    if (done_.search.fallback.empty()) done_.search.fallback = stats.fallback;
  }

  io::ChunkReader passing(const io::FingerprintSource& source, io::FingerprintSections sections) const {
    return {source, 0, source.rows(), plan_.chunk_rows, sections, io::ChunkReader::Ahead::one};
  }
  void stage(std::string_view name, std::uint64_t total) const {
    if (context_.observer != nullptr) context_.observer->stage(name, total, "fingerprints");
  }
  void advance(std::uint64_t rows) const {
    if (context_.observer != nullptr) context_.observer->advance(rows);
  }

  const MatchSides& sides_;
  const MatchOptions& options_;
  HammingOptions index_options_;
  const MatchPlan& plan_;
  PairSink& sink_;
  const Context& context_;
  Reservation memory_;  // for chunks, a part and its index
  MatchReport done_;
};

}  // namespace

MatchReport search_as_planned(const MatchSides& sides, const MatchOptions& options, const MatchPlan& plan,
                              PairSink& sink, const Context& context) {
  return Search(sides, options, plan, sink, context).run();
}

}  // namespace neardup::matching
