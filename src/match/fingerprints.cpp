// The fingerprints of a collection: in memory, into a file, and several files into one.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/guard.h"
#include "base/memory_plan.h"
#include "base/system.h"
#include "base/tsv.h"
#include "corpus/bad_records.h"
#include "corpus/definition_for.h"
#include "corpus/rarities.h"
#include "corpus/row_names.h"
#include "corpus/survey.h"
#include "io/codecs/codecs.h"
#include "io/fps/source.h"
#include "io/output.h"
#include "match/fingerprint_sorter.h"
#include "neardup/error.h"
#include "neardup/fingerprint.h"
#include "neardup/sketch.h"
#include "neardup/text_rules.h"
#include "neardup/version.h"
#include "report/run_frame.h"

namespace neardup {
namespace {

using namespace matching;

// What turns a feature into 64 bits: docs/algorithms/text.md.
constexpr const char* kFeatureHash = "neardup-1";
constexpr std::string_view kTokens = "tokens";

// What a record is called, before it is known whether others are called the same.
struct RecordName {
  std::string name;
  std::uint64_t hash = 0;
};

// The records of a batch.
struct Fingerprinted {
  std::vector<RowStatus> status;
  std::vector<std::uint64_t> bits;
  std::vector<Volatility> volatility;  // where it is wanted
  std::vector<RecordName> names;       // where they are wanted
};

// What is to be found out of each record.
struct Wanted {
  Projection projection;
  bool volatility, names;
};

// Makes the fingerprints of one thread.
class Fingerprinter {
 public:
  Fingerprinter(const Collection& collection, const Definition& definition, const corpus::Rarities* rarities,
                const Wanted& wanted)
      : wanted_(wanted),
        name_hasher_(collection),
        sketcher_(definition, rarities != nullptr ? rarities->table() : nullptr, {.projection = wanted.projection}) {}

  void operator()(const corpus::SurveyedRecord& record, Fingerprinted& out) {
    RowStatus& status = out.status.emplace_back(RowStatus::bad);
    std::uint64_t& bits = out.bits.emplace_back(0);
    Volatility* const volatility = wanted_.volatility ? &out.volatility.emplace_back() : nullptr;
    RecordName* const name = wanted_.names ? &out.names.emplace_back() : nullptr;
    if (record.document == nullptr) return;
    const DocumentView& document = *record.document;
    const std::optional<Fingerprint> fingerprint = sketcher_.simhash(document, volatility);
    status = fingerprint ? RowStatus::document : RowStatus::without_features;
    if (fingerprint) bits = fingerprint->bits;
    if (name == nullptr) return;
    *name = {.name = io::record_name(record.source, record.number, document.key),
             .hash = name_hasher_.hash(record.source, record.number, document.key).name};
  }

 private:
  const Wanted& wanted_;
  corpus::NameHasher name_hasher_;
  Sketcher sketcher_;
};

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
  if (options.on_bad_record == OnBadRecord::quarantine) {
    throw Error(ErrorCode::usage, "`on_bad_record=quarantine` is for dedup; here it is skip or fail", "on_bad_record");
  }
  return definition;
}

// Counts how often a feature occurs where that decides its weight.
std::unique_ptr<const corpus::Rarities> count(const Collection& collection, const Definition& definition,
                                              const Context& context) {
  if (context.observer != nullptr) {
    std::vector<PlannedStage> stages{{"fingerprinting", 1}};
    if (definition.weights == Weights::tfidf) stages.insert(stages.begin(), {"counting features", 1});
    context.observer->plan(stages);
  }
  const Collection* const collections[] = {&collection};
  return corpus::count_features(collections, definition, context);
}

// Reads the collection once; `take(part)` gets its records batch by batch, in order.
template <class Take>
void read_fingerprints(const Collection& collection, const Definition& definition, const corpus::Rarities* rarities,
                       const Wanted& wanted, OnBadRecord on_bad_record, const Take& take, FingerprintReport& report,
                       const Context& context) {
  report.features = definition.features;
  corpus::ContentHash content(collection);
  corpus::BadRecordLog bad(on_bad_record, {}, {});
  corpus::survey_collection<Fingerprinted>(
      collection, {.stage = "fingerprinting"}, bad,
      [&] { return Fingerprinter(collection, definition, rarities, wanted); },
      [&](const io::RecordBatch&, Fingerprinted& part) {
        report.without_features +=
            static_cast<std::uint64_t>(std::ranges::count(part.status, RowStatus::without_features));
        take(part);
      },
      report, content, context);
  if (rarities != nullptr) rarities->check_unchanged(collection, content);
}

// Writes fingerprints under the names of their documents.
class NamedWriter {
 public:
  NamedWriter(io::FingerprintSink& out, const Context& context) : out_(out), names_(base::reservation(context)) {}

