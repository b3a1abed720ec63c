#include "corpus/corpus.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/random.h"
#include "corpus/bad_records.h"
#include "corpus/definition_for.h"
#include "neardup/error.h"

namespace neardup::corpus {

void ContentHash::check_same(const ContentHash& later) const {
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    if (sums_[i] != later.sums_[i]) throw_changed((*sources_)[i]);
  }
}

std::uint64_t ContentHash::seed() const { return std::reduce(sums_.begin(), sums_.end(), std::uint64_t{0}); }

std::uint64_t content_hash(const io::RecordBatch& batch) {
  std::uint64_t sum = 0;
  for (std::size_t place = 0; place < batch.size(); ++place)
    sum += base::mix64(batch.hash(place) + batch.first_row + place + 1);
  return sum;
}

void throw_changed(const std::string& path) {
  throw Error(ErrorCode::input, path + " changed while it was being read; nothing was written");
}
void throw_changed(const io::Source& source) { throw_changed(source.path); }

void add_encoding(const EncodingCount& more, std::vector<EncodingCount>& counts) {
  const auto key = [](const EncodingCount& count) { return std::tie(count.name, count.detected); };
  const auto at = std::ranges::lower_bound(counts, key(more), {}, key);
  if (at != counts.end() && key(*at) == key(more)) {
    at->documents += more.documents;
  } else {
    counts.insert(at, more);
  }
}

void Corpus::save(base::StateWriter& out) const {
  units.save(out);
  ids.save(out);
  content.save(out);
  out.array(rows_of_source);
  for (const std::uint64_t count : {facts.records, facts.bytes, facts.text_bytes, facts.without_features,
                                    facts.repaired_texts, facts.without_main_text, facts.repeated_ids})
    out.value(count);
  out.value<std::uint64_t>(facts.encodings.size());
  for (const EncodingCount& encoding : facts.encodings) {
    out.text(encoding.name);
    out.value(encoding.detected);
    out.value(encoding.documents);
  }
  save_bad_records(out, facts.bad);
}

void Corpus::load(base::StateReader& in) {
  units.load(in);
  ids.load(in, units.rows());
  content.load(in);
  in.array(std::span(rows_of_source));
  for (std::uint64_t* count : {&facts.records, &facts.bytes, &facts.text_bytes, &facts.without_features,
                               &facts.repaired_texts, &facts.without_main_text, &facts.repeated_ids})
    *count = in.value<std::uint64_t>();
  for (std::size_t left = in.count(1); left > 0; --left) {
    EncodingCount encoding{.name = in.text()};
    encoding.detected = in.flag();
    encoding.documents = in.value<std::uint64_t>();
    facts.encodings.push_back(std::move(encoding));
  }
  facts.bad = load_bad_records(in);
  facts.binary_files = io::impl_of(collection).binary_files;
  memory.hold(memory_bytes());
  if (!is_consistent()) in.fail();
}

bool Corpus::is_consistent() const {
  const auto count = [&](RowStatus status) {
    return static_cast<std::uint64_t>(std::ranges::count(units.status.values(), status));
  };
  const bool has_short = keeps_short_lengths(definition);
  const std::size_t with_bits = definition.measure == Measure::hamming || has_short ? units.units() : 0,
                    with_length = definition.length_ratio.num != 0 || has_short ? units.units() : 0;
  // A character becomes at most eighteen when it is folded, each with a feature; sets of tokens have no text.
  constexpr std::uint64_t kMostFeaturesPerByte = 18;
  const bool has_text = definition.features.kind != FeatureKind::tokens && definition.features.minwise == 0;
  return facts.records == units.rows() && facts.bad.count == count(RowStatus::bad) &&
         facts.without_features == count(RowStatus::without_features) && facts.repeated_ids == ids.count() &&
         units.bits.size() == with_bits && units.length.size() == with_length &&
         (!has_text || units.features() <= kMostFeaturesPerByte * (facts.text_bytes + units.rows())) &&
         std::reduce(rows_of_source.begin(), rows_of_source.end(), std::uint64_t{0}) == units.rows();
}

}  // namespace neardup::corpus
