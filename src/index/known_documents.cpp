#include "index/known_documents.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unordered_map>
#include <utility>

#include "base/guard.h"
#include "corpus/bad_records.h"
#include "corpus/definition_for.h"
#include "corpus/survey.h"
#include "index/index_impl.h"
#include "io/collection.h"
#include "neardup/dedup.h"
#include "neardup/error.h"
#include "neardup/index.h"
#include "neardup/text_rules.h"

namespace neardup {
namespace indexing {

std::string encode(const PendingRun& run) {
  std::string row;
  append_varint(row, run.is_adding ? 1 : 0);
  for (const std::string* text : {&run.inputs, &run.output, &run.proof}) append_text(row, *text);
  append_varint(row, run.kept.size());
  std::string bits((run.kept.size() + 7) / 8, '\0');
  for (std::size_t i = 0; i < run.kept.size(); ++i)
    if (run.kept[i]) bits[i / 8] = static_cast<char>(static_cast<unsigned char>(bits[i / 8]) | 1U << i % 8);
  return row + bits;
}

PendingRun decode_pending(std::string_view row) {
  RowReader in(row, "run");
  PendingRun run;
  const std::uint64_t state = in.varint();
  if (state > 1) in.fail();
  run.is_adding = state == 1;
  for (std::string* text : {&run.inputs, &run.output, &run.proof}) *text = in.text();
  const std::uint64_t rows = in.varint();
  if (rows / 8 > in.rest().size()) in.fail();
  const std::string_view bits = in.take((rows + 7) / 8);
  in.finish();
  run.kept.resize(rows);
  for (std::size_t i = 0; i < rows; ++i) run.kept[i] = (static_cast<unsigned char>(bits[i / 8]) >> i % 8 & 1) != 0;
  return run;
}

std::optional<PendingRun> pending_run(const StoreView& store) {
  std::string row;
  if (!store.get(Table::meta, kPendingRow, row)) return std::nullopt;
  return decode_pending(row);
}

namespace {

// One thing that must be the same in a run and in the index.
void require_same(const std::string& index, const char* option, const std::string& given, const std::string& fixed) {
  if (given == fixed) return;
  const auto shown = [](const std::string& value) { return value.empty() ? std::string("none") : value; };
  throw Error(
      ErrorCode::usage,
      fmt::format("`{}` is {}, but the index {} was created with {}", option, shown(given), index, shown(fixed)),
      option);
}

std::string describe_keep(const std::vector<KeepRule>& rules) {
  std::vector<std::string> words;
  for (const KeepRule& rule : rules) words.push_back(to_string(rule));
  return fmt::format("{}", fmt::join(words, ","));
}

// The integers of `sets` are the features of such inputs whether or not that was said.
std::string describe_features(FeatureSpec spec, bool compares_tokens) {
  if (compares_tokens) return "the integers of sets";
  if (!spec.kind) spec.kind = FeatureKind::words;
  return to_string(spec);
}

void check_definition(const std::string& index, const Definition& given, const Definition& fixed, bool has_tokens) {
  const bool wants_tokens = fixed.features.kind == FeatureKind::tokens;
  require_same(index, "features", describe_features(given.features, has_tokens),
               describe_features(fixed.features, wants_tokens));
  const auto yes = [](bool value) { return std::string(value ? "on" : "off"); };
  require_same(index, "bag", yes(given.features.bag), yes(fixed.features.bag));
  require_same(index, "measure", to_string(given.measure), to_string(fixed.measure));
  require_same(index, "threshold", to_string(given.threshold), to_string(fixed.threshold));
  require_same(index, "weights", to_string(given.weights), to_string(fixed.weights));
  require_same(index, "field_weights", fmt::format("{}", fmt::join(given.field_weights, ",")),
               fmt::format("{}", fmt::join(fixed.field_weights, ",")));
  require_same(index, "length_ratio", to_string(given.length_ratio), to_string(fixed.length_ratio));
  require_same(index, "hash_seed", std::to_string(given.hash_seed), std::to_string(fixed.hash_seed));
  if (describe(given.text) != describe(fixed.text))
    throw Error(ErrorCode::usage,
                fmt::format("text preprocessing differs: \"{}\", but the index {} was created with \"{}\"",
                            describe(given.text), index, describe(fixed.text)));
}

// Rows of one batch of records that have a near-duplicate in the index.
struct ComparedBatch {
  struct Match {
    Row row;
    std::string key;
    double score;
  };
  std::vector<Match> matches;
};

struct ChosenBatch {
  std::vector<PreparedDocument> documents;
};

class IndexKnown final : public KnownDocuments {
 public:
  explicit IndexKnown(Index& index) : open_(open_of(index)) {}

  [[nodiscard]] std::string name() const override { return open_.path.string(); }
  [[nodiscard]] std::uint64_t documents() const override { return counters().documents; }
  [[nodiscard]] std::string state() const override {
    const Counters now = counters();
    return fmt::format("{} {} {} {}", now.next, now.next_event, now.next_decision, now.documents);
  }
  [[nodiscard]] std::optional<std::string> text(std::string_view key) const override {
    const std::unique_ptr<StoreView> view = open_.store->snapshot();
    const LedgerView ledger(*view, open_.rules);
    const std::optional<Sequence> sequence = ledger.find(key);
    if (!sequence) return std::nullopt;
    return open_.stored(ledger, *sequence, ledger.document_at(*sequence)).text;
  }