  void add(const Fingerprinted& part) {
    for (std::size_t i = 0; i < part.names.size(); ++i) {
      if (part.status[i] == RowStatus::bad) continue;
      const std::string unique = names_.unique(part.names[i].name, part.names[i].hash);
      const bool has_features = part.status[i] == RowStatus::document;
      out_.add({.fingerprint = has_features ? std::optional(Fingerprint{part.bits[i]}) : std::nullopt,
                .volatility = part.volatility.empty() ? nullptr : &part.volatility[i],
                .id = unique});
    }
    names_.hold_memory();
  }
  [[nodiscard]] std::uint64_t repeated_ids() const { return names_.repeats(); }

 private:
  io::FingerprintSink& out_;
  corpus::NamesInOrder names_;
};

class TextSink final : public io::FingerprintSink {
 public:
  explicit TextSink(std::unique_ptr<io::ByteSink> out) : out_(std::move(out)) {}
  void add(const io::FingerprintRecord& record) override {
    out_->write(to_hex(record.fingerprint) + '\t' + base::escape_tsv(record.id) + '\n');
  }
  void close() override { out_->close(); }

 private:
  std::unique_ptr<io::ByteSink> out_;
};

bool is_fps(const io::Target& target) { return io::ends_in(target.path.string(), io::kFpsExtension); }

// Where written fingerprints go: text or .fps, to a file under a temporary name until commit(), or standard output.
class FingerprintOutput {
 public:
  // `check` may refuse a file's path. Throws Error{usage} for a name that is not a place for fingerprints.
  FingerprintOutput(const FingerprintFileOptions& options, const Context& context,
                    const std::function<void(const std::filesystem::path&)>& check)
      : context_(context), target_(io::parse_target(options.output)) {
    const bool is_file = target_.kind == io::Target::Kind::file && target_.format == nullptr;
    if (!is_file && target_.kind != io::Target::Kind::stdout_stream && !is_discarded()) {
      throw Error(
          ErrorCode::usage,
          "fingerprints are written as .fps or as text: `output` must end in .fps, .hex, .hex.gz or .hex.zst, or be -",
          "output");
    }
    wants_volatility_ = is_file && is_fps(target_) && options.volatility;
    if (!is_file) return;
    check(target_.path);
    transaction_ = std::make_unique<io::OutputTransaction>(target_.path, options.overwrite, context);
  }
  // Whether the volatility of documents will be kept.
  [[nodiscard]] bool wants_volatility() const { return wants_volatility_; }
  // Starts writing. Call once.
  std::unique_ptr<io::FingerprintSink> open(const io::FingerprintHeader& header) {
    if (is_discarded()) return std::make_unique<TextSink>(io::null_sink());
    if (transaction_ == nullptr) return std::make_unique<TextSink>(io::stdout_sink(io::plain_codec()));
    auto out = io::open_sink(base::files(context_), transaction_->working_path(), *target_.codec);
    if (!is_fps(target_)) return std::make_unique<TextSink>(std::move(out));
    io::FingerprintHeader whole = header;
    whole.tool = version();
    return std::make_unique<io::FingerprintFileWriter>(std::move(out), std::move(whole));
  }
  void commit() {
    if (transaction_) transaction_->commit();
  }

 private:
  [[nodiscard]] bool is_discarded() const { return target_.kind == io::Target::Kind::null_device; }

