#include "search/columns.h"

namespace neardup::search {

// Rows without a set leave their place empty.
std::unique_ptr<corpus::Column::Worker> SketchColumn::worker(const std::vector<std::string>&) {
  class Sketching final : public TypedWorker {
   public:
    explicit Sketching(const Finder& finder) : finder_(finder), width_(finder.sketch_width()) {}
    void add(const corpus::CensusRecord& record) override {
      part_.resize(part_.size() + width_);
      if (!record.set.empty()) finder_.sketch(record.set, std::span(part_).last(width_));
    }

   private:
    const Finder& finder_;
    std::size_t width_;
  };
  return std::make_unique<Sketching>(finder_);
}

void SketchColumn::take_part(std::vector<std::uint32_t>& sketches, const corpus::FiledBatch& batch) {
  const std::size_t width = finder_.sketch_width();
  for (std::size_t place = 0; place < batch.rows.size(); ++place) {
    if (!batch.rows[place].is_new) continue;
    finder_.add(std::span(sketches).subspan(place * width, width), batch.so_far.units.size[batch.rows[place].unit]);
  }
  corpus::hold_for_records(memory_, finder_.memory_bytes(), batch.so_far);
}

std::unique_ptr<corpus::Column::Worker> SharedColumn::worker(const std::vector<std::string>&) {
  class Showing final : public TypedWorker {
   public:
    Showing(joins::SharedFilter& filter, unsigned side, corpus::FirstSight& first_sight)
        : filter_(filter), side_(side), first_sight_(first_sight) {}
    void add(const corpus::CensusRecord& record) override {
      if (!record.set.empty() && first_sight_.claim(record.hash)) filter_.add(side_, record.set);
    }

   private:
    joins::SharedFilter& filter_;
    unsigned side_;
    corpus::FirstSight& first_sight_;
  };
  return std::make_unique<Showing>(filter_, side_, first_sight_);
}

std::unique_ptr<corpus::Column::Worker> SampleColumn::worker(const std::vector<std::string>&) {
  class Drawing final : public TypedWorker {
   public:
    explicit Drawing(const corpus::BottomSample& sample) : sample_(sample) {}
    void add(const corpus::CensusRecord& record) override {
      if (!record.set.empty() && sample_.wants(record.row))
        part_.emplace_back(record.row, std::vector<Feature>(record.set.begin(), record.set.end()));
    }

   private:
    const corpus::BottomSample& sample_;
  };
  return std::make_unique<Drawing>(sample_);
}

void SampleColumn::take_part(std::vector<std::pair<Row, std::vector<Feature>>>& drawn,
                             const corpus::FiledBatch& batch) {
  if (drawn.empty()) return;
  const std::uint32_t first = index(batch.rows.front().row);
  for (auto& [row, set] : drawn) {
    const corpus::FiledRow& filed = batch.rows[index(row) - first];
    if (filed.is_new) sample_.add(row, filed.unit, std::move(set));
  }
  memory_.hold(sample_.memory_bytes());
}

}  // namespace neardup::search
