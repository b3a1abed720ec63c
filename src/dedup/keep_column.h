// What keep rules ask of every document.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cluster/keep_rules.h"
#include "corpus/column.h"

namespace neardup::dedup {

class KeepColumn final : public corpus::ColumnOf<std::vector<std::uint64_t>> {
 public:
  explicit KeepColumn(cluster::KeepTable& keep) : keep_(keep) {}
  [[nodiscard]] std::vector<std::string> fields() const override { return keep_.fields(); }
  std::unique_ptr<Worker> worker(const std::vector<std::string>& fields) override;
  [[nodiscard]] std::size_t memory_bytes() const override { return rows_ * keep_.columns() * sizeof(std::uint64_t); }

 private:
  void take_part(std::vector<std::uint64_t>&, const corpus::FiledBatch&) override;
  cluster::KeepTable& keep_;
  std::size_t rows_ = 0;
};

}  // namespace neardup::dedup
