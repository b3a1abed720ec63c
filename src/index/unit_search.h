// Which stored units may be near-duplicates of this content?
//
// What was stored last is searched in memory, everything else in segments. Both are derived from the store and can be
// built again. A unit that was removed may still be found; whoever asks looks it up in the store anyway.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "index/content.h"
#include "index/merge_plan.h"
#include "index/records.h"
#include "index/segment_folder.h"
#include "index/store.h"
#include "neardup/context.h"

namespace neardup::indexing {

struct SearchFacts {
  std::uint64_t segments = 0;  // files
  std::uint64_t segment_bytes = 0;
  std::uint64_t recent = 0;  // units in memory
  std::uint64_t memory_bytes = 0;
};

// Threads: candidates() and facts() may run concurrently with everything; one thread at a time inserts, and one
// maintains.
class UnitSearch {
 public:
  virtual ~UnitSearch() = default;
  // Every unit that may match, ascending, each once.
  virtual void candidates(const Content&, std::vector<UnitId>& out) const = 0;
  // The same for several at once, which is faster where queries can run into each other.
  virtual void candidates_of_all(std::span<const Content> contents, std::vector<std::vector<UnitId>>& out) const {
    out.resize(contents.size());
    for (std::size_t i = 0; i < contents.size(); ++i) candidates(contents[i], out[i]);
  }
  // A new unit; ids ascend.
  virtual void insert(UnitId, const Content&) = 0;
  // The last unit that it knows of; 0: none.
  [[nodiscard]] virtual UnitId last_unit() const = 0;
  // Units up to this one are in the store, or never will be.
  virtual void committed(UnitId up_to) = 0;
  // Closes what is being added to, so that flush() can write all of it. To be called by the thread that inserts.
  virtual void seal() = 0;
  // True when maintain() has something to do.
  [[nodiscard]] virtual bool has_work() const = 0;
  // One step of flushing and merging.
  virtual void maintain() = 0;
  // What was sealed and committed is in files afterwards.
  virtual void flush() = 0;
  // As few files as possible, built from the store.
  virtual void compact() = 0;
  // While the action runs no file is written or removed.
  virtual void run_undisturbed(const std::function<void()>& action) = 0;
  [[nodiscard]] virtual SearchFacts facts() const = 0;
};

// What a search is made of. All of it outlives the search.
struct SearchParts {
  const Store& store;
  const ContentRules& rules;
  SegmentFolder& folder;
  Context context{};
  SearchLimits limits{};
};

// Sets of features: loads segments, and what is not in them yet from the store.
std::unique_ptr<UnitSearch> make_set_search(const SearchParts&);
// Fingerprints, likewise.
std::unique_ptr<UnitSearch> make_code_search(const SearchParts&);

}  // namespace neardup::indexing
