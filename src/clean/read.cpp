#include "clean/read.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "base/random.h"
#include "base/system.h"
#include "clean/bm25_builder.h"
#include "cluster/keep_rules.h"
#include "corpus/census.h"
#include "neardup/error.h"
#include "neardup/sketch.h"
#include "search/exact.h"

namespace neardup::clean {
namespace {

constexpr double kNoAuthority = -std::numeric_limits<double>::infinity();

// One record as a worker saw it.
struct Sighting {
  std::uint64_t bits = 0;
  corpus::SetHash hash{};
  std::uint32_t set_size = 0;
  const Feature* kept = nullptr;  // where this is the one that keeps the set
  RowStatus status = RowStatus::bad;
  double authority = kNoAuthority;
};

struct CleanPart {
  std::vector<Sighting> sightings;
  std::vector<std::pair<DocumentNumber, std::uint32_t>> is_protected;  // row, word of CleanPolicy::protect
  PostingsPart postings;
};

// What both the simhash and the search are made of is cut once.
bool is_plain_words(const CleanSimhash& simhash) {
  return simhash.features == FeatureSpec{.kind = FeatureKind::words, .length = 1} &&
         simhash.weights == Weights::occurrences;
}

Definition cutting(const Definition& definition, const FeatureSpec& features, Weights weights) {
  Definition out = definition;
  out.features = features;
  out.weights = weights;
  return out;
}

// What each thread looks for in documents.
class Looking final : public corpus::ColumnOf<CleanPart>::TypedWorker {
 public:
  Looking(const CleanPlan& plan, const std::vector<std::string>& fields, const Bm25Builder* builder,
          corpus::FirstSight& first_sight, corpus::KeptSets& kept)
      : plan_(plan),
        fields_(fields),
        first_sight_(first_sight),
        kept_(kept),
        words_(cutting(plan.definition, {.kind = FeatureKind::words, .length = 1}, Weights::occurrences)),
        simhash_(cutting(plan.definition, plan.options.simhash.features, plan.options.simhash.weights)),
        features_(plan.definition),
        titles_({.kind = FeatureKind::words, .length = 1}, plan.definition.hash_seed, plan.definition.text) {
    if (builder != nullptr) counter_.emplace(builder->counter());
  }

  void add(const corpus::CensusRecord& record) override {
    Sighting& sighting = part_.sightings.emplace_back();
    if (record.document == nullptr) {
      if (counter_) counter_->add({}, {});
      return;
    }
    sighting.status = RowStatus::without_features;
    look(*record.document, sighting);
    const std::string& authority = plan_.options.authority.field;
    if (!authority.empty()) {
      if (const auto value = cluster::field_value(*record.document, fields_, authority))
        sighting.authority = cluster::parse_number(*value).value_or(kNoAuthority);
    }
    protected_by_.clear();
    plan_.protection.protect(*record.document, record.document->key, protected_by_, fields_);
    for (const std::uint32_t word : protected_by_) part_.is_protected.emplace_back(index(record.row), word);
  }

 private:
  void finish_batch() override {
    if (counter_) part_.postings = counter_->take();
  }

  void look(const DocumentView& document, Sighting& sighting) {
    const bool plain = is_plain_words(plan_.options.simhash);
    std::optional<Fingerprint> fingerprint;
    if (plain || counter_) {
      const std::span<const Feature> words = words_.occurrences(document);
      if (plain && !words.empty()) fingerprint = simhash(simhash_sums(words));
      if (counter_) count(words, document);
    }
    if (!plain) fingerprint = simhash_.simhash(document);
    if (!fingerprint) return;
    sighting.bits = fingerprint->bits;
    if (!plan_.options.verify) {
      sighting.hash = {sighting.bits, 0};
      sighting.set_size = 1;
      sighting.status = RowStatus::document;
      return;
    }
    const std::span<const Feature> set = features_.set(document);
    if (set.empty()) return;
    sighting.set_size = static_cast<std::uint32_t>(set.size());
    sighting.hash = corpus::hash_set(set);
    sighting.hash.high ^= base::mix64(sighting.bits);  // copies agree in both
    if (first_sight_.claim(sighting.hash)) sighting.kept = kept_.keep(set);
    sighting.status = RowStatus::document;
  }

  void count(std::span<const Feature> words, const DocumentView& document) {
    title_.clear();
    if (plan_.options.search.title_boost > 0) {
      if (const auto title = cluster::field_value(document, fields_, "title")) titles_.occurrences(*title, title_);
    }
    counter_->add(words, title_);
  }

