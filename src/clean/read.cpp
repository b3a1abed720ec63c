#include "clean/read.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "base/random.h"
#include "base/system.h"
#include "cluster/keep_rules.h"
#include "neardup/error.h"
#include "neardup/sketch.h"

namespace neardup::clean {
namespace {

constexpr double kNoAuthority = -std::numeric_limits<double>::infinity();

// One record as the visitor saw it.
struct Seen {
  std::uint64_t bits = 0;
  corpus::SetHash hash{};
  std::uint32_t set_size = 0;
  Unit kind = corpus::kBadRecord;  // corpus::kBadRecord, corpus::kNoUnit: nothing to compare, 0: takes part
  double authority = kNoAuthority;
};

struct CleanPart final : corpus::ReadVisitor::Part {
  std::vector<Seen> seen;
  std::vector<std::pair<Row, std::uint32_t>> is_protected;  // row, word of --protect
  clean::Bm25Builder::PartPtr postings;
};

// What both the simhash and the search are made of is cut once.
bool is_plain_words(const CleanOptions& options) {
  return options.simhash_features == FeatureSpec{.kind = FeatureKind::words, .length = 1} &&
         options.simhash_weights == Weights::occurrences;
}

Definition cutting(const Definition& definition, const FeatureSpec& features, Weights weights) {
  Definition out = definition;
  out.features = features;
  out.weights = weights;
  return out;
}

class CleanVisitor final : public corpus::ReadVisitor {
 public:
  CleanVisitor(const CleanReadRequest& request, const std::vector<std::string>& fields,
               const clean::Bm25Builder* builder)
      : request_(request),
        fields_(fields),
        words_(cutting(request.definition, {.kind = FeatureKind::words, .length = 1}, Weights::occurrences)),
        simhash_(cutting(request.definition, request.options.simhash_features, request.options.simhash_weights)),
        features_(request.definition),
        titles_({.kind = FeatureKind::words, .length = 1}, request.definition.hash_seed, request.definition.text),
        counter_(builder != nullptr ? builder->counter() : nullptr) {}

  void visit(const io::RecordBatch& batch, std::uint32_t place, const Document* document) override {
    Seen& seen = part_->seen.emplace_back();
    if (document == nullptr) {
      if (counter_ != nullptr) counter_->add({}, {});
      return;
    }
    seen.kind = corpus::kNoUnit;
    look(*document, seen);
    const AuthorityOptions& authority = request_.options.authority;
    if (!authority.field.empty()) {
      if (const auto value = field(*document, authority.field))
        seen.authority = cluster::parse_number(*value).value_or(kNoAuthority);
    }
    protected_by_.clear();
    request_.protection.protect(*document, document->key, protected_by_, fields_);
    for (const std::uint32_t word : protected_by_)
      part_->is_protected.emplace_back(static_cast<Row>(batch.first_row + place), word);
  }

  std::unique_ptr<Part> take() override {
    if (counter_ != nullptr) part_->postings = counter_->take();
    return std::exchange(part_, std::make_unique<CleanPart>());
  }

 private:
  void look(const Document& document, Seen& seen) {
    const bool plain = is_plain_words(request_.options);
    std::optional<Fingerprint> fingerprint;
    if (plain || counter_ != nullptr) {
      const std::span<const Feature> words = words_.occurrences(document);
      if (plain && !words.empty()) fingerprint = simhash(simhash_sums(words));
      if (counter_ != nullptr) count(words, document);
    }
    if (!plain) fingerprint = simhash_.simhash(document);
    if (!fingerprint) return;
    seen.bits = fingerprint->bits;
    if (!request_.options.verify) {
      seen.hash = {seen.bits, 0};
      seen.set_size = 1;
      seen.kind = 0;
      return;
    }
    const std::span<const Feature> set = features_.set(document);
    if (set.empty()) return;
    seen.set_size = static_cast<std::uint32_t>(set.size());
    seen.hash = corpus::hash_set(set);
    seen.hash.high ^= base::mix64(seen.bits);  // copies agree in both
    seen.kind = 0;
  }

