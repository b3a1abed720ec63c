#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/guard.h"
#include "base/system.h"
#include "dedup/bad_records.h"
#include "dedup/document_features.h"
#include "dedup/fingerprint_output.h"
#include "dedup/fingerprint_sorter.h"
#include "dedup/fingerprint_source.h"
#include "dedup/record_names.h"
#include "dedup/units.h"
#include "io/output.h"
#include "io/pass.h"
#include "neardup/error.h"
#include "neardup/fingerprint.h"

namespace neardup {
namespace {

using namespace dedup;

struct Fingerprinted final : io::BatchResult {
  std::vector<std::optional<Fingerprint>> fingerprints;  // one per good record
  std::vector<Volatility> volatility;                    // likewise, when it is kept
  std::vector<std::string> keys;
  std::vector<BadEvent> bad;
  std::uint64_t repaired = 0;
};

class FingerprintWorker final : public io::BatchWorker {
 public:
  FingerprintWorker(const Collection& collection, const FeatureSpec& spec, const FingerprintOptions& options,
                    bool wants_volatility)
      : options_(options),
        wants_volatility_(wants_volatility),
        parser_(collection.impl().parser()),
        features_({.features = spec, .hash_seed = options.hash_seed}) {}

  std::unique_ptr<io::BatchResult> work(const io::RecordBatch& batch) override {
    auto result = std::make_unique<Fingerprinted>();
    for (std::uint32_t place = 0; place < batch.records.size(); ++place) {
      const char* problem = batch.records[place].problem;
      if (problem == nullptr) problem = parser_->parse(batch, batch.records[place], document_);
      if (problem != nullptr) {
        result->bad.push_back({place, problem});
        continue;
      }
      if (wants_volatility_) result->volatility.emplace_back();
      result->fingerprints.push_back(features_.simhash(document_, options_.weights, options_.projection,
                                                       wants_volatility_ ? &result->volatility.back() : nullptr));
      result->keys.push_back(document_.key);
      result->repaired += parser_->repaired() ? 1 : 0;
    }
    return result;
  }

 private:
  const FingerprintOptions& options_;
  bool wants_volatility_;
  std::unique_ptr<io::RecordParser> parser_;
  DocumentFeatures features_;
  Document document_;
};

// What turns a feature into 64 bits: docs/algorithms/text.md.
constexpr const char* kFeatureHash = "neardup-1";
constexpr std::string_view kTokens = "tokens";

// Before `out`, something that brings records into order, if that is wanted.
std::unique_ptr<FingerprintSink> ordered(std::unique_ptr<FingerprintSink> out, const io::FingerprintHeader& header,
                                         Context& context) {
  if (header.order == Order::input) return out;
  const auto volatilities =
      header.volatility ? FingerprintSorter::Volatilities::kept : FingerprintSorter::Volatilities::dropped;
  return std::make_unique<FingerprintSorter>(std::move(out), volatilities, base::memory_bytes(context) / 4, context);
}

FingerprintReport write_fingerprints(const Collection& collection, const FingerprintOptions& options,
                                     Context& context) {
  const base::Stopwatch watch;
  const FeatureSpec spec = features_for(collection, options.features, options.features_named);
  FingerprintOutput output(options, context, [&](const auto& path) { io::check_apart_from_inputs(collection, path); });
  if (options.on_bad_record == OnBadRecord::quarantine) {
    throw Error(ErrorCode::usage, "--on-bad-record quarantine is for dedup; here it is skip or fail");
  }
  const io::FingerprintHeader header{
      .making = io::FingerprintMaking{.features = to_string(spec),
                                      .weights = to_string(options.weights),
                                      .projection = to_string(options.projection),
                                      .hash = kFeatureHash,
                                      .seed = options.hash_seed,
                                      .bag = spec.bag},
      .order = options.order,
      .volatility = output.wants_volatility(),
  };
  const auto out = ordered(output.open(header), header, context);

  FingerprintReport report;
  report.features = spec;
  BadRecordLog bad(options.on_bad_record, {}, {});
  RepeatedNames names;
  const NameHasher name_hasher(collection);
  io::run_pass(
      collection, context, "fingerprinting",
      [&] { return std::make_unique<FingerprintWorker>(collection, spec, options, header.volatility); },
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
                   name_of(*batch.source, batch.records[place], key, occurrence));
          report.without_features += result.fingerprints[good] ? 0 : 1;
          ++good;
        }
        report.documents += good;
        report.repaired_texts += result.repaired;
      });
  out->close();
  output.commit();
  if (report.repeated_ids > 0 && context.observer != nullptr) {
    context.observer->warning(repeated_ids_warning(report.repeated_ids));
  }
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

FingerprintReport merge(std::span<const std::string> files, const FingerprintOptions& options, Context& context) {
  const base::Stopwatch watch;
  if (files.empty()) throw Error(ErrorCode::usage, "no file of fingerprints is named");
  if (std::ranges::count(files, "-") > 1) throw Error(ErrorCode::usage, "- is named twice; it can be read only once");
  FingerprintOutput output(options, context, [&](const auto& path) { io::check_apart_from_files(files, path); });
  std::vector<std::unique_ptr<FingerprintSource>> sources;
  for (const std::string& file : files) sources.push_back(open_fingerprints(file, context));

  FingerprintReport report;
  io::FingerprintHeader header{.order = Order::fingerprint, .volatility = output.wants_volatility()};
  const FingerprintSource* described = nullptr;  // says how it was made
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

FingerprintReport fingerprint(const Collection& collection, const FingerprintOptions& options, Context& context) {
  return base::guarded([&] { return write_fingerprints(collection, options, context); });
}

FingerprintReport merge_fingerprints(std::span<const std::string> files, const FingerprintOptions& options,
                                     Context& context) {
  return base::guarded([&] { return merge(files, options, context); });
}

}  // namespace neardup
