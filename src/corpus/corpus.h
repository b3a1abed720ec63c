// A collection that has been read once: what is known of every record, and how to recognise it when it is read again.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "corpus/row_names.h"
#include "corpus/units.h"
#include "features/ignored_features.h"
#include "io/collection.h"
#include "neardup/collection.h"
#include "neardup/definition.h"
#include "neardup/memory.h"
#include "neardup/report.h"

namespace neardup::corpus {

// Stands for the records that a reading met, source by source. Does not depend on how they were cut into batches.
class ContentHash {
 public:
  explicit ContentHash(const Collection& collection)
      : sources_(&io::impl_of(collection).sources), sums_(sources_->size()) {}
  // `batch_hash` is content_hash(batch).
  void add(const io::RecordBatch& batch, std::uint64_t batch_hash) { sums_[place_of(*batch.source)] += batch_hash; }
  // Throws Error{input} that names the first source whose records are others.
  void check_same(const ContentHash& later) const;
  [[nodiscard]] std::uint64_t seed() const;  // a number that depends on all of it
  void save(base::StateWriter& out) const { out.array(sums_); }
  void load(base::StateReader& in) { in.array(std::span(sums_)); }

 private:
  [[nodiscard]] std::size_t place_of(const io::Source& source) const {
    return static_cast<std::size_t>(&source - sources_->data());
  }
  const std::vector<io::Source>* sources_;
  std::vector<std::uint64_t> sums_;  // by source
};
std::uint64_t content_hash(const io::RecordBatch&);

// The input is not what it was in an earlier reading.
[[noreturn]] void throw_changed(const std::string& path);
[[noreturn]] void throw_changed(const io::Source&);

// Counts texts that were not UTF-8. The list is in the order of names.
void add_encoding(const EncodingCount& more, std::vector<EncodingCount>& counts);

// The rows of the second follow those of the first; each keeps its own reading options.
Collection join_collections(const Collection& first, const Collection& second);

struct Corpus {
  Collection collection;  // cheap to copy
  Definition definition;  // as applied: `sets` bring their own features
  Units units;
  RepeatedIds ids;
  ContentHash content;
  std::vector<std::uint64_t> rows_of_source;
  ReadFacts facts;
  std::shared_ptr<const features::IgnoredFeatures> ignored;  // features that its sets no longer have; null: none
  Reservation memory;                                        // for units and ids
  std::shared_ptr<const MemoryBudget> budget;                // that it is of; null: none

  Corpus(const Collection& of, const Definition& by)
      : collection(of), definition(by), content(of), rows_of_source(io::impl_of(of).sources.size()) {}

  [[nodiscard]] std::size_t memory_bytes() const { return units.memory_bytes() + ids.memory_bytes(); }
  // Everything but collection, definition and memory.
  void save(base::StateWriter&) const;
  void load(base::StateReader&);

 private:
  [[nodiscard]] bool is_consistent() const;  // no two numbers contradict each other
};

}  // namespace neardup::corpus
