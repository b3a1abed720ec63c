// What keep rules ask of every document.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cluster/keep_rules.h"
#include "corpus/column.h"
#include "neardup/memory.h"

namespace neardup::dedup {

class KeepColumn final : public corpus::ColumnOf<std::vector<std::uint64_t>> {
 public:
  // `memory` holds the values, as long as the table does.
  KeepColumn(cluster::KeepTable& keep, Reservation& memory) : keep_(keep), memory_(memory) {}
  [[nodiscard]] std::vector<std::string> fields() const override { return keep_.fields(); }
  std::unique_ptr<Worker> worker(const std::vector<std::string>& fields) override;

 private:
  void take_part(std::vector<std::uint64_t>&, const corpus::FiledBatch&) override;
  cluster::KeepTable& keep_;
  Reservation& memory_;
};

}  // namespace neardup::dedup
