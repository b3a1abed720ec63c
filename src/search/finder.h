// How are candidate pairs found, without comparing everything with everything?
//
// The pipeline shows a finder every distinct document once (pass one) and lets it keep a sketch. From the sketches
// alone the finder says which documents could have a partner, in groups that no candidate pair crosses; only those
// documents' feature sets are then brought into memory, block by block, and the finder names the candidate pairs in
// each block. It never decides: every candidate is verified against the definition by its receiver.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/row.h"
#include "base/state.h"
#include "cluster/cluster.h"
#include "neardup/context.h"
#include "neardup/dedup.h"
#include "neardup/definition.h"
#include "neardup/features.h"

namespace neardup::search {

// Receives candidate pairs, each once. Where only connections are asked for, a pair may also come again.
class CandidateSink {
 public:
  virtual ~CandidateSink() = default;
  // A candidate pair. May be called from several threads at once.
  virtual void consider(Unit a, Unit b) = 0;
  // All pairs among the units `a`, or between `a` and `b` unless that is empty, of which is_candidate(x, y) is true. It
  // is asked about few of them, from several threads. For so many candidates that even looking at each would take too
  // long: documents that share most of a template.
  using IsCandidate = std::function<bool(Unit, Unit)>;
  virtual void consider_all(std::span<const Unit> a, std::span<const Unit> b, const IsCandidate& is_candidate) = 0;
  // Only connected components are needed.
  [[nodiscard]] virtual bool asks_for_connections() const = 0;
  // True when no pair among these units needs a look any more (all are known to be connected, and that is all that is
  // asked). May be called from several threads at once.
  virtual bool settled(std::span<const Unit> units) = 0;
};

class Finder {
 public:
  virtual ~Finder() = default;

  [[nodiscard]] virtual std::string parameters() const = 0;  // for people; empty when there are none

  // Pass one. sketch() may run concurrently and fills sketch_width() values; add() is called for the units in order.
  [[nodiscard]] virtual std::size_t sketch_width() const = 0;
  virtual void sketch(std::span<const Feature> set, std::span<std::uint32_t> out) const = 0;
  virtual void add(std::span<const std::uint32_t> sketch, std::uint32_t set_size) = 0;
  // All that add() was given. load() is for a finder of the same options that was given nothing yet, and fails unless
  // that were units of these sizes.
  virtual void save(base::StateWriter&) const = 0;
  virtual void load(base::StateReader&, const PerUnit<std::uint32_t>& set_sizes) = 0;
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;  // of what it was given

  // For each unit a group's name, the smallest unit in it. A unit alone in its group is in no candidate pair.
  [[nodiscard]] virtual PerUnit<Unit> groups(const Context&) = 0;

  // Candidate pairs with one side in `a` and the other in `b`, or both in `a` when `b` is empty. `a` and `b` are
  // disjoint.
  virtual void candidates(std::span<const Unit> a, std::span<const Unit> b, CandidateSink&, const Context&) const = 0;

  // Whether candidates() would offer this pair. Threads: may run concurrently.
  [[nodiscard]] virtual bool offers(Unit a, Unit b) const = 0;
};

// The groups that links make: by unit the smallest unit it is linked to.
PerUnit<Unit> groups_of(cluster::UnionFind& links);

// Min-wise hashes cut into bands; documents that agree in a whole band are candidates.
std::unique_ptr<Finder> make_minhash_bands(const Definition&, const FinderOptions&);
// Simhashes of feature sets; documents whose simhashes differ in few bits are candidates.
std::unique_ptr<Finder> make_simhash_distance(const Definition&, const FinderOptions&);

// The table of finders. `make` throws Error{usage} when the finder does not serve the definition.
struct FinderKind {
  std::string_view name;
  std::unique_ptr<Finder> (*make)(const Definition&, const FinderOptions&);
};
std::span<const FinderKind> finders();
std::unique_ptr<Finder> make_finder(const Definition&, const FinderOptions&);
// Whether a search finds every pair; otherwise there is a finder for it.
bool searches_exactly(std::string_view finder, Measure);

}  // namespace neardup::search