  const CleanPlan& plan_;
  const std::vector<std::string>& fields_;
  corpus::FirstSight& first_sight_;
  corpus::KeptSets::Writer kept_;
  Sketcher words_, simhash_, features_;
  FeatureExtractor titles_;
  std::optional<PostingsCounter> counter_;
  std::vector<Feature> title_;
  std::vector<std::uint32_t> protected_by_;
};

// Better to say so early than to be killed late.
void hold_index(Reservation& memory, std::size_t bytes) {
  constexpr std::size_t kAlwaysAllowed = std::size_t{4} << 20;
  if (base::try_hold(memory, bytes, kAlwaysAllowed)) return;
  throw Error(ErrorCode::limit,
              "the index of the log's words does not fit `memory`; allow more, take fewer queries (`top_queries`, "
              "`min_count`), or provide the results of another engine (`results`)",
              "memory");
}

QueryTerms terms_of(const QueryLog& log, const Definition& definition) {
  FeatureExtractor words({.kind = FeatureKind::words, .length = 1}, definition.hash_seed, definition.text);
  QueryTerms terms(log.queries.size());
  for (std::size_t i = 0; i < terms.size(); ++i) words.occurrences(log.queries[i].text, terms[i]);
  return terms;
}

// Fills a repository, the units that are compared, and the index.
class CleanColumn final : public corpus::ColumnOf<CleanPart> {
 public:
  CleanColumn(const CleanPlan& plan, const QueryLog& log, CleanRead& read, const Context& context)
      : plan_(plan),
        read_(read),
        context_(context),
        index_memory_(base::reservation(context)),
        rows_memory_(base::reservation(context)) {
    if (plan.options.results.empty()) builder_.emplace(terms_of(log, plan.definition), plan.options.search);
  }

  [[nodiscard]] std::vector<std::string> fields() const override {
    std::vector<std::string> fields = plan_.protection.fields();
    fields.emplace_back("title");
    if (has_field()) fields.push_back(plan_.options.authority.field);
    return fields;
  }
  std::unique_ptr<Worker> worker(const std::vector<std::string>& fields) override {
    return std::make_unique<Looking>(plan_, fields, builder_ ? &*builder_ : nullptr, first_sight_, read_.kept);
  }
  // Puts the units in place of those of the census.
  void finish() {
    read_.corpus.facts.without_features =
        static_cast<std::uint64_t>(std::ranges::count(units_.status.values(), RowStatus::without_features));
    if (!plan_.protection.words().empty()) read_.repository.is_protected.resize(units_.rows());
    read_.corpus.units = std::move(units_);
    if (builder_) read_.index = builder_->finish(context_);
    rows_memory_.hold(0);
    read_.corpus.memory.hold(read_.corpus.memory_bytes());
    read_.memory = std::move(index_memory_);
    read_.memory.hold(read_.repository.memory_bytes() + (read_.index ? read_.index->memory_bytes() : 0));
  }

 private:
  [[nodiscard]] bool has_field() const { return !plan_.options.authority.field.empty(); }

  void take_part(CleanPart& part, const corpus::FiledBatch& batch) override {
    for (const Sighting& sighting : part.sightings) file(sighting);
    for (const auto& [row, word] : part.is_protected) read_.protect(row, word);
    corpus::hold_for_records(rows_memory_,
                             units_.memory_bytes() + numbering_.memory_bytes() + first_sight_.memory_bytes() +
                                 read_.kept.memory_bytes() + read_.repository.memory_bytes(),
                             batch.so_far);
    if (!builder_) return;
    builder_->append(part.postings);
    hold_index(index_memory_, builder_->memory_bytes());
  }

  void file(const Sighting& sighting) {
    Repository& repository = read_.repository;
    const Row row = row_of(units_.rows());
    repository.bits.push_back(sighting.bits);
    if (has_field()) repository.authority.push_back(sighting.authority);
    if (sighting.status != RowStatus::document) {
      units_.add(sighting.status);
      repository.set.push_back(kNoSet);
      return;
    }
    const auto [unit, is_new] = numbering_.number(sighting.hash);
    units_.add(unit);
    repository.set.push_back(index(unit));
    read_.kept.add(unit, sighting.kept);
    if (!is_new) return;
    units_.add_unit(row, sighting.set_size);
    units_.bits.push_back(sighting.bits);
  }

  const CleanPlan& plan_;
  CleanRead& read_;
  const Context& context_;
  std::optional<Bm25Builder> builder_;
  corpus::FirstSight first_sight_;
  corpus::UnitNumbering numbering_;
  corpus::Units units_;
  Reservation index_memory_, rows_memory_;
};

}  // namespace

void CleanRead::protect(DocumentNumber row, std::uint32_t word) {
  auto& is_protected = repository.is_protected;
  if (is_protected.size() <= row) is_protected.resize(std::size_t{row} + 1);
  is_protected[row] = true;
  ++protected_by[word];
}

CleanRead read_for_cleaning(const CleanPlan& plan, const QueryLog& log, corpus::BadRecordLog& bad,
                            const Context& context) {
  CleanRead read{.corpus = corpus::Corpus(plan.collection, plan.definition),
                 .kept = plan.options.verify ? search::prepare_kept_sets(plan.collection, plan.definition, context)
                                             : corpus::KeptSets(),
                 .repository = {},
                 .index = nullptr,
                 .memory = {},
                 .protected_by = std::vector<std::uint64_t>(plan.protection.words().size())};
  CleanColumn column(plan, log, read, context);
  corpus::Column* const columns[] = {&column};
  read.corpus = corpus::take_census(plan.collection, plan.definition, {.units = corpus::UnitsAre::single_rows}, bad,
                                    columns, context);
  column.finish();
  bad.close();
  return read;
}

}  // namespace neardup::clean
