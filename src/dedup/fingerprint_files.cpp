#include <memory>
#include <string>

#include "base/guard.h"
#include "base/system.h"
#include "dedup/bad_records.h"
#include "dedup/document_features.h"
#include "dedup/record_names.h"
#include "dedup/units.h"
#include "io/codecs.h"
#include "io/output.h"
#include "io/pass.h"
#include "neardup/error.h"
#include "neardup/fingerprint.h"

namespace neardup {
namespace {

using namespace dedup;

struct Fingerprinted final : io::BatchResult {
  std::vector<std::optional<Fingerprint>> fingerprints;  // one per good record
  std::vector<std::string> keys;
  std::vector<BadEvent> bad;
  std::uint64_t repaired = 0;
};

class FingerprintWorker final : public io::BatchWorker {
 public:
  FingerprintWorker(const Collection& collection, const FeatureSpec& spec, const FingerprintOptions& options)
      : weights_(options.weights),
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
      result->fingerprints.push_back(features_.simhash(document_, weights_));
      result->keys.push_back(document_.key);
      result->repaired += parser_->repaired() ? 1 : 0;
    }
    return result;
  }

 private:
  Weights weights_;
  std::unique_ptr<io::RecordParser> parser_;
  DocumentFeatures features_;
  Document document_;
};

FingerprintReport write_fingerprints(const Collection& collection, const FingerprintOptions& options,
                                     Context& context) {
  const base::Stopwatch watch;
  const FeatureSpec spec = features_for(collection, options.features, options.features_named);
  const io::Target target = io::parse_target(options.output);
  std::unique_ptr<io::OutputTransaction> transaction;
  std::unique_ptr<io::ByteSink> out;
  if (target.kind == io::Target::Kind::stdout_stream) {
    out = io::stdout_sink(io::plain_codec());
  } else if (target.kind == io::Target::Kind::file && target.format == nullptr) {
    io::check_apart_from_inputs(collection, target.path);
    transaction = std::make_unique<io::OutputTransaction>(target.path, options.overwrite, context);
    out = io::open_sink(base::files(context), transaction->working_path(), *target.codec);
  } else {
    throw Error(ErrorCode::usage,
                "fingerprints are written as text: -o must end in .hex, .hex.gz or .hex.zst, or be -");
  }
  if (options.on_bad_record == OnBadRecord::quarantine) {
    throw Error(ErrorCode::usage, "--on-bad-record quarantine is for dedup; here it is skip or fail");
  }

  FingerprintReport report;
  report.features = spec;
  BadRecordLog bad(options.on_bad_record, {}, {});
  RepeatedNames names;
  const NameHasher name_hasher(collection);
  io::run_pass(
      collection, context, "fingerprinting",
      [&] { return std::make_unique<FingerprintWorker>(collection, spec, options); },
      [&](const io::RecordBatch& batch, io::BatchResult& batch_result) {
        auto& result = static_cast<Fingerprinted&>(batch_result);
        auto next_bad = result.bad.begin();
        std::size_t good = 0;
        std::string lines;
        for (std::uint32_t place = 0; place < batch.records.size(); ++place) {
          if (next_bad != result.bad.end() && next_bad->place == place) {
            bad.add(batch, *next_bad++);
            continue;
          }
          const std::string& key = result.keys[good];
          const std::uint32_t occurrence = names.count(name_hasher.hash(*batch.source, batch.records[place], key));
          const std::string name = name_of(*batch.source, batch.records[place], key, occurrence);
          report.repeated_ids += occurrence > 1 ? 1 : 0;
          lines += to_hex(result.fingerprints[good]) + '\t' + escape_tsv(name) + '\n';
          report.without_features += result.fingerprints[good] ? 0 : 1;
          ++good;
        }
        report.documents += good;
        report.repaired_texts += result.repaired;
        out->write(lines);
      });
  out->close();
  if (transaction) transaction->commit();
  if (report.repeated_ids > 0 && context.observer != nullptr) {
    context.observer->warning(repeated_ids_warning(report.repeated_ids));
  }
  report.bad = bad.records();
  report.seconds = watch.seconds();
  return report;
}

}  // namespace

FingerprintReport fingerprint(const Collection& collection, const FingerprintOptions& options, Context& context) {
  return base::guarded([&] { return write_fingerprints(collection, options, context); });
}

}  // namespace neardup