  void check(const Collection& collection, const DedupOptions& options) const override {
    const IndexOptions& fixed = open_.rules.options;
    const io::CollectionImpl& impl = io::impl_of(collection);
    const bool has_tokens = corpus::features_for(collection, {}).kind == FeatureKind::tokens;
    check_definition(name(), options.definition, fixed.definition, has_tokens);
    require_same(name(), "html", to_string(impl.options.html), to_string(fixed.html));
    require_same(name(), "clusters", to_string(options.cluster_kind()), to_string(fixed.clusters));
    require_same(name(), "keep", describe_keep(options.keep), describe_keep(fixed.keep));
  }

  [[nodiscard]] KnownMatches compare(const Collection& collection, OnBadRecord on_bad,
                                     const Context& context) const override {
    const std::unique_ptr<StoreView> view = open_.store->snapshot();
    KnownMatches found;
    std::unordered_map<std::string, std::uint32_t> places;
    ReadFacts facts;
    survey<ComparedBatch>(
        collection, on_bad, {}, facts,
        [&](const corpus::SurveyedRecord& record, ComparedBatch& out) {
          const std::optional<Content> content = open_.preparer.content_read(*record.document);
          if (!content) return;
          const LedgerView ledger(*view, open_.rules);
          const std::vector<Neighbour> neighbours = find_neighbours(ledger, *open_.search, *content);
          if (neighbours.empty()) return;
          IndexMatch best = best_match(ledger, neighbours);
          out.matches.push_back({record.row, std::move(best.key), best.score});
        },
        [&](ComparedBatch& batch) {
          for (ComparedBatch::Match& match : batch.matches) {
            const auto [place, is_new] = places.try_emplace(match.key, static_cast<std::uint32_t>(found.keys.size()));
            if (is_new) found.keys.push_back(std::move(match.key));
            found.matches.push_back({neardup::index(match.row), place->second, match.score});
          }
        },
        context);
    found.rows = facts.records;
    return found;
  }

  [[nodiscard]] std::optional<PendingRun> pending() const override { return pending_run(*open_.store); }
  void announce(const PendingRun& run) override {
    open_.change([&](Changing& changing) { changing.ledger.put_pending(run); });
  }
  void abandon() override {
    if (!pending()) return;
    open_.change([](Changing& changing) { changing.ledger.erase_pending(); });
  }

  KnownAddition add(const Collection& collection, const std::vector<bool>& rows, OnBadRecord on_bad,
                    const Context& context) override {
    if (std::optional<PendingRun> run = pending(); run && !run->is_adding) {
      run->is_adding = true;
      announce(*run);
    }
    NumberedAdds adds;
    ReadFacts facts;
    survey<ChosenBatch>(
        collection, on_bad, open_.preparer.fields(), facts,
        [&](const corpus::SurveyedRecord& record, ChosenBatch& out) {
          if (neardup::index(record.row) >= rows.size() || !rows[neardup::index(record.row)]) return;
          DocumentView document = *record.document;
          const std::string key = io::record_name(record.source, record.number, document.key);
          document.key = key;
          out.documents.push_back(open_.preparer.prepare_read(document));
        },
        [&](ChosenBatch& batch) {
          if (batch.documents.empty()) return;
          open_.change([&](Changing& changing) { add_numbered(changing, batch.documents, adds); });
        },
        context);
    if (facts.records != rows.size())
      throw Error(ErrorCode::input, "the input has changed while it was read: it has another number of records");
    abandon();
    return {.records = facts.records, .bad = facts.bad.count, .added = adds.added, .renamed = adds.renamed};
  }

 private:
  [[nodiscard]] Counters counters() const { return LedgerView(*open_.store, open_.rules).counters(); }

  // Reads the collection; `visit(record, part)` runs on all threads, `take(part)` in input order.
  template <class Part, class Visit, class Take>
  static void survey(const Collection& collection, OnBadRecord on_bad, std::vector<std::string> fields,
                     ReadFacts& facts, const Visit& visit, const Take& take, const Context& context) {
    corpus::BadRecordLog bad(on_bad, {}, {});
    corpus::ContentHash content(collection);
    corpus::survey_collection<Part>(
        collection, {.stage = "reading", .fields = std::move(fields)}, bad,
        [&] {
          return [&](const corpus::SurveyedRecord& record, Part& out) {
            if (record.document != nullptr) visit(record, out);
          };
        },
        [&](const io::RecordBatch&, Part& part) { take(part); }, facts, content, context);
  }

  OpenIndex& open_;
};

}  // namespace
}  // namespace indexing

std::unique_ptr<KnownDocuments> known_documents(Index& index) { return std::make_unique<indexing::IndexKnown>(index); }

IndexOptions Index::options_of(const std::filesystem::path& path, const Context& context) {
  return base::guarded(context,
                       [&](const Context& call) { return indexing::read_manifest(base::files(call), path).options; });
}

}  // namespace neardup
