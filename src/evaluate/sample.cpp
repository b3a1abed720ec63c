// Precision and recall of clusters without a truth, by an exact search from sampled documents.
#include <algorithm>
#include <memory>
#include <utility>

#include "base/counted.h"
#include "base/guard.h"
#include "base/random.h"
#include "corpus/definition_for.h"
#include "corpus/names.h"
#include "evaluate/documents.h"
#include "io/collection.h"
#include "neardup/error.h"
#include "neardup/text_rules.h"
#include "search/exact.h"
#include "search/ignore.h"
#include "search/sampled_truth.h"

namespace neardup {
namespace evaluation {
namespace {

struct DrawnDocument {
  std::uint64_t draw;
  DocId row;
  std::string text;
  std::vector<std::uint64_t> tokens;
  friend bool operator<(const DrawnDocument& a, const DrawnDocument& b) {
    return std::pair(a.draw, a.row) < std::pair(b.draw, b.row);
  }
};

// Documents that the caller holds as a collection of their own.
class DrawnDocuments final : public DocumentSource, public std::enable_shared_from_this<DrawnDocuments> {
 public:
  DrawnDocuments(std::vector<DrawnDocument> documents, bool are_tokens)
      : documents_(std::move(documents)), are_tokens_(are_tokens) {}
  [[nodiscard]] std::unique_ptr<DocumentReader> open(std::span<const std::string>) const override {
    return std::make_unique<OneBatch>(std::make_shared<Batch>(shared_from_this()));
  }
  [[nodiscard]] bool has_tokens() const override { return are_tokens_; }
  [[nodiscard]] bool may_have_field(std::string_view) const override { return false; }
  [[nodiscard]] const std::vector<DrawnDocument>& documents() const { return documents_; }

 private:
  class Batch final : public DocumentBatch {
   public:
    explicit Batch(std::shared_ptr<const DrawnDocuments> owner) : owner_(std::move(owner)) {}
    [[nodiscard]] std::size_t size() const override { return owner_->documents_.size(); }
    [[nodiscard]] std::uint64_t bytes() const override { return 0; }
    const char* get(std::size_t place, DocumentView& out) const override {
      const DrawnDocument& document = owner_->documents_[place];
      out.text = document.text;
      out.tokens = document.tokens;
      return nullptr;
    }

   private:
    std::shared_ptr<const DrawnDocuments> owner_;
  };
  class OneBatch final : public DocumentReader {
   public:
    explicit OneBatch(std::shared_ptr<const DocumentBatch> batch) : batch_(std::move(batch)) {}
    std::shared_ptr<const DocumentBatch> next() override { return std::exchange(batch_, nullptr); }

   private:
    std::shared_ptr<const DocumentBatch> batch_;
  };

  std::vector<DrawnDocument> documents_;
  bool are_tokens_;
};

// The documents whose draws are the lowest: the same ones whatever the threads.
std::shared_ptr<const DrawnDocuments> draw(const Collection& collection, const SampleOptions& options,
                                           const Context& context) {
  std::vector<DrawnDocument> heap;  // the highest draw on top
  const auto reader = collection.read(context);
  for (Document document; reader->next(document);) {
    if (document.id % 1024 == 0) base::check_stop(context);
    const std::uint64_t draw = base::mix64(document.id + base::mix64(options.seed));
    if (heap.size() == options.documents && draw >= heap.front().draw) continue;
    heap.push_back({draw, document.id, std::move(document.text), std::move(document.tokens)});
    std::ranges::push_heap(heap, std::less());
    if (heap.size() > options.documents) {
      std::ranges::pop_heap(heap, std::less());
      heap.pop_back();
    }
  }
  std::ranges::sort(heap, {}, &DrawnDocument::row);
  return std::make_shared<const DrawnDocuments>(std::move(heap),
                                                io::holds_tokens(io::impl_of(collection).sources.front()));
}

Definition definition_for(const Collection& collection, const Definition& given) {
  if (given.weights == Weights::tfidf)
    throw Error(ErrorCode::usage, "a sample cannot use `weights=tfidf`, which depends on the whole collection",
                "weights");
  Definition definition = given;
  definition.features = corpus::features_for(collection, given.features);
  corpus::check_has_strings(definition);
  corpus::check_field_weights(collection, definition);
  return definition;
}

// Which units of the collection meet the definition with each unit of the sample.
class PartnerSink final : public PairSink {
 public:
  explicit PartnerSink(std::size_t units) : partners_(units) {}
  bool accept(std::span<const Pair> pairs) override {
    for (const Pair& pair : pairs) partners_[pair.left].push_back(unit_of(pair.right));
    return true;
  }
  [[nodiscard]] const std::vector<Unit>& of(Unit unit) const { return partners_[index(unit)]; }

