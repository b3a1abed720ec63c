#include <tbb/parallel_sort.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/parallel.h"
#include "base/rows.h"
#include "base/system.h"
#include "cluster/cluster.h"
#include "neardup/error.h"
#include "neardup/similarity.h"
#include "neardup/sketch.h"
#include "search/finder.h"

namespace neardup::search {
namespace {

// One entry of a band: the band's key above, the unit (or its place in a block) below, so that sorting brings a bucket
// together in ascending order of units.
using Entry = std::uint64_t;
constexpr Entry entry(std::uint32_t key, std::uint32_t unit) { return std::uint64_t{key} << 32 | unit; }
constexpr std::uint32_t key_of(Entry e) { return static_cast<std::uint32_t>(e >> 32); }
constexpr std::uint32_t number_of(Entry e) { return static_cast<std::uint32_t>(e); }

// In a larger bucket everybody is not compared with everybody; its pairs are found by an exact join of the units in all
// such buckets. The pairs are the same, and documents that share a template, but too little else, cost linear time.
constexpr std::size_t kLargeBucket = 128;

// A unit's sketch is the upper half of the key of each band. Two units in one bucket by a chance collision
// of keys cost one verification and nothing else.
class MinhashBands final : public Finder {
 public:
  MinhashBands(const Definition& definition, const Bands& plan, std::uint64_t seed)
      : plan_(plan), hasher_(plan.hashes(), seed), verifier_(definition), keys_(plan.bands) {}

  std::string parameters() const override {
    return std::to_string(plan_.bands) + " bands of " + std::to_string(plan_.rows) + " rows";
  }
  std::size_t sketch_width() const override { return plan_.bands; }

  void sketch(std::span<const Feature> set, std::span<std::uint32_t> out) const override {
    thread_local std::vector<std::uint32_t> hashes;
    hashes.resize(hasher_.size());
    hasher_.sketch(set, hashes);
    for (std::size_t band = 0; band < plan_.bands; ++band) {
      out[band] = static_cast<std::uint32_t>(plan_.key(hashes, band) >> 32);
    }
  }

  void add(std::span<const std::uint32_t> sketch, std::uint32_t set_size) override {
    keys_.append(sketch);
    sizes_.push_back(set_size);
  }

  void save(base::StateWriter& out) const override {
    out.array(sizes_);
    for (std::size_t unit = 0; unit < keys_.size(); ++unit) {
      out.bytes({reinterpret_cast<const char*>(keys_[unit]), plan_.bands * sizeof(std::uint32_t)});
    }
  }
  void load(base::StateReader& in, const PerUnit<std::uint32_t>& set_sizes) override {
    sizes_ = in.array<std::uint32_t>();
    if (sizes_ != set_sizes.values()) in.fail();
    std::vector<std::uint32_t> sketch(plan_.bands);
    for (std::size_t unit = 0; unit < sizes_.size(); ++unit) {
      in.bytes({reinterpret_cast<char*>(sketch.data()), sketch.size() * sizeof(std::uint32_t)});
      keys_.append(sketch);
    }
  }

  std::size_t memory_bytes() const override { return keys_.memory_bytes() + sizes_.capacity() * sizeof(std::uint32_t); }

  PerUnit<Unit> groups(const Context& context) override {
    Reservation memory = base::reservation(context);
    memory.hold(keys_.size() * (sizeof(std::uint32_t) + sizeof(Entry)));
    cluster::UnionFind links(keys_.size());
    std::vector<Entry> entries(keys_.size());
    for (std::size_t band = 0; band < plan_.bands; ++band) {
      base::check_stop(context);
      for (std::size_t unit = 0; unit < entries.size(); ++unit) {
        entries[unit] = entry(keys_[unit][band], static_cast<std::uint32_t>(unit));
      }
      sort(entries, context);
      for (std::size_t i = 1, start = 0; i < entries.size(); ++i) {
        if (key_of(entries[i]) != key_of(entries[start])) start = i;
        if (i > start) links.unite(number_of(entries[start]), number_of(entries[i]));
      }
    }
    return groups_of(links);
  }

  void candidates(std::span<const Unit> a, std::span<const Unit> b, CandidateSink& sink,
                  const Context& context) const override {
    Reservation memory = base::reservation(context);
    memory.hold((a.size() + b.size()) * (sizeof(Entry) + sizeof(std::size_t)));
    std::vector<Entry> entries(a.size() + b.size());
    std::vector<std::size_t> starts;
    LargeBuckets large(entries.size());
    // Within one block nothing is known of sides; across two, a unit's side is its place: first all of `a`, then `b`.
    const auto unit_at = [&](std::uint32_t place) { return place < a.size() ? a[place] : b[place - a.size()]; };
    for (std::size_t band = 0; band < plan_.bands; ++band) {
      base::check_stop(context);
      for (std::size_t place = 0; place < entries.size(); ++place) {
        const Unit unit = unit_at(static_cast<std::uint32_t>(place));
        entries[place] = entry(keys_[index(unit)][band], static_cast<std::uint32_t>(place));
      }
      sort(entries, context);
      starts.clear();
      for (std::size_t i = 0; i < entries.size(); ++i) {
        if (i == 0 || key_of(entries[i]) != key_of(entries[i - 1])) starts.push_back(i);
      }
      starts.push_back(entries.size());
      base::parallel_for(context, starts.size() - 1, [&](std::size_t first, std::size_t last) {
        thread_local std::vector<Unit> units;
        for (std::size_t at = first; at < last; ++at) {
          const auto bucket = std::span(entries).subspan(starts[at], starts[at + 1] - starts[at]);
          if (bucket.size() < 2) continue;
          units.clear();
          std::size_t left = 0;  // how many of the bucket's units are on the side of `a`
          for (const Entry e : bucket) {
            left += number_of(e) < a.size() ? 1 : 0;
            units.push_back(unit_at(number_of(e)));
          }
          const bool across = !b.empty();
          if ((across && (left == 0 || left == units.size())) || sink.settled(units)) continue;
          if (bucket.size() <= kLargeBucket) {
            offer_bucket(band, units, left, across, sink, context);
          } else if (across || !is_settled_by_neighbours(band, units, sink, context)) {
            large.add(band, bucket);
          }
        }
      });
    }
    if (!large.empty()) offer_large(large, a, b, sink);
  }

