#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/guard.h"
#include "base/system.h"
#include "corpus/bad_records.h"
#include "corpus/definition_for.h"
#include "corpus/encoding_counts.h"
#include "match/fingerprint_output.h"
#include "match/fingerprint_sorter.h"
#include "io/fps/source.h"
#include "corpus/rarities.h"
#include "corpus/row_names.h"
#include "corpus/units.h"
#include "io/output.h"
#include "io/pass.h"
#include "neardup/error.h"
#include "neardup/fingerprint.h"
#include "neardup/text_rules.h"

namespace neardup {
namespace {

using namespace matching;

struct Fingerprinted final : io::BatchResult {
  std::vector<std::optional<Fingerprint>> fingerprints;  // one per good record
  std::vector<Volatility> volatility;                    // likewise, when it is kept
  std::vector<std::string> keys, record_ids;
  std::vector<corpus::BadEvent> bad;
  corpus::EncodingCounts encodings;
  std::uint64_t repaired = 0, content = 0;
};

class FingerprintWorker final : public io::BatchWorker {
 public:
  FingerprintWorker(const Collection& collection, const Definition& definition, const corpus::Rarities* rarities,
                    Projection projection, bool wants_volatility)
      : weights_(definition.weights),
        wants_volatility_(wants_volatility),
        parser_(collection.impl().parser()),
        features_(definition, rarities != nullptr ? rarities->table() : nullptr, {.projection = projection}) {}

  std::unique_ptr<io::BatchResult> work(const io::RecordBatch& batch) override {
    auto result = std::make_unique<Fingerprinted>();
    if (weights_ == Weights::tfidf) result->content = corpus::content_hash(batch);
    for (std::uint32_t place = 0; place < batch.records.size(); ++place) {
      const char* problem = batch.records[place].problem;
      if (problem == nullptr) problem = parser_->parse(batch, batch.records[place], document_);
      if (problem != nullptr) {
        result->bad.push_back({place, problem});
        continue;
      }
      if (wants_volatility_) result->volatility.emplace_back();
      result->fingerprints.push_back(features_.simhash(document_, wants_volatility_ ? &result->volatility.back() : nullptr));
      result->keys.push_back(document_.key);
      result->record_ids.push_back(document_.record_id);
      const io::Decoding decoding = parser_->decoding();
      result->repaired += decoding.repaired ? 1 : 0;
      result->encodings.add(decoding);
    }
    return result;
  }

