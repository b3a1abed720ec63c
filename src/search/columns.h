// What a search wants to learn while a collection is read for the first time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "corpus/bottom_sample.h"
#include "corpus/column.h"
#include "join/shared_filter.h"
#include "search/finder.h"

namespace neardup::search {

// A sketch of every unit, for the finder.
class SketchColumn final : public corpus::ColumnOf<std::vector<std::uint32_t>> {
 public:
  explicit SketchColumn(Finder& finder) : finder_(finder) {}
  std::unique_ptr<Worker> worker(const std::vector<std::string>& fields) override;
  [[nodiscard]] std::size_t memory_bytes() const override;

 private:
  void take_part(std::vector<std::uint32_t>&, const corpus::FiledBatch&) override;
  Finder& finder_;
  std::size_t units_ = 0;
};

// Shows every distinct set to the filter once.
class SharedColumn final : public corpus::ColumnOf<std::monostate> {
 public:
  SharedColumn(joins::SharedFilter& filter, unsigned side) : filter_(filter), side_(side) {}
  std::unique_ptr<Worker> worker(const std::vector<std::string>& fields) override;
  [[nodiscard]] std::size_t memory_bytes() const override { return units_ * corpus::FirstSight::kBytesPerUnit; }

 private:
  void take_part(std::monostate&, const corpus::FiledBatch& batch) override { units_ = batch.so_far.units.units(); }
  joins::SharedFilter& filter_;
  unsigned side_;
  corpus::FirstSight first_sight_;
  std::size_t units_ = 0;
};

// Sets drawn for measuring recall: a row and its set.
class SampleColumn final : public corpus::ColumnOf<std::vector<std::pair<Row, std::vector<Feature>>>> {
 public:
  explicit SampleColumn(corpus::BottomSample& sample) : sample_(sample) {}
  std::unique_ptr<Worker> worker(const std::vector<std::string>& fields) override;

 private:
  void take_part(std::vector<std::pair<Row, std::vector<Feature>>>&, const corpus::FiledBatch&) override;
  corpus::BottomSample& sample_;
};

}  // namespace neardup::search
