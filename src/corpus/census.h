// Pass one: what has to be known of every document before any pair can be looked for.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cluster/keep_rules.h"
#include "corpus/bad_records.h"
#include "corpus/rarities.h"
#include "corpus/bottom_sample.h"
#include "corpus/units.h"
#include "search/finder.h"
#include "io/record.h"
#include "join/shared_filter.h"
#include "neardup/context.h"
#include "neardup/definition.h"
#include "neardup/document.h"

namespace neardup::corpus {

// What makes two documents one unit.
enum class SameUnit { features, nothing };

struct ReadResult;

// What somebody else finds out about documents while pass one reads them anyway. One per thread.
class ReadVisitor {
 public:
  struct Part {
    virtual ~Part() = default;
  };
  virtual ~ReadVisitor() = default;
  // Every record of a batch in order. `document` is null for a bad one; its fields are ReadTargets::fields.
  virtual void visit(const io::RecordBatch&, std::uint32_t place, const Document* document) = 0;
  // What was made of the records since the last call.
  virtual std::unique_ptr<Part> take() = 0;
};

// What pass one fills, beside what it returns. Null pointers: not wanted.
struct ReadTargets {
  cluster::KeepTable& keep;
  BadRecordLog& bad;
  search::Finder* finder = nullptr;         // gets a sketch of every unit
  Reservoir* sample = nullptr;            // for measuring recall
  joins::SharedFilter* shared = nullptr;  // is shown every unit's set
  unsigned side = 0;                      // as `shared` knows this collection
  SameUnit same_unit = SameUnit::features;
  const Rarities* rarities = nullptr;                       // for Weights::tfidf
  const std::vector<bool>* left_out = nullptr;              // by row: documents that take no part
  std::function<void(const ReadResult&)> on_batch{};        // hears what is known so far, batch after batch
  std::vector<std::string> fields{};                        // for visitors
  std::function<std::unique_ptr<ReadVisitor>()> visitor{};  // makes one for a thread; empty: nobody asks
  std::function<void(ReadVisitor::Part&)> take_part{};      // gets their parts in input order
};

struct ReadResult {
  UnitTable table;
  RepeatedIds ids;
  std::vector<EncodingCount> encodings;  // by name
  std::uint64_t without_features = 0, repaired_texts = 0, input_bytes = 0, text_bytes = 0;
  std::vector<std::uint64_t> rows_of_source;
  std::uint64_t content = 0;  // content_hash() over everything: later passes must meet the same

  void save(base::StateWriter&) const;
  void load(base::StateReader&);
};

ReadResult read_collection(const Collection&, const Definition&, const ReadTargets&, const Context&);

}  // namespace neardup::corpus
