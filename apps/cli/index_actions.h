// What can `neardup index` do?
#pragma once

#include <span>
#include <string>

#include "flags.h"
#include "neardup/index.h"
#include "session.h"
#include "verbs.h"

namespace neardup::cli {

// All that an action of the verb may be told; each offers only the flags that apply to it.
struct IndexFlags {
  Words words;  // the action, then its arguments
  InputFlags input;
  DefinitionFlags definition;
  RunFlags run;
  IndexOptions options;
  OpenIndexOptions opening;
  RebuildOptions rebuilding;
  OnConflict conflicts = OnConflict::refuse;
  std::uint64_t limit = 0;  // 0: all
  std::uint64_t min_documents = 2;
  std::optional<ChangeToken> since;
  bool is_sets = false;
};

// Groups of flags, to be combined.
enum IndexFlagGroup : unsigned {
  kDefining = 1,  // features, measure, clusters, keep rules
  kReading = 2,   // inputs
  kWriting = 4,   // durability
  kReplacing = 8,
  kListing = 16,  // how much of a list
  kFollowing = 32,
  kRebuilding = 64,
};

struct IndexCommand {
  const char* name;
  const char* arguments;
  const char* summary;
  unsigned flags;           // of IndexFlagGroup
  std::size_t least, most;  // words besides the action
  int (*run)(IndexFlags&);
};

// index_documents.cpp
int index_add(IndexFlags&);
int index_check(IndexFlags&);
int index_check_or_add(IndexFlags&);
int index_remove(IndexFlags&);
int index_get(IndexFlags&);
int index_export(IndexFlags&);
// index_upkeep.cpp
int index_create(IndexFlags&);
int index_clusters(IndexFlags&);
int index_stats(IndexFlags&);
int index_verify(IndexFlags&);
int index_rebuild(IndexFlags&);
int index_compact(IndexFlags&);
int index_abandon(IndexFlags&);
int index_snapshot(IndexFlags&);
int index_restore(IndexFlags&);

}  // namespace neardup::cli
