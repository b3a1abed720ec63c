#include "report/advice.h"

#include <fmt/format.h>

#include "base/counted.h"
#include "io/collection.h"
#include "io/formats/formats.h"
#include "neardup/error.h"

namespace neardup::report {

std::string no_words_warning(const corpus::Corpus& corpus) {
  constexpr std::uint64_t kLargeShare = 5;  // one in so many
  constexpr std::uint64_t kSome = 10;
  const std::uint64_t without = corpus.facts.without_features, documents = corpus.facts.documents();
  const bool is_large = without * kLargeShare >= documents && (without >= kSome || without == documents);
  if (without == 0 || !is_large) return {};
  std::string message = fmt::format("{:.0f}% of the documents ({} of {}) have no words",
                                    100 * static_cast<double>(without) / static_cast<double>(documents),
                                    base::with_commas(without), base::with_commas(documents));
  const io::Source& first = io::impl_of(corpus.collection).sources.front();
  const bool names_text = first.documents == nullptr && first.format->has_fields() && !first.format->named_fields;
  return message + (names_text ? ": is `text_fields` the right field?" : "");
}

std::string short_texts_warning(std::span<const corpus::Corpus> sides, std::uint64_t found) {
  const Definition& definition = sides.front().definition;
  const FeatureSpec& features = definition.features;
  const bool has_shingles = compares_sets(definition.measure) && features.kind == FeatureKind::words &&
                            features.length > 1 && features.minwise == 0 && !asks_for_containment(definition.measure);
  if (!has_shingles) return {};
  std::uint64_t documents = 0, single = 0;
  for (const corpus::Corpus& side : sides) {
    for (const Row row : all<Row>(side.units.rows())) {
      if (!side.units.has_unit(row)) continue;
      ++documents;
      single += side.units.size[side.units.unit_of_row[row]] == 1 ? 1 : 0;
    }
  }
  constexpr std::uint64_t kSmallCollection = 20;
  const bool is_worth_saying = documents >= kSmallCollection || (documents > 1 && found == 0);
  if (single * 2 <= documents || !is_worth_saying) return {};
  return fmt::format(
      "{} of {} have at most {} words, which `features={}` takes as one feature: only equal texts match; "
      "`features=words` or `features=chars:3` suit short texts",
      base::with_commas(single), base::counted(documents, "text", "texts"), features.length, to_string(features));
}

// The parser of a record lists its fields when the text field is missing.
std::string other_fields(const Collection& collection, const std::string& field, const Context& context) {
  const io::CollectionImpl& impl = io::impl_of(collection);
  if (impl.is_held()) return {};
  ReadOptions reading = impl.options;
  reading.text_fields = {field};
  Context quiet = context;
  quiet.observer = nullptr;
  std::string said;
  try {
    const auto batches = impl.batches(reading, quiet);
    const auto parser = impl.parser(reading);
    DocumentView document;
    io::RecordBatch batch;
    while (batches->next(batch)) {
      if (batch.size() == 0) continue;
      if (const char* problem = parser->parse(batch, 0, document)) said = problem;
      break;
    }
  } catch (const Error& error) {
    said = error.what();
  }
  constexpr std::string_view kMark = "; it has: ";
  const std::size_t list = said.find(kMark);
  return list == said.npos ? std::string() : "; the first one has: " + said.substr(list + kMark.size());
}

}  // namespace neardup::report