  const Context& context_;
  io::Target target_;
  bool wants_volatility_ = false;
  std::unique_ptr<io::OutputTransaction> transaction_;
};

// Before `out`, something that brings records into order.
std::unique_ptr<FingerprintSorter> sorted(std::unique_ptr<io::FingerprintSink> out, const io::FingerprintHeader& header,
                                          const Context& context) {
  const auto volatilities =
      header.volatility ? FingerprintSorter::Volatilities::kept : FingerprintSorter::Volatilities::dropped;
  return std::make_unique<FingerprintSorter>(std::move(out), volatilities, base::plan_memory(context).unsorted,
                                             context);
}

io::FingerprintMaking making_of(const Definition& definition, Projection projection, const corpus::Rarities* rarities) {
  return {.features = to_string(definition.features),
          .weights = rarities != nullptr ? rarities->name() : to_string(definition.weights),
          .projection = to_string(projection),
          .text = describe(definition.text),
          .field_weights = fmt::format("{}", fmt::join(definition.field_weights, ",")),
          .hash = kFeatureHash,
          .seed = definition.hash_seed,
          .bag = definition.features.bag};
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

}  // namespace

FingerprintResult fingerprints(const Collection& collection, const FingerprintOptions& options, const Context& given) {
  return base::guarded(given, [&](const Context& context) {
    const Definition definition = definition_of(collection, options);
    FingerprintResult result;
    report::RunFrame frame(result.report, context);
    const auto rarities = count(collection, definition, context);
    const auto append = [](auto& all, const auto& part) { all.insert(all.end(), part.begin(), part.end()); };
    read_fingerprints(
        collection, definition, rarities.get(),
        {.projection = options.projection, .volatility = options.volatility, .names = false}, options.on_bad_record,
        [&](const Fingerprinted& part) {
          append(result.bits, part.bits);
          append(result.status, part.status);
          append(result.volatility, part.volatility);
        },
        result.report, context);
    frame.measure();
    return result;
  });
}

FingerprintReport write_fingerprints(const Collection& collection, const FingerprintOptions& options,
                                     const FingerprintFileOptions& file, const Context& given) {
  return base::guarded(given, [&](const Context& context) {
    const Definition definition = definition_of(collection, options);
    FingerprintOutput output(file, context, [&](const auto& path) { io::check_apart_from_inputs(collection, path); });
    const auto rarities = count(collection, definition, context);
    const io::FingerprintHeader header{.making = making_of(definition, options.projection, rarities.get()),
                                       .order = file.order,
                                       .volatility = output.wants_volatility()};
    std::unique_ptr<io::FingerprintSink> out = output.open(header);
    if (file.order == FingerprintOrder::fingerprint) out = sorted(std::move(out), header, context);

    FingerprintReport report;
    report::RunFrame frame(report, context);
    NamedWriter writer(*out, context);
    read_fingerprints(
        collection, definition, rarities.get(),
        {.projection = options.projection, .volatility = header.volatility, .names = true}, options.on_bad_record,
        [&](const Fingerprinted& part) { writer.add(part); }, report, context);
    out->close();
    output.commit();
    report.repeated_ids = writer.repeated_ids();
    if (report.repeated_ids > 0) frame.warn(corpus::repeated_ids_warning(report.repeated_ids));
    frame.measure();
    return report;
  });
}

FingerprintReport merge_fingerprints(std::span<const std::string> files, const FingerprintFileOptions& options,
                                     const Context& given) {
  return base::guarded(given, [&](const Context& context) {
    const base::Stopwatch watch;
    if (files.empty()) throw Error(ErrorCode::usage, "no fingerprint file is given");
    if (std::ranges::count(files, "-") > 1) throw Error(ErrorCode::usage, "- is named twice; it can be read only once");
    FingerprintOutput output(options, context,
                             [&](const auto& path) { io::check_apart_from_files(files, path, context); });
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
          context.observer->warning(source->name() + " contains no volatility, so the merged file will not either");
      }
    }
    if (described != nullptr) header.making = described->making();
    report.features = features_of(header.making, described != nullptr ? described->name() : "");

    const auto sorter = sorted(output.open(header), header, context);
    for (const auto& source : sources) sorter->add(*source);
    sorter->close();
    output.commit();
    report.seconds = watch.seconds();
    report.peak_memory_bytes = base::peak_memory_bytes();
    return report;
  });
}

}  // namespace neardup
