#include "dedup/keep_column.h"

#include <span>

namespace neardup::dedup {

std::unique_ptr<corpus::Column::Worker> KeepColumn::worker(const std::vector<std::string>& fields) {
  class Evaluating final : public TypedWorker {
   public:
    Evaluating(const cluster::KeepTable& keep, const std::vector<std::string>& fields) : keep_(keep), fields_(fields) {}
    void add(const corpus::CensusRecord& record) override {
      if (record.document == nullptr) {
        part_.resize(part_.size() + keep_.columns());
      } else {
        const std::vector<std::uint64_t> values = keep_.values_of(*record.document, fields_);
        part_.insert(part_.end(), values.begin(), values.end());
      }
    }

   private:
    const cluster::KeepTable& keep_;
    const std::vector<std::string>& fields_;
  };
  return std::make_unique<Evaluating>(keep_, fields);
}

void KeepColumn::take_part(std::vector<std::uint64_t>& values, const corpus::FiledBatch& batch) {
  const std::size_t columns = keep_.columns();
  for (std::size_t place = 0; place < batch.rows.size(); ++place)
    keep_.append_values(std::span(values).subspan(place * columns, columns));
  corpus::hold_for_records(memory_, keep_.memory_bytes(), batch.so_far);
}

}  // namespace neardup::dedup
