// How do later stages get at the feature sets that the census made?
//
// Making a set takes longer than anything else that is done with a document. So where memory allows, the census keeps
// the set of every unit: eight bytes per feature. Otherwise the collection is read again and the sets are made again.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/system.h"
#include "corpus/column.h"
#include "corpus/reread.h"
#include "corpus/salted.h"
#include "neardup/sketch.h"

namespace neardup::corpus {

// The sets of all units, or none. Threads: writers of different threads may run concurrently; so may readers, later.
class KeptSets {
  struct Store;

 public:
  KeptSets();  // keeps nothing
  // For the units of a collection that will probably have this many features. Keeps nothing when those would take more
  // than `most_bytes`, and drops everything when it turns out that they do, or that the budget has no room for them.
  KeptSets(std::uint64_t expected_features, std::size_t most_bytes, const Context&);
  ~KeptSets();
  KeptSets(KeptSets&&) noexcept;
  KeptSets& operator=(KeptSets&&) noexcept;

  // Copies sets for one thread.
  class Writer {
   public:
    explicit Writer(KeptSets& sets) : sets_(sets.store_.get()) {}
    // Where the copy is; null when nothing is kept.
    const Feature* keep(std::span<const Feature> set);

   private:
    Store* sets_;
    std::shared_ptr<Feature[]> chunk_;
    std::size_t used_ = 0, size_ = 0;  // of the chunk
  };

  // Every unit once, in any order, on one thread at a time. `set` comes from a writer.
  void add(Unit, const Feature* set);

  // Of the table of sets. What the sets themselves take is reserved already.
  [[nodiscard]] std::size_t memory_bytes() const { return sets_.memory_bytes(); }
  [[nodiscard]] std::size_t reserved_bytes() const;

  [[nodiscard]] bool keeps_all(const Corpus& corpus) const;
  // Removes features from all sets and says how many each has left, once, before Units::size does. Precondition: all
  // are kept.
  [[nodiscard]] PerUnit<std::uint32_t> reduce(const Corpus&, const features::IgnoredFeatures&, const Context&);
  // Precondition: all are kept.
  [[nodiscard]] std::span<const Feature> get(const Corpus& corpus, Unit unit) const {
    return {sets_[unit], corpus.units.size[unit]};
  }

 private:
  std::unique_ptr<Store> store_;  // null: keeps nothing
  PerUnit<const Feature*> sets_;
  std::size_t added_ = 0;
};

// A unit's features, for a visitor.
class VisitedSet {
 public:
  explicit VisitedSet(std::span<const Feature> kept) : kept_(kept) {}
  // `scratch` is overwritten with the features as they are compared, where some are ignored or all are shifted.
  VisitedSet(const RereadRecord& record, Unit unit, Sketcher& sketcher, std::vector<Feature>& scratch)
      : record_(&record), unit_(unit), sketcher_(&sketcher), scratch_(&scratch) {}

  // Whether occurrences() is the set.
  [[nodiscard]] bool is_kept() const { return record_ == nullptr; }
  // All features, perhaps several times and in any order. Valid until the next call.
  [[nodiscard]] std::span<const Feature> occurrences() {
    if (is_kept()) return kept_;
    const std::span<const Feature> made = sketcher_->occurrences(record_->document);
    return salt() == 0 ? without_ignored(made) : salted_occurrences(made, salt(), *scratch_);
  }
  // Each feature once, ascending. Valid until the next call.
  [[nodiscard]] std::span<const Feature> set() {
    if (is_kept()) return kept_;
    const std::span<const Feature> made = sketcher_->set(record_->document);
    const Units& units = record_->corpus.units;
    if (made.size() != (units.whole_size.empty() ? units.size : units.whole_size)[unit_]) changed();
    return salt() == 0 ? without_ignored(made) : salted_set(made, salt(), *scratch_);
  }
  // The record is not what it was.
  void changed() const {
    if (record_ != nullptr) record_->changed();
  }

 private:
  // Features are never ignored and shifted in one run.
  [[nodiscard]] std::uint64_t salt() const {
    const PerUnit<std::uint64_t>& salts = record_->corpus.units.salt;
    return salts.empty() ? 0 : salts[unit_];
  }
  std::span<const Feature> without_ignored(std::span<const Feature> all) {
    const features::IgnoredFeatures* ignored = record_->corpus.ignored.get();
    if (ignored == nullptr) return all;
    scratch_->assign(all.begin(), all.end());
    ignored->remove_from(*scratch_, record_->corpus.units.group_of(unit_));
    return *scratch_;
  }

  std::span<const Feature> kept_;
  const RereadRecord* record_ = nullptr;
  Unit unit_{};
  Sketcher* sketcher_ = nullptr;
  std::vector<Feature>* scratch_ = nullptr;
};

// Shows the set of every wanted unit, those that were kept or else those of a second reading. `make_visit()` is called
// once by each thread, possibly concurrently; what it returns is called with every unit of a piece of the corpus and
// that piece's Part: visit(VisitedSet&, unit, part). `take(part)` gets the parts in ascending order of units.
template <class Part, class Wanted, class MakeVisit, class Take>
void visit_sets(const Corpus& corpus, const KeptSets& kept, std::string_view stage, const Wanted& wanted,
                const MakeVisit& make_visit, const Take& take, const Context& context) {
  const Units& units = corpus.units;
  if (!kept.keeps_all(corpus)) {
    return reread_units<Part>(
        corpus, wanted,
        [&] {
          return [sketcher = Sketcher(corpus.definition), scratch = std::vector<Feature>(), visit = make_visit()](
                     const RereadRecord& record, Unit unit, Part& part) mutable {
            VisitedSet set(record, unit, sketcher, scratch);
            visit(set, unit, part);
          };
        },
        take, context, stage);
  }
  constexpr std::size_t kUnits = 2048, kPiecesPerThread = 8;  // of a piece; of a round
  if (context.observer != nullptr) context.observer->stage(stage, units.units(), "documents");
  const std::size_t pieces = (units.units() + kUnits - 1) / kUnits;
  const std::size_t at_once = kPiecesPerThread * base::threads(context);
  for (std::size_t round = 0; round < pieces; round += at_once) {
    std::vector<Part> parts(std::min(at_once, pieces - round));
    base::parallel_for(context, parts.size(), [&](std::size_t first, std::size_t last) {
      auto visit = make_visit();
      for (std::size_t piece = first; piece < last; ++piece) {
        const std::size_t begin = (round + piece) * kUnits, end = std::min(begin + kUnits, units.units());
        for (std::size_t at = begin; at < end; ++at) {
          if (!wanted(unit_of(at))) continue;
          VisitedSet set(kept.get(corpus, unit_of(at)));
          visit(set, unit_of(at), parts[piece]);
        }
      }
    });
    for (Part& part : parts) take(part);
    if (context.observer != nullptr)
      context.observer->advance(std::min(at_once * kUnits, units.units() - round * kUnits));
  }
}

}  // namespace neardup::corpus