  bool offers(Unit a, Unit b) const override { return first_common_band(a, b) < plan_.bands; }

 private:
  static void sort(std::vector<Entry>& entries, const Context& context) {
    base::with_threads(context, [&] { tbb::parallel_sort(entries.begin(), entries.end()); });
  }

  [[nodiscard]] std::size_t first_common_band(Unit a, Unit b) const {
    const std::uint32_t* x = keys_[index(a)];
    const std::uint32_t* y = keys_[index(b)];
    for (std::size_t band = 0; band < plan_.bands; ++band) {
      if (x[band] == y[band]) return band;
    }
    return plan_.bands;
  }

  // A pair that meets in several bands is offered in the first of them only.
  void offer(std::size_t band, Unit a, Unit b, CandidateSink& sink) const {
    if (verifier_.sizes_can_match(sizes_[index(a)], sizes_[index(b)]) && first_common_band(a, b) == band)
      sink.consider(a, b);
  }

  // Buckets are mostly copies of one text with small changes: neighbours first, because once they are connected (and
  // connection is all that is asked) the other pairs of the bucket need no look, and a bucket costs linear time.
  void offer_neighbours(std::size_t band, std::span<const Unit> units, CandidateSink& sink,
                        const Context& context) const {
    for (std::size_t i = 1; i < units.size(); ++i) {
      if (i % kLargeBucket == 0) base::check_stop(context);
      offer(band, units[i - 1], units[i], sink);
    }
  }

  void offer_bucket(std::size_t band, std::span<const Unit> units, std::size_t left, bool across, CandidateSink& sink,
                    const Context& context) const {
    if (!across) {
      offer_neighbours(band, units, sink, context);
      if (units.size() == 2 || sink.settled(units)) return;
    }
    for (std::size_t i = 0; i < left; ++i) {
      base::check_stop(context);
      for (std::size_t j = across ? left : i + 2; j < units.size(); ++j) offer(band, units[i], units[j], sink);
    }
  }

  [[nodiscard]] bool is_settled_by_neighbours(std::size_t band, std::span<const Unit> units, CandidateSink& sink,
                                              const Context& context) const {
    if (!sink.asks_for_connections()) return false;
    offer_neighbours(band, units, sink, context);
    return sink.settled(units);
  }

  // Buckets in which comparing everybody with everybody would take too long. Threads: add() may run concurrently.
  class LargeBuckets {
   public:
    explicit LargeBuckets(std::size_t places) : is_member_(places) {}

    void add(std::size_t band, std::span<const Entry> bucket) {
      const std::lock_guard lock(mutex_);
      keys_.insert(entry(key_of(bucket.front()), static_cast<std::uint32_t>(band)));
      for (const Entry e : bucket) is_member_[number_of(e)] = true;
    }
    [[nodiscard]] bool empty() const { return keys_.empty(); }
    [[nodiscard]] bool contains(std::size_t band, std::uint32_t key) const {
      return keys_.contains(entry(key, static_cast<std::uint32_t>(band)));
    }
    // Those of `units`, whose places begin at `first`, that are in such a bucket.
    [[nodiscard]] std::vector<Unit> members(std::span<const Unit> units, std::size_t first) const {
      std::vector<Unit> members;
      for (std::size_t i = 0; i < units.size(); ++i)
        if (is_member_[first + i]) members.push_back(units[i]);
      return members;
    }

   private:
    std::mutex mutex_;
    std::unordered_set<Entry> keys_;  // key and band
    std::vector<bool> is_member_;
  };

  void offer_large(const LargeBuckets& large, std::span<const Unit> a, std::span<const Unit> b,
                   CandidateSink& sink) const {
    sink.consider_all(large.members(a, 0), large.members(b, a.size()), [&](Unit x, Unit y) {
      const std::size_t band = first_common_band(x, y);
      return band < plan_.bands && large.contains(band, keys_[index(x)][band]);
    });
  }

  Bands plan_;
  MinHasher hasher_;
  Verifier verifier_;
  base::Rows<std::uint32_t> keys_;
  std::vector<std::uint32_t> sizes_;
};

}  // namespace

std::unique_ptr<Finder> make_minhash_bands(const Definition& definition, const FinderOptions& options) {
  return std::make_unique<MinhashBands>(definition, choose_bands(definition, options.target_recall), options.seed);
}

}  // namespace neardup::search
