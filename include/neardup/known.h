// Which documents does a deduplication compare its own with, and where does it remember what it keeps?
//
// deduplicate() reaches a persistent index through this interface, and knows nothing else of it: known_documents() of
// index.h makes one. A test can put another in its place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/collection.h"
#include "neardup/context.h"
#include "neardup/pair.h"

namespace neardup {

struct DedupOptions;

// Near-duplicates of a collection's documents among those that are known.
struct KnownMatches {
  struct Match {
    DocId row = 0;          // in the collection
    std::uint32_t key = 0;  // in `keys`
    double score = 0;       // the highest; among ties the document that was known first
  };
  std::vector<Match> matches;     // by row
  std::vector<std::string> keys;  // each once, by its first row
  std::uint64_t rows = 0;         // of the collection
};

// A run whose output and whose additions belong together. It is written down before the output appears and erased when
// all of its documents are known, so that a run that was killed in between can be completed.
struct PendingRun {
  std::string inputs;      // identifies what was read; empty: it cannot be read again
  std::string output;      // a path, as given
  std::string proof;       // identifies the file that appears under that path
  std::vector<bool> kept;  // by row
  bool is_adding = false;  // the output was there; some documents may be known already
};

struct KnownAddition {
  std::uint64_t records = 0, bad = 0;  // that were read for it
  std::uint64_t added = 0;             // documents that were not known
  std::uint64_t renamed = 0;           // of these: their keys were taken by other documents, so that they got a number
};

// Threads: one call at a time.
class KnownDocuments {
 public:
  virtual ~KnownDocuments() = default;

  [[nodiscard]] virtual std::string name() const = 0;                                     // for messages
  [[nodiscard]] virtual std::uint64_t documents() const = 0;                              // how many there are
  [[nodiscard]] virtual std::string state() const = 0;                                    // differs whenever they do
  [[nodiscard]] virtual std::optional<std::string> text(std::string_view key) const = 0;  // where it is stored

  // Throws Error{usage} when a collection that is compared by these options cannot be compared with them.
  virtual void check(const Collection&, const DedupOptions&) const = 0;
  [[nodiscard]] virtual KnownMatches compare(const Collection&, OnBadRecord, const Context&) const = 0;

  [[nodiscard]] virtual std::optional<PendingRun> pending() const = 0;
  // Survives a loss of power. There is at most one pending run.
  virtual void announce(const PendingRun&) = 0;
  virtual void abandon() = 0;
  // Adds the documents of some rows, in their order. What is there already with the same content is not added again, so
  // that an addition that was interrupted can be repeated. Ends the pending run.
  virtual KnownAddition add(const Collection&, const std::vector<bool>& rows, OnBadRecord, const Context&) = 0;
};

}  // namespace neardup
