#include "corpus/census.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/system.h"
#include "corpus/definition_for.h"
#include "corpus/salted.h"
#include "corpus/survey.h"
#include "neardup/error.h"
#include "neardup/sketch.h"

namespace neardup::corpus {
namespace {

// What tells a document from others.
struct Identity {
  SetHash hash{};
  std::uint32_t size = 0;  // Units::size; 0: a document without features
  std::uint64_t bits = 0;
  std::uint32_t length = 0;
  std::uint64_t salt = 0, twin = 0;
  NameHash name_hash{};
  RowStatus status = RowStatus::bad;
};

struct CensusPart {
  std::vector<Identity> identities;  // one a record
  std::vector<std::unique_ptr<Column::Part>> columns;
};

void add_fields(std::span<const std::string> more, std::vector<std::string>& fields) {
  for (const std::string& field : more)
    if (std::ranges::find(fields, field) == fields.end()) fields.push_back(field);
}

// The fields that anybody asks for, each once.
std::vector<std::string> fields_of(std::span<Column* const> columns, const Separation* separation) {
  std::vector<std::string> fields;
  if (separation != nullptr) {
    if (!separation->by.empty()) fields.push_back(separation->by);
    add_fields(separation->equal, fields);
    add_fields(separation->distinct, fields);
  }
  for (const Column* column : columns) {
    add_fields(column->fields(), fields);
  }
  return fields;
}

// What keeps a document apart from others.
class Separator {
 public:
  Separator(const Separation& separation, const std::vector<std::string>& fields) {
    const auto place_of = [&](const std::string& field) {
      return static_cast<std::size_t>(std::ranges::find(fields, field) - fields.begin());
    };
    if (!separation.by.empty()) by_ = place_of(separation.by);
    for (const std::string& field : separation.equal) equal_.push_back(place_of(field));
    for (const std::string& field : separation.distinct) distinct_.push_back(place_of(field));
  }

  struct Marks {
    std::uint64_t salt;   // equal for documents that are compared
    SetHash distinction;  // equal for those that may be one unit
  };
  Marks marks(const DocumentView& document, Row row) {
    key_.clear();
    if (by_) add(document, *by_);
    bool is_alone = false;
    for (const std::size_t place : equal_) is_alone |= !add(document, place);
    for (const std::size_t place : distinct_) is_alone |= !value(document, place);
    if (is_alone) key_ += "alone " + std::to_string(index(row));
    const SetHash hash = hash_bytes({key_.data(), key_.size()});
    for (const std::size_t place : distinct_) add(document, place);
    return {.salt = hash.low, .distinction = hash_bytes({key_.data(), key_.size()})};
  }

 private:
  static std::optional<std::string_view> value(const DocumentView& document, std::size_t place) {
    return place < document.fields.size() ? document.fields[place] : std::nullopt;
  }
  bool add(const DocumentView& document, std::size_t place) {
    const auto text = value(document, place);
    key_ += text ? std::to_string(text->size()) + ':' : std::string("-");
    if (text) key_ += *text;
    return text.has_value();
  }

  std::optional<std::size_t> by_;
  std::vector<std::size_t> equal_, distinct_;
  std::string key_;
};

// Looks at the records of one thread.
class Enumerator {
 public:
  Enumerator(const Collection& collection, const Definition& definition, const CensusOptions& options,
             std::span<Column* const> columns, const std::vector<std::string>& fields)
      : definition_(definition),
        options_(options),
        keeps_short_lengths_(keeps_short_lengths(definition)),
        name_hasher_(collection),
        features_(definition, options.rarities != nullptr ? options.rarities->table() : nullptr) {
    if (options.separation != nullptr) separator_.emplace(*options.separation, fields);
    for (Column* column : columns) workers_.push_back(column->worker(fields));
  }

  void operator()(const SurveyedRecord& record, CensusPart& part) {
    Identity& identity = part.identities.emplace_back();
    std::span<const Feature> set;
    if (record.document != nullptr) {
      identity.name_hash = name_hasher_.hash(record.source, record.number, record.document->key);
      if (is_set_aside(record)) {
        identity.status = RowStatus::set_aside;
      } else {
        set = identify(*record.document, identity);
        if (separator_) set = separate(record, set, identity);
        identity.status = identity.size == 0 ? RowStatus::without_features : RowStatus::document;
      }
    }
    const CensusRecord shown{
        .row = record.row, .document = record.document, .set = set, .hash = identity.hash, .raw = record.raw};
    for (const auto& worker : workers_) worker->add(shown);
  }

