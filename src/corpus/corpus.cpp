#include "corpus/corpus.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/random.h"
#include "corpus/bad_records.h"
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
  for (const std::uint64_t count :
       {facts.records, facts.bytes, facts.text_bytes, facts.without_features, facts.repaired_texts, facts.repeated_ids})
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
  ids.load(in);
  content.load(in);
  in.array(std::span(rows_of_source));
  for (std::uint64_t* count : {&facts.records, &facts.bytes, &facts.text_bytes, &facts.without_features,
                               &facts.repaired_texts, &facts.repeated_ids})
    *count = in.value<std::uint64_t>();
  for (std::size_t left = in.count(1); left > 0; --left) {
    EncodingCount encoding{.name = in.text()};
    encoding.detected = in.value<bool>();
    encoding.documents = in.value<std::uint64_t>();
    facts.encodings.push_back(std::move(encoding));
  }
  facts.bad = load_bad_records(in);
  facts.binary_files = io::impl_of(collection).binary_files;
  memory.hold(memory_bytes());
  if (facts.records != units.rows()) in.fail();
}

}  // namespace neardup::corpus
