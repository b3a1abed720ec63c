// Which passages stand at several places, and which of their items are cut?
//
// In four steps, none of which holds more than a share of the memory: (1) while documents are read, a filter learns
// which windows may stand twice; (2) those are sorted into partitions by their hash, in keep order; (3) in each
// partition the first place of every window is found, and the others refer to it; (4) the documents are gone through in
// keep order, every reference is compared on the items, and the rule decides (scanner.h). Time is linear.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "neardup/context.h"
#include "passages/documents.h"
#include "passages/repeat_filter.h"
#include "passages/run_set.h"
#include "passages/scanner.h"
#include "passages/window_hash.h"

namespace neardup::passages {

struct PassageRule {
  unsigned window = 50;
  char separator = ' ';
  std::uint64_t min_copies = 2;       // places from which on a window counts as repeated
  bool keep_one = true;               // false: no place of a repeated window stays
  bool cut_edges = false;             // windows that are not repeated need not stay whole
  std::uint32_t fixed_documents = 0;  // the first documents of the store are never cut
  const RunSet* protected_runs = nullptr;
  bool is_grouped = false;  // StoredDocument::group counts
  // For tests: only this many bits of a hash are used in the first attempt.
  unsigned first_hash_bits = 64;
};

inline constexpr std::uint64_t kFirstSeed = 0x2545f4914f6cdd1d;
// What distinguishes the windows of a group.
std::uint64_t group_salt(std::uint32_t group);

// What becomes of each document.
class PassageCuts {
 public:
  PassageCuts(std::size_t documents, const Context& context, std::size_t most_in_memory)
      : pieces_(context, most_in_memory),
        begins_(documents),
        counts_(documents),
        cut_items_(documents),
        holds_((documents + 63) / 64) {}

  void pieces(std::size_t document, std::vector<CutPiece>& out) const;
  [[nodiscard]] std::uint32_t cut_items(std::size_t document) const { return cut_items_[document]; }
  // Whether a passage stays here that another place refers to.
  [[nodiscard]] bool holds_copy(std::size_t document) const {
    return (holds_[document / 64] >> document % 64 & 1) != 0;
  }

  void add(std::size_t document, const std::vector<CutPiece>&);
  void mark_holder(std::size_t document) {  // threads: may run concurrently with itself
    std::atomic_ref<std::uint64_t> word(holds_[document / 64]);
    word.fetch_or(std::uint64_t{1} << document % 64, std::memory_order_relaxed);
  }
  void finish() { pieces_.finish(); }

 private:
  Spool pieces_;
  std::vector<std::uint64_t> begins_;
  std::vector<std::uint32_t> counts_, cut_items_;
  std::vector<std::uint64_t> holds_;
};

struct SearchRequest {
  const DocumentStore& documents;
  const std::vector<std::uint32_t>& order;  // keep order; empty: input order. Fixed documents come first
  PassageRule rule;
  std::unique_ptr<RepeatFilter> filter;  // has been shown every window under kFirstSeed; null: none was made
};

struct SearchFacts {
  std::uint64_t windows = 0;     // places where a window begins
  std::uint64_t candidates = 0;  // those that the filter did not exclude
  std::uint64_t repeated = 0;    // those that do not stay
  unsigned attempts = 1;         // more than one: hashes collided, and the search was repeated with others
};

// Threads and memory as the context says; the result depends on neither.
std::unique_ptr<PassageCuts> find_passages(SearchRequest, SearchFacts&, const Context&);

}  // namespace neardup::passages
