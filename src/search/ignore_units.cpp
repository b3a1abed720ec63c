// What is learned of units for ignoring, and what finders are given of reduced ones.
#include <algorithm>

#include "cluster/keep_rules.h"
#include "search/ignore.h"

namespace neardup::search {

using corpus::SetHash;
using features::Group;

std::vector<std::string> IgnoreColumn::fields() const {
  return within_.empty() ? std::vector<std::string>{} : std::vector{within_};
}

void IgnoreColumn::look(const corpus::CensusRecord& record, const std::vector<std::string>& fields, Seen& out) {
  Group group = 0;
  if (!within_.empty() && record.document != nullptr) {
    const auto value = cluster::field_value(*record.document, fields, within_);
    const SetHash hash = value ? corpus::hash_bytes({value->data(), value->size()}) : SetHash{1, 1};
    group = std::max<Group>(1, hash.low);
  }
  out.emplace_back(group, record.hash);
}

void IgnoreColumn::take_part(Seen& part, const corpus::FiledBatch& batch) {
  for (std::size_t place = 0; place < batch.rows.size(); ++place) {
    if (!batch.rows[place].is_new) continue;
    if (!within_.empty()) groups.push_back(part[place].first);
    hashes.push_back(part[place].second);
  }
}

void sketch_units(const corpus::Corpus& corpus, const corpus::KeptSets& kept, Finder& finder, Reservation& memory,
                  const Context& context) {
  struct Sketches {
    std::vector<Unit> units;
    std::vector<std::uint32_t> values;
  };
  const std::size_t width = finder.sketch_width();
  corpus::visit_sets<Sketches>(
      corpus, kept, "collecting", [](Unit) { return true; },
      [&] {
        return [&](corpus::VisitedSet& visited, Unit unit, Sketches& out) {
          const std::span<const Feature> set = visited.set();
          out.units.push_back(unit);
          out.values.resize(out.values.size() + width);
          const std::span<std::uint32_t> sketch = std::span(out.values).last(width);
          if (!set.empty()) return finder.sketch(set, sketch);
          // No features: a sketch like no other, so that such units are not candidates of each other.
          for (std::size_t i = 0; i < width; ++i)
            sketch[i] = static_cast<std::uint32_t>(base::mix64(std::uint64_t{index(unit)} * width + i));
        };
      },
      [&](const Sketches& part) {
        std::span<const std::uint32_t> values = part.values;
        for (const Unit unit : part.units) {
          finder.add(values.first(width), corpus.units.size[unit]);
          values = values.subspan(width);
        }
        corpus::hold_for_records(memory, finder.memory_bytes(), corpus);
      },
      context);
}

void reduce_sample(const corpus::Corpus& corpus, std::vector<corpus::BottomSample::Drawn>& sample) {
  if (corpus.ignored == nullptr) return;
  for (corpus::BottomSample::Drawn& drawn : sample)
    corpus.ignored->remove_from(drawn.set, corpus.units.group_of(drawn.unit));
}

}  // namespace neardup::search
