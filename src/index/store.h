// Where are the facts of an index kept, so that what was committed is never lost?
//
// Tables of rows, ordered by key. One batch at a time is prepared and committed as a whole. The implementation is
// RocksDB (store.cpp); nothing outside of it knows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "neardup/files.h"

namespace neardup::indexing {

// docs/index.md has the rows of each, byte by byte.
enum class Table : std::uint8_t {
  documents,    // sequence -> what is known of the document, without its text
  texts,        // sequence -> text and fields
  keys,         // the user's key -> sequence
  units,        // unit -> what is compared
  places,       // unit -> its group; none: the unit is one document alone in its cluster
  members,      // unit, keep order -> sequence
  arrivals,     // unit, sequence -> nothing; only where the keep order is another
  groups,       // group -> its cluster's id, counts, kept document
  group_units,  // group, unit -> nothing
  names,        // cluster -> group
  events,       // token -> change
  decisions,    // id -> decision
  meta,         // counters
};
inline constexpr std::size_t kTables = 13;

// Reads rows as they are at one moment. Threads: as the owner says.
class StoreView {
 public:
  virtual ~StoreView() = default;
  // False when there is no such row.
  virtual bool get(Table, std::string_view key, std::string& value) const = 0;
  // Rows whose key begins with `prefix` and is not less than `from`, ascending, until `visit` returns false. Rows must
  // not be changed meanwhile.
  using Visit = std::function<bool(std::string_view key, std::string_view value)>;
  virtual void scan(Table, std::string_view prefix, std::string_view from, const Visit& visit) const = 0;
};

// Changes that are not committed yet; reading sees them. Threads: one at a time.
class StoreBatch : public StoreView {
 public:
  virtual void put(Table, std::string_view key, std::string_view value) = 0;
  virtual void erase(Table, std::string_view key) = 0;
  // What was changed after the last mark() can be taken back.
  virtual void mark() = 0;
  virtual void take_back() = 0;
  [[nodiscard]] virtual bool empty() const = 0;
};

// Threads: all members may run concurrently, except that there is one batch at a time.
class Store : public StoreView {
 public:
  // As it is now; must not outlive the store.
  [[nodiscard]] virtual std::unique_ptr<StoreView> snapshot() const = 0;
  [[nodiscard]] virtual std::unique_ptr<StoreBatch> begin() = 0;
  // All or nothing, also after a crash. `sync`: survives a loss of power once this returns.
  virtual void commit(StoreBatch&, bool sync) = 0;
  // Everything committed survives a loss of power.
  virtual void sync() = 0;
  // A write or a sync failed for another reason than a full disk: what is on disk is not known, and every further
  // change is refused.
  [[nodiscard]] virtual bool is_broken() const = 0;
  // Erased rows are gone from the disk afterwards.
  virtual void compact() = 0;
  // A copy in a new folder, which shares files on the same disk.
  virtual void checkpoint(const std::filesystem::path&) const = 0;
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;  // on disk
  // Reads every block. Throws Error{corrupt}.
  virtual void verify() const = 0;
};

enum class StoreAccess {
  create,
  write,
  read,     // beside a writer; sees what was committed when it was opened
  recover,  // write, and accept that the newest changes are missing where the log is damaged
};
// Throws Error{corrupt} for damage, Error{input} and Error{output} for failures of the disk.
std::unique_ptr<Store> open_store(const std::filesystem::path&, StoreAccess, std::size_t cache_bytes);

}  // namespace neardup::indexing
