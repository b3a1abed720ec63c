// How do columns in Arrow memory become documents, and decisions Arrow arrays again?
//
//   auto documents = neardup::arrow_documents([&](auto columns) { return my_table.stream(columns); });
//   auto result = neardup::deduplicate(neardup::Collection::from(documents, "table"), {}, context);
//   ArrowArrayStream rows = neardup::export_rows(result);
//
// Only the C structs of the Arrow C data and C stream interfaces are used, so that nobody needs an Arrow library:
// pyarrow, polars, pandas, DuckDB and Spark all speak them. docs/formats.md lists the types that are read.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "neardup/context.h"
#include "neardup/dedup.h"
#include "neardup/document.h"
#include "neardup/pair.h"

// The structs as the Arrow specification gives them. Their guards are the specification's own, so that other headers
// may bring them too.
extern "C" {
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};
#endif
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};
#endif
}

namespace neardup {

// Which columns hold what. `a.b` reaches into structs, unless a column has that very name.
struct ArrowColumns {
  // Joined with a newline. Strings of any layout, dictionaries of them, lists of strings and of chat messages; or one
  // list of integers, which makes the documents sets (DocumentView::tokens). Absent: "text"; a stream with one column
  // needs no such name.
  std::optional<std::vector<std::string>> text{};
  // Strings or integers. Absent: "id" where there is such a column, else rows go by their numbers. Given: a row
  // without one is bad.
  std::optional<std::string> id{};
};

// Opens a stream of struct arrays over the same rows, from the beginning. `columns` are the top-level columns that
// will be looked at; others may be left out. Without any, only the schema is looked at, and it must be whole. Called
// once a reading, on one thread at a time; arrays are released on any thread. What it throws comes out of the call that
// reads: an Error as it is, anything else as Error{internal}.
using ArrowStreamFactory = std::function<ArrowArrayStream(std::span<const std::string> columns)>;

// Documents over a stream that can be produced again. Opens it once to look at the schema. `bytes` says about how much
// text there is, for progress; 0: not known. Throws Error{usage} for a
// column that is not there (with the nearest name) or whose type is not read, Error{input} when the stream fails.
// Nothing is copied but numbers and what else is not a string already. Every offset and length is checked before it is
// trusted; buffers themselves cannot be, as the interface does not give their sizes.
std::shared_ptr<const DocumentSource> arrow_documents(ArrowStreamFactory, const ArrowColumns& = {},
                                                      std::uint64_t bytes = 0);

// The same over a stream that can be read once, which is taken over and read to its end. Its arrays are held while
// they fit a quarter of the context's memory; what comes then is spooled to the temporary folder, only the columns
// that `columns` and `fields` name. Fields of other names are not there.
std::shared_ptr<const DocumentSource> arrow_documents(ArrowArrayStream&&, const ArrowColumns&,
                                                      std::span<const std::string> fields, const Context&);

// What a run decided, a row for every row of the collection: `kept` (bool), `representative` (uint64: the row that
// stands for it; null for bad rows and those set aside), `cluster` (uint64: the row of the kept document of its
// cluster; null in none), `status` (utf8: document, without_features, bad, against, dropped), `score` (float64: with
// the representative; null where there is none or evidence was not kept). Holds a copy of what it shows.
ArrowArrayStream export_rows(const DedupResult&);

// Pairs as `left`, `right` (uint64: rows) and `score` (float64). An ArrowPairs receives them as a sink and gives the
// stream back once. Memory: 24 bytes a pair, reserved from the context's budget.
class ArrowPairs final : public PairSink {
 public:
  explicit ArrowPairs(const Context&);
  ~ArrowPairs() override;
  bool accept(std::span<const Pair>) override;
  [[nodiscard]] std::uint64_t size() const;
  [[nodiscard]] ArrowArrayStream finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace neardup
