// How is the first document of every unit brought back for a second look?
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "search/exact.h"
#include "corpus/row_names.h"
#include "io/pass.h"
#include "neardup/sketch.h"

namespace neardup::corpus {

// Reads a collection again and shows the first document of every unit to `visit`, which runs on all threads and leaves
// what it made of it in a Part; `take` gets the parts in input order. `wanted`: only these units; null: all.
template <class Part, class MakeVisitor, class Take>
void visit_units(const search::ExactSide& side, const Definition& definition, const Context& context, const MakeVisitor& make_visitor,
                 const Take& take, const std::vector<bool>* wanted = nullptr) {
  struct Result final : io::BatchResult {
    std::uint64_t content = 0;
    Part part;
  };
  using Visitor = decltype(make_visitor());
  class Worker final : public io::BatchWorker {
   public:
    Worker(const search::ExactSide& worker_side, const Definition& worker_definition, Visitor visitor,
           const std::vector<bool>* wanted_units)
        : side_(worker_side),
          wanted_(wanted_units),
          parser_(worker_side.collection.impl().parser()),
          features_(worker_definition),
          visitor_(std::move(visitor)) {}

    std::unique_ptr<io::BatchResult> work(const io::RecordBatch& batch) override {
      auto result = std::make_unique<Result>();
      if (batch.first_row + batch.records.size() > side_.table.rows()) throw_changed(*batch.source);
      result->content = content_hash(batch);
      for (std::size_t place = 0; place < batch.records.size(); ++place) {
        const auto row = static_cast<Row>(batch.first_row + place);
        if (!side_.table.is_first(row) || (wanted_ != nullptr && !(*wanted_)[side_.table.unit_of_row[row]])) continue;
        const io::RawRecord& record = batch.records[place];
        if (record.problem != nullptr || parser_->parse(batch, record, document_) != nullptr)
          throw_changed(*batch.source);
        if (!visitor_(side_.table.unit_of_row[row], document_, features_, result->part)) throw_changed(*batch.source);
      }
      return result;
    }

   private:
    const search::ExactSide& side_;
    const std::vector<bool>* wanted_;
    std::unique_ptr<io::RecordParser> parser_;
    Sketcher features_;
    Visitor visitor_;
    Document document_;
  };
  std::uint64_t content = 0;
  io::run_pass(
      side.collection, context, "collecting",
      [&] { return std::make_unique<Worker>(side, definition, make_visitor(), wanted); },
      [&](const io::RecordBatch&, io::BatchResult& result) {
        auto& read = static_cast<Result&>(result);
        content += read.content;
        take(read.part);
      });
  check_unchanged(side.collection, content, side.content);
}

}  // namespace neardup::corpus