 private:
  Weights weights_;
  bool wants_volatility_;
  std::unique_ptr<io::RecordParser> parser_;
  Sketcher features_;
  Document document_;
};

// What turns a feature into 64 bits: docs/algorithms/text.md.
constexpr const char* kFeatureHash = "neardup-1";
constexpr std::string_view kTokens = "tokens";

// Before `out`, something that brings records into order, if that is wanted.
std::unique_ptr<FingerprintSink> ordered(std::unique_ptr<FingerprintSink> out, const io::FingerprintHeader& header,
                                         const Context& context) {
  if (header.order == Order::input) return out;
  const auto volatilities =
      header.volatility ? FingerprintSorter::Volatilities::kept : FingerprintSorter::Volatilities::dropped;
  return std::make_unique<FingerprintSorter>(std::move(out), volatilities, base::memory_bytes(context) / 4, context);
}

// What fingerprints are made of, as a definition: whatever distance they will be compared at.
Definition definition_of(const Collection& collection, const FingerprintOptions& options) {
  Definition definition{.features = corpus::features_for(collection, options.features, options.features_named),
                        .text = options.text,
                        .measure = Measure::hamming,
                        .threshold = {0, 1},
                        .weights = options.weights,
                        .field_weights = options.field_weights,
                        .hash_seed = options.hash_seed};
  definition.validate();
  check_rules(definition.text);
  corpus::check_has_strings(definition);
  corpus::check_field_weights(collection, definition);
  return definition;
}

FingerprintReport write_fingerprints(const Collection& collection, const FingerprintOptions& options,
                                     const Context& context) {
  const base::Stopwatch watch;
  const Definition definition = definition_of(collection, options);
  const FeatureSpec& spec = definition.features;
  FingerprintOutput output(options, context, [&](const auto& path) { io::check_apart_from_inputs(collection, path); });
  if (options.on_bad_record == OnBadRecord::quarantine) {
    throw Error(ErrorCode::usage, "--on-bad-record quarantine is for dedup; here it is skip or fail");
  }
  if (context.observer != nullptr) {
    std::vector<PlannedStage> stages{{"fingerprinting", 1}};
    if (definition.weights == Weights::tfidf) stages.insert(stages.begin(), {"counting features", 1});
    context.observer->plan(stages);
  }
  const Collection* const collections[] = {&collection};
  const std::unique_ptr<const corpus::Rarities> rarities = corpus::count_features(collections, definition, context);
  const io::FingerprintHeader header{
      .making = io::FingerprintMaking{.features = to_string(spec),
                                      .weights = rarities != nullptr ? rarities->name() : to_string(options.weights),
                                      .projection = to_string(options.projection),
                                      .text = describe(definition.text),
                                      .field_weights = fmt::format("{}", fmt::join(definition.field_weights, ",")),
                                      .hash = kFeatureHash,
                                      .seed = options.hash_seed,
                                      .bag = spec.bag},
      .order = options.order,
      .volatility = output.wants_volatility(),
  };
  const auto out = ordered(output.open(header), header, context);

  FingerprintReport report;
  report.features = spec;
  std::uint64_t content = 0;
  corpus::BadRecordLog bad(options.on_bad_record, {}, {});
  corpus::EncodingCounts encodings;
  corpus::RepeatedNames names;
  const corpus::NameHasher name_hasher(collection);
  io::run_pass(
      collection, context, "fingerprinting",
      [&] {
        return std::make_unique<FingerprintWorker>(collection, definition, rarities.get(), options.projection,
                                                   header.volatility);
      },
      [&](const io::RecordBatch& batch, io::BatchResult& batch_result) {
        auto& result = static_cast<Fingerprinted&>(batch_result);
        auto next_bad = result.bad.begin();
        std::size_t good = 0;
        for (std::uint32_t place = 0; place < batch.records.size(); ++place) {
          if (next_bad != result.bad.end() && next_bad->place == place) {
            bad.add(batch, *next_bad++);
            continue;
          }
          const std::string& key = result.keys[good];
          const std::uint32_t occurrence = names.count(name_hasher.hash(*batch.source, batch.records[place], key));
          report.repeated_ids += occurrence > 1 ? 1 : 0;
          out->add(result.fingerprints[good], header.volatility ? &result.volatility[good] : nullptr,
                   corpus::name_of(*batch.source, batch.records[place], key, result.record_ids[good], occurrence));
          report.without_features += result.fingerprints[good] ? 0 : 1;
          ++good;
        }
        report.documents += good;
        report.repaired_texts += result.repaired;
        encodings.add(result.encodings.list());
        content += result.content;
      });
  if (rarities != nullptr) rarities->check_unchanged(collection, content);
  out->close();
  output.commit();
  if (report.repeated_ids > 0 && context.observer != nullptr) {
    context.observer->warning(corpus::repeated_ids_warning(report.repeated_ids));
  }
  report.encodings = encodings.list();
  report.bad = bad.records();
  report.seconds = watch.seconds();
  return report;
}

FeatureSpec features_of(const std::optional<io::FingerprintMaking>& making, const std::string& name) {
  if (!making) return {};
  FeatureSpec spec{.kind = FeatureKind::tokens, .length = 1};
  if (making->features != kTokens) {
    try {
      spec = parse_features(making->features);
    } catch (const Error&) {
      throw Error(ErrorCode::corrupt, name + ": its header names features that do not exist: " + making->features);
    }
  }
  spec.bag = making->bag;
  return spec;
}

FingerprintReport merge(std::span<const std::string> files, const FingerprintOptions& options, const Context& context) {
  const base::Stopwatch watch;
  if (files.empty()) throw Error(ErrorCode::usage, "no file of fingerprints is named");
  if (std::ranges::count(files, "-") > 1) throw Error(ErrorCode::usage, "- is named twice; it can be read only once");
  FingerprintOutput output(options, context, [&](const auto& path) { io::check_apart_from_files(files, path); });
  std::vector<std::unique_ptr<io::FingerprintSource>> sources;
  for (const std::string& file : files) sources.push_back(io::open_fingerprints(file, context));

  FingerprintReport report;
  io::FingerprintHeader header{.order = Order::fingerprint, .volatility = output.wants_volatility()};
  const io::FingerprintSource* described = nullptr;  // says how it was made
  for (const auto& source : sources) {
    if (described == nullptr && source->making()) described = source.get();
    if (described != nullptr) check_same_making(*described, *source);
    report.documents += source->rows();
    report.without_features += source->missing();
    if (header.volatility && !source->has_volatility()) {
      header.volatility = false;
      if (context.observer != nullptr)
        context.observer->warning(source->name() + " holds no volatility, so that the merged file will not either");
    }
  }
  if (described != nullptr) header.making = described->making();
  report.features = features_of(header.making, described != nullptr ? described->name() : "");

  FingerprintSorter sorter(
      output.open(header),
      header.volatility ? FingerprintSorter::Volatilities::kept : FingerprintSorter::Volatilities::dropped,
      base::memory_bytes(context) / 4, context);
  for (const auto& source : sources) sorter.add(*source);
  sorter.close();
  output.commit();
  report.seconds = watch.seconds();
  return report;
}

}  // namespace

FingerprintReport fingerprint(const Collection& collection, const FingerprintOptions& options, const Context& context) {
  return base::guarded([&] { return write_fingerprints(collection, options, context); });
}

FingerprintReport merge_fingerprints(std::span<const std::string> files, const FingerprintOptions& options,
                                     const Context& context) {
  return base::guarded([&] { return merge(files, options, context); });
}

}  // namespace neardup