  void count(std::span<const Feature> words, const Document& document) {
    title_.clear();
    if (request_.options.search.title_boost > 0) {
      if (const auto title = field(document, "title")) titles_.occurrences(*title, title_);
    }
    counter_->add(words, title_);
  }

  [[nodiscard]] std::optional<std::string> field(const Document& document, const std::string& name) const {
    const auto place = static_cast<std::size_t>(std::ranges::find(fields_, name) - fields_.begin());
    return place < document.fields.size() ? document.fields[place] : std::nullopt;
  }

  const CleanReadRequest& request_;
  const std::vector<std::string>& fields_;
  Sketcher words_, simhash_, features_;
  FeatureExtractor titles_;
  std::unique_ptr<clean::Bm25Builder::Counter> counter_;
  std::vector<Feature> title_;
  std::vector<std::uint32_t> protected_by_;
  std::unique_ptr<CleanPart> part_ = std::make_unique<CleanPart>();
};

// Better to say so early than to be killed late.
void check_fits(const clean::Bm25Builder& index, const Context& context) {
  constexpr std::uint64_t kLeast = std::uint64_t{16} << 20;  // not worth refusing anybody for
  if (index.memory_bytes() <= std::max<std::uint64_t>(kLeast, base::memory_bytes(context) / 4 * 3)) return;
  throw Error(ErrorCode::limit,
              "the index of the log's words does not fit --memory; allow more, take fewer queries (--top-queries, "
              "--min-count), or hand in the results of another engine (--results)");
}

}  // namespace

void protect(CleanRead& read, Row row, std::uint32_t word) {
  auto& is_protected = read.repository.is_protected;
  if (is_protected.size() <= row) is_protected.resize(std::size_t{row} + 1);
  is_protected[row] = true;
  ++read.protected_by[word];
}

CleanRead read_for_cleaning(const CleanReadRequest& request, const Context& context) {
  CleanRead read;
  read.protected_by.resize(request.protection.words().size());
  const bool has_field = !request.options.authority.field.empty();
  std::vector<std::string> fields = request.protection.fields();
  fields.emplace_back("title");
  if (has_field) fields.push_back(request.options.authority.field);
  std::optional<clean::Bm25Builder> builder;
  if (request.terms != nullptr) builder.emplace(*request.terms, request.options.search);

  corpus::UnitNumbering numbering;
  corpus::UnitTable& sets = read.sets;
  clean::Repository& repository = read.repository;
  cluster::KeepTable nothing_to_keep({});
  read.documents = corpus::read_collection(
      request.collection, request.definition,
      {.keep = nothing_to_keep,
       .bad = request.bad,
       .same_unit = corpus::SameUnit::nothing,
       .fields = fields,
       .visitor = [&] { return std::make_unique<CleanVisitor>(request, fields, builder ? &*builder : nullptr); },
       .take_part =
           [&](corpus::ReadVisitor::Part& taken) {
             auto& part = static_cast<CleanPart&>(taken);
             for (const Seen& seen : part.seen) {
               const auto row = static_cast<Row>(sets.unit_of_row.size());
               repository.bits.push_back(seen.bits);
               if (has_field) repository.authority.push_back(seen.authority);
               if (seen.kind != 0) {
                 sets.unit_of_row.push_back(seen.kind);
                 repository.set.push_back(clean::kNoSet);
                 continue;
               }
               const auto [set, is_new] = numbering.number(seen.hash);
               sets.unit_of_row.push_back(set);
               repository.set.push_back(set);
               if (!is_new) continue;
               sets.first_row.push_back(row);
               sets.set_size.push_back(seen.set_size);
               sets.bits.push_back(seen.bits);
             }
             for (const auto& [row, word] : part.is_protected) protect(read, row, word);
             if (!builder) return;
             builder->append(std::move(part.postings));
             check_fits(*builder, context);
           }},
      context);
  if (!request.protection.words().empty()) repository.is_protected.resize(sets.rows());
  if (builder) read.index = builder->finish(context);
  return read;
}

}  // namespace neardup::clean
