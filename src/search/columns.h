// What a search wants to learn while a collection is read for the first time.
#pragma once

#include <cstdint>
#include <memory>
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
  SketchColumn(Finder& finder, Reservation& memory) : finder_(finder), memory_(memory) {}
  std::unique_ptr<Worker> worker(const std::vector<std::string>& fields) override;

 private:
  void take_part(std::vector<std::uint32_t>&, const corpus::FiledBatch&) override;
  Finder& finder_;
  Reservation& memory_;
};

// Shows every distinct set to the filter once.
class SharedColumn final : public corpus::ColumnOf<std::monostate> {
 public:
  SharedColumn(joins::SharedFilter& filter, unsigned side, const Context& context)
      : filter_(filter), side_(side), memory_(base::reservation(context)) {}
  std::unique_ptr<Worker> worker(const std::vector<std::string>& fields) override;

 private:
  void take_part(std::monostate&, const corpus::FiledBatch& batch) override {
    corpus::hold_for_records(memory_, first_sight_.memory_bytes(), batch.so_far);
  }
  joins::SharedFilter& filter_;
  unsigned side_;
  corpus::FirstSight first_sight_;
  Reservation memory_;
};

// Sets drawn for measuring recall: a row and its set.
class SampleColumn final : public corpus::ColumnOf<std::vector<std::pair<Row, std::vector<Feature>>>> {
 public:
  // `memory` holds the sample, as long as somebody has it.
  SampleColumn(corpus::BottomSample& sample, Reservation& memory) : sample_(sample), memory_(memory) {}
  std::unique_ptr<Worker> worker(const std::vector<std::string>& fields) override;

 private:
  void take_part(std::vector<std::pair<Row, std::vector<Feature>>>&, const corpus::FiledBatch&) override;
  corpus::BottomSample& sample_;
  Reservation& memory_;
};

}  // namespace neardup::search