 private:
  std::vector<std::vector<Unit>> partners_;
};

// What the result makes of the rows of the collection.
class FoundClusters {
 public:
  FoundClusters(const Grouping& result, const corpus::Corpus& corpus, const Context& context)
      : names_(result, Grouping{}), groups_(result, names_), group_of_(corpus.units.rows()) {
    PerRow<bool> wanted(corpus.units.rows());
    for (const Row row : all<Row>(corpus.units.rows())) wanted[row] = corpus.units.status[row] != RowStatus::bad;
    const corpus::RowTexts names = corpus::collect_names(corpus, wanted, context);
    std::vector<bool> met(names_.size());
    auto alone = static_cast<std::uint32_t>(groups_.group.size() + groups_.labels.size());
    for (const Row row : all<Row>(corpus.units.rows())) {
      const auto number = wanted[row] ? names_.find(names[row]) : std::nullopt;
      if (number) met[*number] = true;
      group_of_[row] = number ? groups_.group[*number] : alone++;
    }
    sizes_.resize(alone);
    for (const Row row : all<Row>(corpus.units.rows())) {
      ++sizes_[group_of_[row]];
      if (corpus.units.has_unit(row)) rows_.emplace_back(corpus.units.unit_of_row[row], group_of_[row]);
    }
    std::ranges::sort(rows_);
    unknown_ = static_cast<std::uint64_t>(std::ranges::count(met, false));
  }

  [[nodiscard]] std::uint64_t unknown() const { return unknown_; }
  [[nodiscard]] std::uint32_t group_of(Row row) const { return group_of_[row]; }
  [[nodiscard]] std::uint64_t size_of(std::uint32_t group) const { return sizes_[group]; }
  [[nodiscard]] std::uint64_t rows_of(Unit unit) const {
    return static_cast<std::uint64_t>(
        std::ranges::equal_range(rows_, unit, {}, &std::pair<Unit, std::uint32_t>::first).size());
  }
  [[nodiscard]] std::uint64_t rows_of(Unit unit, std::uint32_t group) const {
    return static_cast<std::uint64_t>(std::ranges::equal_range(rows_, std::pair(unit, group)).size());
  }

 private:
  NameNumbers names_;
  NumberedGrouping groups_;
  PerRow<std::uint32_t> group_of_;
  std::vector<std::uint64_t> sizes_;
  std::vector<std::pair<Unit, std::uint32_t>> rows_;  // unit and group of every document
  std::uint64_t unknown_ = 0;
};

Estimate estimate(const std::vector<search::SampleCount>& counts, bool is_everything, std::uint64_t seed) {
  const Recall recall = search::estimate_recall(counts, is_everything, seed);
  return {recall.value, recall.low, recall.high};
}

SampledEvaluation evaluate_drawn(const Collection& collection, const Grouping& result, const SampleOptions& options,
                                 const Context& context) {
  SampledEvaluation out{.result_shape = result.shape, .definition = definition_for(collection, options.definition)};
  const std::shared_ptr<const DrawnDocuments> drawn = draw(collection, options, context);
  if (drawn->documents().empty()) throw Error(ErrorCode::input, "no document could be read");
  const Collection sample = Collection::from(drawn, "sample");
  const std::vector<const Collection*> both{&sample, &collection};
  search::Ignored none;
  search::SidesToSearch input =
      search::read_sides(both, out.definition, nullptr, options.on_bad_record, {}, none, context);
  const corpus::Units &sampled = input.corpora[0].units, &units = input.corpora[1].units;
  PartnerSink partners(sampled.units());
  search::find_exactly({.sides = input.corpora, .seen = std::move(input.seen), .options = {}}, partners, context);
  const FoundClusters clusters(result, input.corpora[1], context);

  std::vector<search::SampleCount> precision, recall;
  for (std::size_t i = 0; i < drawn->documents().size(); ++i) {
    const Row row = row_of(drawn->documents()[i].row);
    const std::uint32_t group = clusters.group_of(row);
    std::uint64_t truth = 0, common = 0;
    const Row own = row_of(i);
    if (sampled.has_unit(own)) {
      for (const Unit partner : partners.of(sampled.unit_of_row[own])) {
        truth += clusters.rows_of(partner);
        common += clusters.rows_of(partner, group);
        if (units.has_unit(row) && partner == units.unit_of_row[row]) {  // the document itself is among them
          --truth;
          --common;
        }
      }
    }
    const std::uint64_t found = clusters.size_of(group) - 1;
    precision.push_back({.pairs = found, .found = common});
    recall.push_back({.pairs = truth, .found = common});
    out.found_pairs += found;
    out.true_pairs += truth;
    out.common_pairs += common;
  }
  out.documents = input.corpora[1].facts.documents();
  out.sampled = drawn->documents().size();
  out.bad = input.corpora[1].facts.bad;
  out.unknown_documents = clusters.unknown();
  const bool is_everything = out.sampled == out.documents;
  out.precision = estimate(precision, is_everything, options.seed);
  out.recall = estimate(recall, is_everything, options.seed);
  if (out.unknown_documents > 0) {
    out.warnings.push_back(base::counted(out.unknown_documents, "document of the result is not in the input",
                                         "documents of the result are not in the input"));
  }
  return out;
}

}  // namespace
}  // namespace evaluation

void SampleOptions::validate() const {
  constexpr std::uint64_t kMost = 1'000'000;
  if (documents == 0 || documents > kMost)
    throw Error(ErrorCode::usage, "`sample` must be 1 to 1,000,000 documents", "sample");
  definition.validate();
  check_rules(definition.text);
  if (on_bad_record == OnBadRecord::quarantine)
    throw Error(ErrorCode::usage, "`on_bad_record=quarantine` is for dedup; here it is skip or fail", "on_bad_record");
}

SampledEvaluation evaluate_sample(const Collection& collection, const Grouping& result, const SampleOptions& options,
                                  const Context& given) {
  return base::guarded(given, [&](const Context& context) {
    options.validate();
    return evaluation::evaluate_drawn(collection, result, options, context);
  });
}

}  // namespace neardup
