// How are features left out that are not evidence?
//
// Units are distinct feature sets as they were read. Once all are known, it is counted how many of them have a feature,
// those that too many have are taken out of what the census left (streams, kept sets), and units become smaller. What
// is read again later leaves them out too (Corpus::ignored). docs/algorithms/ignore.md
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/state.h"
#include "corpus/bottom_sample.h"
#include "corpus/column.h"
#include "corpus/corpus.h"
#include "features/ignored_features.h"
#include "neardup/context.h"
#include "neardup/ignore.h"
#include "search/exact.h"
#include "search/finder.h"

namespace neardup::search {

// Learns of every unit within which group its features are counted, and what distinguishes its set.
class IgnoreColumn final : public corpus::ColumnOf<std::vector<std::pair<features::Group, corpus::SetHash>>> {
 public:
  explicit IgnoreColumn(const IgnoreOptions& options) : within_(options.within) {}
  [[nodiscard]] std::vector<std::string> fields() const override;

  PerUnit<features::Group> groups;  // none where all are counted together
  PerUnit<corpus::SetHash> hashes;

 private:
  using Seen = std::vector<std::pair<features::Group, corpus::SetHash>>;
  void look(const corpus::CensusRecord&, const std::vector<std::string>& fields, Seen&) override;
  void take_part(Seen&, const corpus::FiledBatch&) override;

  std::string within_;
};

// The features of all documents, each once.
std::vector<Feature> features_of(const Collection&, const Definition&, const Context&);

struct Ignored {
  std::shared_ptr<const features::IgnoredFeatures> features;  // null: nothing was asked for
  IgnoreReport report;

  void save(base::StateWriter&) const;
  void load(base::StateReader&);
};

// Counts over all sides together and reduces all of them. `columns` are those of the censuses, by side.
Ignored ignore_features(const IgnoreOptions&, std::span<corpus::Corpus> sides, std::span<IgnoreColumn> columns,
                        SeenSets&, const Context&);
// Reduces one more corpus by what is known; the report says what it lost.
void ignore_known(Ignored&, corpus::Corpus&, IgnoreColumn&, SeenSets&, const Context&);

// The sketches of reduced sets, for a finder that was given nothing.
void sketch_units(const corpus::Corpus&, const corpus::KeptSets&, Finder&, Reservation& memory, const Context&);
void reduce_sample(const corpus::Corpus&, std::vector<corpus::BottomSample::Drawn>&);

// The passages whose features were ignored in most documents.
struct IgnoredPlace {
  Feature feature;
  std::uint64_t sets;
  std::uint32_t side;
  Unit unit;
};
std::vector<IgnoredText> find_ignored_texts(std::span<const corpus::Corpus> sides, std::vector<IgnoredPlace>,
                                            const features::IgnoredFeatures&, const Context&);

}  // namespace neardup::search
