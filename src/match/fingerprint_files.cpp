#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/guard.h"
#include "base/memory_plan.h"
#include "base/system.h"
#include "corpus/bad_records.h"
#include "corpus/definition_for.h"
#include "neardup/sketch.h"
#include "match/fingerprint_output.h"
#include "match/fingerprint_sorter.h"
#include "io/fps/source.h"
#include "corpus/rarities.h"
#include "corpus/row_names.h"
#include "corpus/survey.h"
#include "io/output.h"
#include "neardup/error.h"
#include "neardup/fingerprint.h"
#include "neardup/text_rules.h"
#include "report/run_frame.h"

namespace neardup {
namespace {

using namespace matching;

// The good records of a batch.
struct Fingerprinted {
  std::vector<std::optional<Fingerprint>> fingerprints;
  std::vector<Volatility> volatility;  // when it is kept
  std::vector<std::string> names;      // without regard to repeats
  std::vector<std::string> record_ids;
  std::vector<std::uint64_t> name_hashes;
};

// Makes the fingerprints of one thread.
class Fingerprinter {
 public:
  Fingerprinter(const Collection& collection, const Definition& definition, const corpus::Rarities* rarities,
                Projection projection, bool wants_volatility)
      : wants_volatility_(wants_volatility),
        name_hasher_(collection),
        features_(definition, rarities != nullptr ? rarities->table() : nullptr, {.projection = projection}) {}

  void operator()(const corpus::SurveyedRecord& record, Fingerprinted& out) {
    if (record.document == nullptr) return;
    const Document& document = *record.document;
    if (wants_volatility_) out.volatility.emplace_back();
    out.fingerprints.push_back(features_.simhash(document, wants_volatility_ ? &out.volatility.back() : nullptr));
    out.names.push_back(io::record_name(record.source, record.raw, document.key));
    out.record_ids.push_back(document.record_id == document.key ? std::string() : document.record_id);
    out.name_hashes.push_back(name_hasher_.hash(record.source, record.raw, document.key));
  }

 private:
  bool wants_volatility_;
  corpus::NameHasher name_hasher_;
  Sketcher features_;
};

// Counts how often a name was given, for records that must be named as they come: about 32 bytes a record.
class NameCounts {
 public:
  std::uint32_t count(std::uint64_t name_hash) { return name_hash == 0 ? 1 : ++counts_[name_hash]; }
  [[nodiscard]] std::size_t memory_bytes() const {
    constexpr std::size_t kNode = 32;
    return counts_.size() * kNode + counts_.bucket_count() * sizeof(void*);
  }

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> counts_;
};

// What turns a feature into 64 bits: docs/algorithms/text.md.
constexpr const char* kFeatureHash = "neardup-1";
constexpr std::string_view kTokens = "tokens";

// Before `out`, something that brings records into order, if that is wanted.
std::unique_ptr<FingerprintSink> ordered(std::unique_ptr<FingerprintSink> out, const io::FingerprintHeader& header,
                                         const Context& context) {
  if (header.order == FingerprintOrder::input) return out;
  const auto volatilities =
      header.volatility ? FingerprintSorter::Volatilities::kept : FingerprintSorter::Volatilities::dropped;
  return std::make_unique<FingerprintSorter>(std::move(out), volatilities, base::plan_memory(context).unsorted, context);
}

// What fingerprints are made of, as a definition: whatever distance they will be compared at.
Definition definition_of(const Collection& collection, const FingerprintOptions& options) {
  Definition definition{.features = corpus::features_for(collection, options.features),
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
  const Definition definition = definition_of(collection, options);
  const FeatureSpec& spec = definition.features;
  FingerprintOutput output(options, context, [&](const auto& path) { io::check_apart_from_inputs(collection, path); });
  if (options.on_bad_record == OnBadRecord::quarantine) {
    throw Error(ErrorCode::usage, "`on_bad_record=quarantine` is for dedup; here it is skip or fail", "on_bad_record");
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
  report::RunFrame frame(report, context);
  corpus::ContentHash content(collection);
  corpus::BadRecordLog bad(options.on_bad_record, {}, {});
  NameCounts counts;
  Reservation counts_memory = base::reservation(context);
  corpus::survey_collection<Fingerprinted>(
      collection, {.stage = "fingerprinting"}, bad,
      [&] { return Fingerprinter(collection, definition, rarities.get(), options.projection, header.volatility); },
      [&](const io::RecordBatch&, Fingerprinted& part) {
        for (std::size_t i = 0; i < part.names.size(); ++i) {
          const std::uint32_t occurrence = counts.count(part.name_hashes[i]);
          report.repeated_ids += occurrence > 1 ? 1 : 0;
          report.without_features += part.fingerprints[i] ? 0 : 1;
          out->add(part.fingerprints[i], header.volatility ? &part.volatility[i] : nullptr,
                   corpus::repeated_name(part.names[i], part.record_ids[i], occurrence));
        }
        counts_memory.hold(counts.memory_bytes());
      },
      report, content, context);
  if (rarities != nullptr) rarities->check_unchanged(collection, content);
  out->close();
  output.commit();
  if (report.repeated_ids > 0) frame.warn(corpus::repeated_ids_warning(report.repeated_ids));
  frame.measure();
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
  FingerprintOutput output(options, context, [&](const auto& path) { io::check_apart_from_files(files, path, context); });
  std::vector<std::unique_ptr<io::FingerprintSource>> sources;
  for (const std::string& file : files) sources.push_back(io::open_fingerprints(file, context));

  FingerprintReport report;
  io::FingerprintHeader header{.order = FingerprintOrder::fingerprint, .volatility = output.wants_volatility()};
  const io::FingerprintSource* described = nullptr;  // says how it was made
  for (const auto& source : sources) {
    if (described == nullptr && source->making()) described = source.get();
    if (described != nullptr) check_same_making(*described, *source);
    report.records += source->rows();
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
      base::plan_memory(context).unsorted, context);
  for (const auto& source : sources) sorter.add(*source);
  sorter.close();
  output.commit();
  report.seconds = watch.seconds();
  return report;
}

}  // namespace

FingerprintReport fingerprint(const Collection& collection, const FingerprintOptions& options, const Context& context) {
  return base::guarded(context, [&](const Context& call) { return write_fingerprints(collection, options, call); });
}

FingerprintReport merge_fingerprints(std::span<const std::string> files, const FingerprintOptions& options,
                                     const Context& context) {
  return base::guarded(context, [&](const Context& call) { return merge(files, options, call); });
}

}  // namespace neardup
