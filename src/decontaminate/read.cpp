#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "base/document_text.h"
#include "base/random.h"
#include "corpus/survey.h"
#include "decontaminate/run.h"
#include "io/collection.h"
#include "passages/window_hash.h"

namespace neardup::contamination {

void read_items(const Collection& evals, const DecontaminateOptions& options, ItemIndex& index,
                DecontaminateReport& report, const Context& context) {
  const io::CollectionImpl& impl = io::impl_of(evals);
  for (const io::Source& source : impl.sources) report.suites.push_back({.name = source.path});
  struct ReadItem {
    std::uint32_t suite;
    std::string id, words;
    std::uint32_t count;
  };
  struct Part {
    std::vector<ReadItem> items;
  };
  // The first field is the text of the record; the others may be missing.
  const std::vector<std::string> others(
      options.eval_fields.empty() ? options.eval_fields.begin() : options.eval_fields.begin() + 1,
      options.eval_fields.end());
  const bool names_fields = options.eval_fields.size() > 1;
  corpus::BadRecordLog bad(options.on_bad_record == OnBadRecord::fail ? OnBadRecord::fail : OnBadRecord::skip, {}, {});
  ReadFacts facts;
  corpus::ContentHash content(evals);
  corpus::survey_collection<Part>(
      evals, {.stage = "reading test items", .fields = others}, bad,
      [&] {
        return [&, folder = passages::ItemFolder(passages::ItemKind::words), joined = std::string()](
                   const corpus::SurveyedRecord& record, Part& part) mutable {
          if (record.document == nullptr) return;
          const auto suite = static_cast<std::uint32_t>(&record.source - impl.sources.data());
          const std::string id = io::record_name(record.source, record.number, record.document->key);
          const auto add = [&](std::string_view text, const std::string& field) {
            std::uint32_t words = 0;
            const std::string_view folded = folder.fold(text, words);
            part.items.push_back({suite, names_fields ? id + "." + field : id, std::string(folded), words});
          };
          add(base::whole_text(*record.document, joined),
              options.eval_fields.empty() ? "text" : options.eval_fields.front());
          for (std::size_t i = 0; i < others.size(); ++i)
            if (record.document->fields[i]) add(*record.document->fields[i], others[i]);
        };
      },
      [&](const io::RecordBatch&, Part& part) {
        for (ReadItem& item : part.items) {
          ++report.items;
          ++report.suites[item.suite].items;
          EvalItem added{
              .id = std::move(item.id), .words = std::move(item.words), .suite = item.suite, .count = item.count};
          if (item.count < options.min_words) {
            ++report.too_short;
            continue;
          }
          ++report.suites[item.suite].judged;
          index.add(std::move(added));
        }
      },
      facts, content, context);
  report.eval_bad = facts.bad;
  index.seal();
}

std::vector<std::uint64_t> count_documents(const Collection& train, const ItemIndex& index, std::uint64_t& documents,
                                           const Context& context) {
  struct Part {
    std::vector<std::pair<std::uint64_t, std::vector<std::uint32_t>>> found;  // hash of the words, windows
  };
  corpus::BadRecordLog bad(OnBadRecord::skip, {}, {});
  ReadFacts facts;
  corpus::ContentHash content(train);
  std::vector<std::uint64_t> counts(index.windows());
  std::unordered_set<std::uint64_t> seen;
  documents = 0;
  corpus::survey_collection<Part>(
      train, {.stage = "counting"}, bad,
      [&] {
        return [judge = DocumentJudge(index), folder = passages::ItemFolder(passages::ItemKind::words),
                hasher = passages::WindowHasher(1, 1), items = passages::Items(), hashes = std::vector<std::uint64_t>(),
                joined = std::string()](const corpus::SurveyedRecord& record, Part& part) mutable {
          if (record.document == nullptr) return;
          const std::string_view text = base::whole_text(*record.document, joined);
          std::uint32_t words = 0;
          const std::string_view folded = folder.fold(text, words);
          if (words == 0) return;
          passages::find_items(folded, ' ', items);
          hasher.hash(folded, items, static_cast<unsigned>(words), 0, hashes);
          part.found.emplace_back(hashes.front(), judge.windows_of(text));
        };
      },
      [&](const io::RecordBatch&, Part& part) {
        for (const auto& [hash, windows] : part.found) {
          if (!seen.insert(hash).second) continue;
          ++documents;
          for (const std::uint32_t window : windows) ++counts[window];
        }
      },
      facts, content, context);
  return counts;
}

void find_hits(const Collection& train, const ItemIndex& index, const DecontaminateOptions&, corpus::BadRecordLog& bad,
               TrainReading& reading, const Context& context) {
  struct Part {
    std::vector<DocumentHits> hits;
    std::vector<corpus::NameHash> names;
    std::vector<bool> bad;
  };
  corpus::survey_collection<Part>(
      train, {.stage = "reading"}, bad,
      [&] {
        return [judge = DocumentJudge(index), names = corpus::NameHasher(train), joined = std::string()](
                   const corpus::SurveyedRecord& record, Part& part) mutable {
          part.bad.push_back(record.document == nullptr);
          part.names.emplace_back();
          if (record.document == nullptr) return;
          part.names.back() = names.hash(record.source, record.number, record.document->key);
          DocumentHits hits{.row = neardup::index(record.row)};
          if (!judge.judge(base::whole_text(*record.document, joined), hits)) return;
          hits.name = io::record_name(record.source, record.number, record.document->key);
          part.hits.push_back(std::move(hits));
        };
      },
      [&](const io::RecordBatch&, Part& part) {
        for (const corpus::NameHash& name : part.names) reading.ids.add(name);
        reading.bad.insert(reading.bad.end(), part.bad.begin(), part.bad.end());
        std::ranges::move(part.hits, std::back_inserter(reading.hits));
      },
      reading.facts, reading.content, context);
  reading.ids.finish();
  reading.facts.repeated_ids = reading.ids.count();
  for (DocumentHits& hits : reading.hits)
    hits.name = corpus::repeated_name(std::move(hits.name), reading.ids.occurrence(row_of(hits.row)));
}

}  // namespace neardup::contamination
