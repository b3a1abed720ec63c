#include "search/columns.h"

#include <span>

namespace neardup::search {

// Rows without a set leave their place empty.
void SketchColumn::look(const corpus::CensusRecord& record, const std::vector<std::string>&,
                        std::vector<std::uint32_t>& sketches) {
  const std::size_t width = finder_.sketch_width();
  sketches.resize(sketches.size() + width);
  if (!record.set.empty()) finder_.sketch(record.set, std::span(sketches).last(width));
}

void SketchColumn::take_part(std::vector<std::uint32_t>& sketches, const corpus::FiledBatch& batch) {
  const std::size_t width = finder_.sketch_width();
  for (std::size_t place = 0; place < batch.rows.size(); ++place) {
    if (!batch.rows[place].is_new) continue;
    finder_.add(std::span(sketches).subspan(place * width, width), batch.so_far.units.size[batch.rows[place].unit]);
  }
  corpus::hold_for_records(memory_, finder_.memory_bytes(), batch.so_far);
}

void SampleColumn::look(const corpus::CensusRecord& record, const std::vector<std::string>&, DrawnSets& drawn) {
  if (!record.set.empty() && sample_.wants(record.row))
    drawn.emplace_back(record.row, std::vector<Feature>(record.set.begin(), record.set.end()));
}

void SampleColumn::take_part(DrawnSets& drawn, const corpus::FiledBatch& batch) {
  if (drawn.empty()) return;
  const std::uint32_t first = index(batch.rows.front().row);
  for (auto& [row, set] : drawn) {
    const corpus::FiledRow& filed = batch.rows[index(row) - first];
    if (filed.is_new) sample_.add(row, filed.unit, std::move(set));
  }
  memory_.hold(sample_.memory_bytes());
}

}  // namespace neardup::search