  void finish_batch(CensusPart& part) {
    for (const auto& worker : workers_) part.columns.push_back(worker->take());
  }

 private:
  [[nodiscard]] bool is_set_aside(const SurveyedRecord& record) const {
    if (options_.set_aside == nullptr) return false;
    if (index(record.row) >= options_.set_aside->size()) throw_changed(record.source);
    return (*options_.set_aside)[record.row];
  }

  // Returns the feature set, where there is one.
  std::span<const Feature> identify(const DocumentView& document, Identity& identity) {
    if (options_.units == UnitsAre::single_rows) {
      identity.size = 1;
      return {};
    }
    if (definition_.measure == Measure::edit) {
      const std::string string = features_.string(document);
      identity.size = static_cast<std::uint32_t>(string.size());
      identity.hash = hash_bytes({string.data(), string.size()});
      return {};
    }
    if (definition_.measure == Measure::hamming) {
      const auto fingerprint = features_.simhash(document);
      if (!fingerprint) return {};
      identity.bits = fingerprint->bits;
      identity.size = 1;
      if (definition_.length_ratio.num != 0) {
        identity.length = static_cast<std::uint32_t>(features_.length(document));
      }
      identity.hash = {fingerprint->bits, identity.length};
      return {};
    }
    const std::span<const Feature> set = features_.set(document);
    identity.size = static_cast<std::uint32_t>(set.size());
    if (!set.empty()) identity.hash = hash_set(set);
    if (set.size() == 1 && keeps_short_lengths_) {
      identity.bits = set.front();
      const std::size_t length = features_.elements(document).size();
      if (length < definition_.features.length) identity.length = static_cast<std::uint32_t>(length);
      shown_ = identity.bits;
      return {&shown_, 1};
    }
    return set;
  }

  // Returns the set as it is compared.
  std::span<const Feature> separate(const SurveyedRecord& record, std::span<const Feature> set, Identity& identity) {
    const Separator::Marks marks = separator_->marks(*record.document, record.row);
    identity.salt = marks.salt;
    identity.twin = base::mix64(identity.hash.low ^ marks.salt);
    identity.hash.low = base::mix64(identity.hash.low ^ marks.distinction.low);
    identity.hash.high ^= marks.distinction.high;
    return set.empty() ? set : salted_set(set, marks.salt, salted_);
  }

  const Definition& definition_;
  const CensusOptions& options_;
  bool keeps_short_lengths_;
  Feature shown_ = 0;  // a set that the sketcher no longer has
  std::optional<Separator> separator_;
  std::vector<Feature> salted_;
  NameHasher name_hasher_;
  Sketcher features_;
  std::vector<std::unique_ptr<Column::Worker>> workers_;
};

// Files the batches in input order.
class Registrar {
 public:
  Registrar(Corpus& corpus, const CensusOptions& options, std::span<Column* const> columns, const Context& context)
      : corpus_(corpus), options_(options), columns_(columns), numbering_memory_(base::reservation(context)) {
    corpus.memory = base::reservation(context);
    corpus.budget = context.memory;
  }

  void file(const io::RecordBatch& batch, CensusPart& part) {
    if (batch.first_row + part.identities.size() > kMostRows) {
      throw Error(ErrorCode::limit, "more than 4,294,967,294 records; split the collection");
    }
    filed_.clear();
    for (std::uint32_t place = 0; place < part.identities.size(); ++place)
      filed_.push_back(file(row_of(batch.first_row + place), part.identities[place]));
    const io::Source* first = io::impl_of(corpus_.collection).sources.data();
    corpus_.rows_of_source[static_cast<std::size_t>(batch.source - first)] += part.identities.size();
    for (std::size_t i = 0; i < columns_.size(); ++i)
      columns_[i]->take(*part.columns[i], {.batch = batch, .rows = filed_, .so_far = corpus_});
    hold_for_records(corpus_.memory, corpus_.memory_bytes(), corpus_);
    hold_for_records(numbering_memory_, numbering_.memory_bytes(), corpus_);
  }

