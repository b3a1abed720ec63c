// What a search wants to learn while a collection is read for the first time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/system.h"
#include "corpus/bottom_sample.h"
#include "corpus/column.h"
#include "corpus/kept_sets.h"
#include "join/shared_filter.h"
#include "join/token_streams.h"
#include "search/finder.h"

namespace neardup::search {

// A sketch of every unit, for the finder.
class SketchColumn final : public corpus::ColumnOf<std::vector<std::uint32_t>> {
 public:
  // `memory` holds the sketches, as long as the finder has them.
  SketchColumn(Finder& finder, Reservation& memory) : finder_(finder), width_(finder.sketch_width()), memory_(memory) {}

 private:
  // Rows without a set leave their place empty.
  void look(const corpus::CensusRecord& record, const std::vector<std::string>&,
            std::vector<std::uint32_t>& sketches) override {
    sketches.resize(sketches.size() + width_);
    if (!record.set.empty()) finder_.sketch(record.set, std::span(sketches).last(width_));
  }
  void take_part(std::vector<std::uint32_t>& sketches, const corpus::FiledBatch& batch) override {
    for (std::size_t place = 0; place < batch.rows.size(); ++place) {
      if (!batch.rows[place].is_new) continue;
      finder_.add(std::span(sketches).subspan(place * width_, width_), batch.so_far.units.size[batch.rows[place].unit]);
    }
    corpus::hold_for_records(memory_, finder_.memory_bytes(), batch.so_far);
  }

  Finder& finder_;
  std::size_t width_;
  Reservation& memory_;
};

// Who is shown every distinct set; null: not there.
struct SetTakers {
  joins::TokenStreams* streams = nullptr;  // gets its tokens under the number of a row that has it
  joins::SharedFilter* filter = nullptr;
  corpus::KeptSets* kept = nullptr;
};

// Shows every distinct set once.
using KeptRows = std::vector<std::pair<Row, const Feature*>>;
class SetColumn final : public corpus::ColumnOf<KeptRows> {
 public:
  SetColumn(const SetTakers& takers, unsigned side, const Context& context)
      : takers_(takers), side_(side), memory_(base::reservation(context)) {}

  std::unique_ptr<Worker> worker(const std::vector<std::string>&) override {
    class Showing final : public TypedWorker {
     public:
      explicit Showing(SetColumn& column) : column_(column) {
        if (column.takers_.streams != nullptr) streams_.emplace(*column.takers_.streams, column.side_);
        if (column.takers_.kept != nullptr) kept_.emplace(*column.takers_.kept);
      }
      void add(const corpus::CensusRecord& record) override {
        if (record.set.empty() || !column_.first_sight_.claim(record.hash)) return;
        if (streams_) streams_->add(index(record.row), record.set);
        if (column_.takers_.filter != nullptr) column_.takers_.filter->add(column_.side_, record.set);
        if (!kept_) return;
        if (const Feature* copy = kept_->keep(record.set)) part_.emplace_back(record.row, copy);
      }

     private:
      SetColumn& column_;
      std::optional<joins::TokenStreams::Writer> streams_;
      std::optional<corpus::KeptSets::Writer> kept_;
    };
    return std::make_unique<Showing>(*this);
  }

 private:
  // A row that was not the first of its unit in the input may have been the first that a thread met.
  void take_part(KeptRows& rows, const corpus::FiledBatch& batch) override {
    for (const auto& [row, set] : rows)
      takers_.kept->add(batch.rows[index(row) - index(batch.rows.front().row)].unit, set);
    const std::size_t kept_bytes = takers_.kept != nullptr ? takers_.kept->memory_bytes() : 0;
    corpus::hold_for_records(memory_, first_sight_.memory_bytes() + kept_bytes, batch.so_far);
  }

  SetTakers takers_;
  unsigned side_;
  corpus::FirstSight first_sight_;
  Reservation memory_;
};

// Sets drawn for measuring recall.
using DrawnSets = std::vector<std::pair<Row, std::vector<Feature>>>;
class SampleColumn final : public corpus::ColumnOf<DrawnSets> {
 public:
  // `memory` is reserved for the sample as long as it exists.
  SampleColumn(corpus::BottomSample& sample, Reservation& memory) : sample_(sample), memory_(memory) {}

 private:
  void look(const corpus::CensusRecord& record, const std::vector<std::string>&, DrawnSets& drawn) override {
    if (!record.set.empty() && sample_.wants(record.row))
      drawn.emplace_back(record.row, std::vector<Feature>(record.set.begin(), record.set.end()));
  }
  void take_part(DrawnSets& drawn, const corpus::FiledBatch& batch) override {
    if (drawn.empty()) return;
    const std::uint32_t first = index(batch.rows.front().row);
    for (auto& [row, set] : drawn) {
      const corpus::FiledRow& filed = batch.rows[index(row) - first];
      if (filed.is_new) sample_.add(row, filed.unit, std::move(set));
    }
    memory_.hold(sample_.memory_bytes());
  }

  corpus::BottomSample& sample_;
  Reservation& memory_;
};

}  // namespace neardup::search
