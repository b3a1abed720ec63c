// What keep rules ask of every document, collected while a collection is read.
#pragma once

#include <string>
#include <vector>

#include "cluster/keep_rules.h"
#include "corpus/column.h"

namespace neardup::dedup {

struct KeepValues {
  std::vector<std::uint64_t> values;        // of each record as many as the table has columns
  std::vector<cluster::RuleCounts> counts;  // by rule; none before the first document
};

class KeepColumn final : public corpus::ColumnOf<KeepValues> {
 public:
  KeepColumn(cluster::KeepTable& keep, Reservation& memory) : keep_(keep), memory_(memory) {}
  [[nodiscard]] std::vector<std::string> fields() const override { return keep_.fields(); }

 private:
  void look(const corpus::CensusRecord& record, const std::vector<std::string>& fields, KeepValues& out) override {
    if (record.document == nullptr) return out.values.resize(out.values.size() + keep_.columns());
    if (out.counts.empty()) out.counts = keep_.no_counts();
    const std::vector<std::uint64_t> values = keep_.values_of(*record.document, fields, out.counts);
    out.values.insert(out.values.end(), values.begin(), values.end());
  }
  void take_part(KeepValues& part, const corpus::FiledBatch& batch) override {
    const std::size_t columns = keep_.columns();
    for (std::size_t place = 0; place < batch.rows.size(); ++place)
      keep_.append_values(std::span(part.values).subspan(place * columns, columns));
    if (!part.counts.empty()) keep_.add_counts(part.counts);
    corpus::hold_for_records(memory_, keep_.memory_bytes(), batch.so_far);
  }
  cluster::KeepTable& keep_;
  Reservation& memory_;
};

}  // namespace neardup::dedup