  void finish() {
    corpus_.memory.hold(corpus_.memory_bytes() + corpus_.ids.finishing_bytes());
    corpus_.ids.finish();
    corpus_.memory.hold(corpus_.memory_bytes());
    corpus_.facts.repeated_ids = corpus_.ids.count();
  }

 private:
  FiledRow file(Row row, const Identity& identity) {
    Units& units = corpus_.units;
    corpus_.ids.add(identity.name_hash);
    if (identity.status != RowStatus::document) {
      units.add(identity.status);
      corpus_.facts.without_features += identity.status == RowStatus::without_features ? 1 : 0;
      return {.row = row, .unit = kNoUnit, .is_new = false};
    }
    const auto [unit, is_new] = options_.units == UnitsAre::single_rows ? std::pair(unit_of(units.units()), true)
                                                                        : numbering_.number(identity.hash);
    units.add(unit);
    if (is_new) {
      units.add_unit(row, identity.size);
      const bool has_short = keeps_short_lengths(corpus_.definition);
      if (corpus_.definition.measure == Measure::hamming || has_short) units.bits.push_back(identity.bits);
      if (corpus_.definition.length_ratio.num != 0 || has_short) units.length.push_back(identity.length);
      if (options_.separation != nullptr) units.salt.push_back(identity.salt);
      if (options_.separation != nullptr && !options_.separation->distinct.empty()) units.twin.push_back(identity.twin);
    }
    return {.row = row, .unit = unit, .is_new = is_new};
  }

  Corpus& corpus_;
  const CensusOptions& options_;
  std::span<Column* const> columns_;
  UnitNumbering numbering_;
  Reservation numbering_memory_;
  std::vector<FiledRow> filed_;
};

}  // namespace

namespace {

// What all records will take, if the rest of the input is like what has been read and took all there is. Tables grow by
// doubling, and later stages hold a little more: a user who follows the figure should succeed.
std::uint64_t expected_mebibytes(const MemoryBudget& budget, const Corpus& so_far) {
  constexpr double kMebibyte = 1u << 20, kMargin = 5.0 / 4;
  const auto limit = static_cast<double>(budget.limit()), read = static_cast<double>(so_far.facts.bytes);
  const auto all = static_cast<double>(io::impl_of(so_far.collection).input_bytes());
  const double besides = std::min(limit / 2, 24 * kMebibyte);  // what does not grow with the records
  const double needed = besides + (limit - besides) * (read > 0 ? std::max(1.0, all / read) : 1.0);
  return static_cast<std::uint64_t>(kMargin * needed / kMebibyte) + 1;
}

}  // namespace

void hold_for_records(Reservation& memory, std::size_t bytes, const Corpus& so_far) {
  constexpr std::size_t kAlwaysAllowed = std::size_t{4} << 20;
  if (base::try_hold(memory, bytes, kAlwaysAllowed)) return;
  const std::string all = so_far.budget != nullptr
                              ? fmt::format("; all records take about {}M", expected_mebibytes(*so_far.budget, so_far))
                              : "";
  throw Error(
      ErrorCode::limit,
      fmt::format("the tables for the first {} records do not fit in `memory`{}: allow more, or read a part with "
                  "`limit` or `sample`",
                  so_far.units.rows(), all),
      "memory");
}

Corpus take_census(const Collection& collection, const Definition& definition, const CensusOptions& options,
                   BadRecordLog& bad, std::span<Column* const> columns, const Context& context) {
  Corpus corpus(collection, definition);
  {
    const std::vector<std::string> fields = fields_of(columns, options.separation);
    Registrar registrar(corpus, options, columns, context);
    survey_collection<CensusPart>(
        collection, {.stage = "reading", .fields = fields}, bad,
        [&] { return Enumerator(collection, definition, options, columns, fields); },
        [&](const io::RecordBatch& batch, CensusPart& part) { registrar.file(batch, part); }, corpus.facts,
        corpus.content, context);
    registrar.finish();
  }
  if (options.rarities != nullptr) options.rarities->check_unchanged(collection, corpus.content);
  return corpus;
}

}  // namespace neardup::corpus
