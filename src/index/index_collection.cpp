// Whole collections into an index, or against it.
#include <utility>

#include "base/guard.h"
#include "base/json_writer.h"
#include "base/system.h"
#include "corpus/bad_records.h"
#include "corpus/definition_for.h"
#include "corpus/survey.h"
#include "index/index_impl.h"
#include "neardup/error.h"
#include "neardup/index.h"

namespace neardup {

void indexing::count_result(const AddResult& result, IndexReport& report) {
  switch (result.status) {
    case AddStatus::added:
      ++report.added;
      break;
    case AddStatus::unchanged:
      ++report.unchanged;
      break;
    case AddStatus::replaced:
      ++report.replaced;
      break;
    case AddStatus::conflict:
      ++report.conflicts;
      break;
    case AddStatus::duplicate:
      ++report.duplicates;
      break;
  }
}

namespace {

using indexing::OpenIndex;
using indexing::PreparedDocument;

// Documents of one batch of records, in order.
struct PreparedBatch {
  std::vector<PreparedDocument> documents;
};

// The collection must be what the index compares: texts, or sets of integers.
void check_features(const Collection& collection, const IndexOptions& options) {
  const FeatureSpec& wanted = options.definition.features;
  FeatureSpec asked = wanted;
  if (wanted.kind == FeatureKind::tokens) asked.kind.reset();
  const FeatureSpec found = corpus::features_for(collection, asked);
  if (found.kind != wanted.kind)
    throw Error(ErrorCode::usage, "the index compares sets of integers, and the input has texts", "features");
}

// Reads the collection; `prepare(document)` runs on all threads, `take(documents)` in input order.
template <class Take>
void read_into(const OpenIndex& open, const Collection& collection, OnBadRecord on_bad, const Take& take,
               IndexReport& report, const Context& context) {
  check_features(collection, open.rules.options);
  corpus::BadRecordLog bad(on_bad, {}, {});
  corpus::ContentHash content(collection);
  corpus::survey_collection<PreparedBatch>(
      collection, {.stage = "reading", .fields = open.preparer.fields()}, bad,
      [&] {
        return [&](const corpus::SurveyedRecord& record, PreparedBatch& out) {
          if (record.document == nullptr) return;
          DocumentView document = *record.document;
          const std::string key = io::record_name(record.source, record.number, document.key);
          document.key = key;
          out.documents.push_back(open.preparer.prepare_read(document));
        };
      },
      [&](const io::RecordBatch&, PreparedBatch& batch) {
        for (const PreparedDocument& document : batch.documents)
          report.without_features += document.has_features ? 0 : 1;
        take(batch.documents);
      },
      report, content, context);
}

indexing::AddMode mode_of(const IndexCollectionOptions& options) {
  if (options.action == IndexAction::check_or_add) return indexing::AddMode::check_first;
  return options.conflicts == OnConflict::replace ? indexing::AddMode::replace : indexing::AddMode::refuse;
}

}  // namespace

IndexReport add_collection(Index& index, const Collection& collection, const IndexCollectionOptions& options,
                           const std::function<void(std::string_view, const AddResult&)>& visit,
                           const Context& context) {
  return base::guarded(context, [&](const Context& call) {
    OpenIndex& open = indexing::open_of(index);
    const base::Stopwatch watch;
    IndexReport report;
    read_into(
        open, collection, options.on_bad_record,
        [&](const std::vector<PreparedDocument>& documents) {
          if (documents.empty()) return;
          std::vector<AddResult> results;
          open.change([&](indexing::Changing& changing) {
            results = indexing::add_documents(changing, documents, mode_of(options));
          });
          for (std::size_t i = 0; i < documents.size(); ++i) {
            indexing::count_result(results[i], report);
            if (visit) visit(documents[i].key, results[i]);
          }
        },
        report, call);
    report.seconds = watch.seconds();
    return report;
  });
}

IndexReport check_collection(const Index& index, const Collection& collection, OnBadRecord on_bad,
                             const std::function<void(std::string_view, const std::optional<IndexMatch>&)>& visit,
                             const Context& context) {
  return base::guarded(context, [&](const Context& call) {
    const OpenIndex& open = indexing::open_of(index);
    const base::Stopwatch watch;
    IndexReport report;
    const std::unique_ptr<indexing::StoreView> view = open.store->snapshot();
    const indexing::LedgerView ledger(*view, open.rules);
    read_into(
        open, collection, on_bad,
        [&](const std::vector<PreparedDocument>& documents) {
          for (const PreparedDocument& document : documents) {
            std::optional<IndexMatch> match;
            if (document.has_features) {
              const auto found = indexing::find_neighbours(ledger, *open.search, document.content);
              if (!found.empty()) match = indexing::best_match(ledger, found);
            }
            report.duplicates += match ? 1 : 0;
            if (visit) visit(document.key, match);
          }
        },
        report, call);
    report.seconds = watch.seconds();
    return report;
  });
}

std::string to_json(const IndexReport& report) {
  return base::json_object([&](base::JsonWriter& json) {
           json.members({{"records", report.records},
                         {"documents", report.documents()},
                         {"added", report.added},
                         {"unchanged", report.unchanged},
                         {"replaced", report.replaced},
                         {"conflicts", report.conflicts},
                         {"duplicates", report.duplicates},
                         {"without_features", report.without_features},
                         {"bad_records", report.bad.count},
                         {"repaired_texts", report.repaired_texts},
                         {"seconds", base::JsonValue::rounded(report.seconds, 3)}});
         }) +
         "\n";
}

std::string to_json(const IndexStats& stats, const IndexOptions& options) {
  return base::json_object([&](base::JsonWriter& json) {
           const Definition& definition = options.definition;
           std::string keep;
           for (const KeepRule& rule : options.keep) keep += (keep.empty() ? "" : ",") + to_string(rule);
           json.members({{"documents", stats.documents},
                         {"without_features", stats.without_features},
                         {"units", stats.units},
                         {"clusters", stats.clusters},
                         {"clustered", stats.clustered},
                         {"kept", stats.kept},
                         {"segments", stats.segments},
                         {"recent", stats.recent},
                         {"truth_bytes", stats.truth_bytes},
                         {"segment_bytes", stats.segment_bytes},
                         {"memory_bytes", stats.memory_bytes},
                         {"last_change", stats.last_change},
                         {"features", to_string(definition.features)},
                         {"measure", to_string(definition.measure)},
                         {"threshold", to_string(definition.threshold)},
                         {"finder", options.finder},
                         {"cluster_kind", to_string(options.clusters)},
                         {"keep", keep},
                         {"store_texts", options.store_texts}});
         }) +
         "\n";
}

}  // namespace neardup
