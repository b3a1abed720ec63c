// What a search wants to learn while a collection is read for the first time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/system.h"
#include "corpus/bottom_sample.h"
#include "corpus/column.h"
#include "join/shared_filter.h"
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

// Shows every distinct set to the filter once.
class SharedColumn final : public corpus::ColumnOf<std::monostate> {
 public:
  SharedColumn(joins::SharedFilter& filter, unsigned side, const Context& context)
      : filter_(filter), side_(side), memory_(base::reservation(context)) {}

 private:
  void look(const corpus::CensusRecord& record, const std::vector<std::string>&, std::monostate&) override {
    if (!record.set.empty() && first_sight_.claim(record.hash)) filter_.add(side_, record.set);
  }
  void take_part(std::monostate&, const corpus::FiledBatch& batch) override {
    corpus::hold_for_records(memory_, first_sight_.memory_bytes(), batch.so_far);
  }

  joins::SharedFilter& filter_;
  unsigned side_;
  corpus::FirstSight first_sight_;
  Reservation memory_;
};

// Sets drawn for measuring recall.
using DrawnSets = std::vector<std::pair<Row, std::vector<Feature>>>;
class SampleColumn final : public corpus::ColumnOf<DrawnSets> {
 public:
  // `memory` holds the sample, as long as somebody has it.
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
