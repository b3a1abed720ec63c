#include <bit>
#include <string>
#include <vector>

#include "neardup/error.h"
#include "neardup/hamming.h"
#include "neardup/sketch.h"
#include "search/finder.h"
#include "search/found.h"

namespace neardup::search {
namespace {

// Sends what a Hamming search finds among places of a block on, as units.
class Offering final : public PairSink {
 public:
  Offering(std::span<const Unit> left, std::span<const Unit> right, CandidateSink& sink)
      : left_(left), right_(right), sink_(sink) {}
  bool accept(std::span<const Pair> pairs) override {
    for (const Pair& pair : pairs) sink_.consider(left_[pair.left], right_[pair.right]);
    return true;
  }

 private:
  std::span<const Unit> left_, right_;
  CandidateSink& sink_;
};

// Links units until there are too many pairs.
class BoundedLinking final : public PairSink {
 public:
  BoundedLinking(cluster::UnionFind& links, std::uint64_t most_pairs) : linking_(links, nullptr), left_(most_pairs) {}
  bool accept(std::span<const Pair> pairs) override {
    is_exceeded_ = pairs.size() > left_;
    left_ -= is_exceeded_ ? left_ : pairs.size();
    return linking_.accept(pairs) && !is_exceeded_;
  }
  [[nodiscard]] bool is_exceeded() const { return is_exceeded_; }

 private:
  LinkingSink linking_;
  std::uint64_t left_;
  bool is_exceeded_ = false;
};

// With more candidates than this a unit, on average, not each of them is verified: the pairs are found by an exact
// join, and those that are not close enough are left out. The pairs are the same, and documents that share a template,
// but too little else, cost linear time.
constexpr std::uint64_t kManyCandidates = 64;

// A unit's sketch is the simhash of its feature set, each feature counted once: what set measures compare has no
// counts either.
class SimhashDistance final : public Finder {
 public:
  explicit SimhashDistance(unsigned distance) : distance_(distance) {}

  std::string parameters() const override { return "distance at most " + std::to_string(distance_); }
  std::size_t sketch_width() const override { return 2; }

  void sketch(std::span<const Feature> set, std::span<std::uint32_t> out) const override {
    const std::uint64_t bits = simhash(simhash_sums(set)).bits;
    out[0] = static_cast<std::uint32_t>(bits);
    out[1] = static_cast<std::uint32_t>(bits >> 32);
  }

  void add(std::span<const std::uint32_t> sketch, std::uint32_t) override {
    bits_.push_back(std::uint64_t{sketch[1]} << 32 | sketch[0]);
  }

  void save(base::StateWriter& out) const override { out.array(bits_.values()); }
  void load(base::StateReader& in, const PerUnit<std::uint32_t>& set_sizes) override {
    bits_ = PerUnit<std::uint64_t>(in.array<std::uint64_t>());
    if (bits_.size() != set_sizes.size()) in.fail();
  }

  std::size_t memory_bytes() const override { return bits_.memory_bytes(); }

  PerUnit<Unit> groups(const Context& context) override {
    cluster::UnionFind links(bits_.size());
    BoundedLinking linking(links, kManyCandidates * bits_.size());
    hamming_self_join(bits_.values(), distance_, linking, context);
    has_many_candidates_ = linking.is_exceeded();
    return has_many_candidates_ ? PerUnit<Unit>(bits_.size(), Unit{0}) : groups_of(links);
  }

  void candidates(std::span<const Unit> a, std::span<const Unit> b, CandidateSink& sink,
                  const Context& context) const override {
    if (has_many_candidates_) return sink.consider_all(a, b, [&](Unit x, Unit y) { return offers(x, y); });
    const std::vector<std::uint64_t> left = bits_of(a);
    if (b.empty()) {
      Offering offering(a, a, sink);
      hamming_self_join(left, distance_, offering, context);
    } else {
      Offering offering(b, a, sink);
      build_hamming_index(left, {.distance = distance_}, context)
          ->search({.bits = bits_of(b)}, {.distance = distance_}, offering, context);
    }
  }

  bool offers(Unit a, Unit b) const override {
    return static_cast<unsigned>(std::popcount(bits_[a] ^ bits_[b])) <= distance_;
  }

 private:
  [[nodiscard]] std::vector<std::uint64_t> bits_of(std::span<const Unit> units) const {
    std::vector<std::uint64_t> bits;
    bits.reserve(units.size());
    for (const Unit unit : units) bits.push_back(bits_[unit]);
    return bits;
  }

  unsigned distance_;
  PerUnit<std::uint64_t> bits_;
  bool has_many_candidates_ = false;  // once groups() was asked
};

}  // namespace

std::unique_ptr<Finder> make_simhash_distance(const Definition& definition, const FinderOptions& options) {
  if (!compares_sets(definition.measure)) {
    throw Error(ErrorCode::usage,
                "the finder simhash serves jaccard, cosine, dice and overlap, not " + to_string(definition.measure));
  }
  if (asks_for_containment(definition.measure)) {
    throw Error(ErrorCode::usage,
                "`finder=simhash` cannot serve " + to_string(definition.measure) +
                    ": the simhash of a short document says nothing about a long one that contains it (`finder=exact` "
                    "finds every pair)",
                "finder");
  }
  return std::make_unique<SimhashDistance>(options.distance);
}

}  // namespace neardup::search
