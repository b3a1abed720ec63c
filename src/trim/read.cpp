#include "trim/read.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "base/document_text.h"
#include "base/memory_plan.h"
#include "corpus/survey.h"
#include "neardup/error.h"
#include "passages/borders.h"
#include "passages/search.h"
#include "passages/units.h"

namespace neardup::trimming {
namespace {

constexpr std::size_t kStoreInMemory = std::size_t{256} << 20;

// About how many windows a collection has.
std::uint64_t expected_windows(const Collection& collection, const TrimOptions& options) {
  constexpr std::uint64_t kWordBytes = 5, kItemBytes = 40;
  std::uint64_t bytes = 0;
  for (const io::Source& source : io::impl_of(collection).sources) bytes += source.file_bytes;
  return bytes / (options.unit.kind == TrimUnit::Kind::spans ? kWordBytes : kItemBytes) + 1000;
}

struct ReadDocument {
  std::string name, items;
  std::uint32_t count = 0;
  std::string group;
  bool has_group = false;
  corpus::NameHash name_hash{};
  std::vector<std::uint64_t> keep{};
  bool is_bad = true;
};

struct ReadPart {
  std::vector<ReadDocument> documents;
  std::vector<cluster::RuleCounts> counts;
};

// Numbers the values of a field.
class Groups {
 public:
  std::uint32_t number(const ReadDocument& document) {
    if (!document.has_group) return 0;
    return numbers_.try_emplace(document.group, static_cast<std::uint32_t>(numbers_.size() + 1)).first->second;
  }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

class TrimReader {
 public:
  TrimReader(const Collection& collection, const TrimOptions& options, const cluster::KeepTable* keep,
             const std::vector<std::string>& fields, passages::RepeatFilter& filter)
      : options_(options),
        keep_(keep),
        fields_(fields),
        filter_(filter),
        names_(collection),
        folder_(passages::kind_of(options.unit)),
        hasher_(options.unit.length, passages::kFirstSeed) {}

  void operator()(const corpus::SurveyedRecord& record, ReadPart& part) {
    if (part.counts.empty() && keep_ != nullptr) part.counts = keep_->no_counts();
    ReadDocument& out = part.documents.emplace_back();
    if (record.document == nullptr) return;
    const DocumentView& document = *record.document;
    out.is_bad = false;
    out.name = io::record_name(record.source, record.number, document.key);
    out.name_hash = names_.hash(record.source, record.number, document.key);
    if (keep_ != nullptr) out.keep = keep_->values_of(document, fields_, part.counts);
    if (!options_.by.empty()) {
      if (const auto value = cluster::field_value(document, fields_, options_.by)) {
        out.group = *value;
        out.has_group = true;
      }
    }
    const std::string_view items = folder_.fold(base::whole_text(document, joined_), out.count);
    out.items = items;
    if (!options_.by.empty()) return;  // the number of the group is not known yet
    passages::find_items(items, passages::separator_of(passages::kind_of(options_.unit)), places_);
    hasher_.hash(items, places_, 0, hashes_);
    filter_.add(hashes_);
  }

 private:
  const TrimOptions& options_;
  const cluster::KeepTable* keep_;
  const std::vector<std::string>& fields_;
  passages::RepeatFilter& filter_;
  corpus::NameHasher names_;
  passages::ItemFolder folder_;
  passages::WindowHasher hasher_;
  std::string joined_;
  passages::Items places_;
  std::vector<std::uint64_t> hashes_;
};

void refuse_sets(const Collection& collection) {
  for (const io::Source& source : io::impl_of(collection).sources) {
    if (source.problem.empty() && io::holds_tokens(source))
      throw Error(ErrorCode::usage, fmt::format("{}: records that are sets of integers have no passages", source.path),
                  "format");
  }
}

}  // namespace

TrimReading::TrimReading(const Collection& collection, const TrimOptions& options, const Context& context)
    : documents(context, std::min(base::memory_bytes(context) / 4, kStoreInMemory)),
      content(collection),
      keep(options.keep) {}

std::string TrimReading::name(std::size_t document) const {
  std::string name = documents.name(document);
  if (document < others) return name;
  return corpus::repeated_name(std::move(name), ids.occurrence(row_of(document - others)));
}

std::unique_ptr<TrimReading> read_documents(const Collection& collection, const Collection* other,
                                            const TrimOptions& options, corpus::BadRecordLog& bad,
                                            const Context& context) {
  refuse_sets(collection);
  auto reading = std::make_unique<TrimReading>(collection, options, context);
  const std::uint64_t windows =
      expected_windows(collection, options) + (other != nullptr ? expected_windows(*other, options) : 0);
  reading->filter =
      std::make_unique<passages::RepeatFilter>(windows, base::memory_bytes(context) / 4, base::reservation(context));
  Groups groups;
  std::vector<std::string> by;
  if (!options.by.empty()) by.push_back(options.by);
  if (other != nullptr) {
    refuse_sets(*other);
    ReadFacts facts;
    corpus::ContentHash content(*other);
    corpus::BadRecordLog other_bad(options.on_bad_record == OnBadRecord::fail ? OnBadRecord::fail : OnBadRecord::skip,
                                   {}, {});
    corpus::survey_collection<ReadPart>(
        *other, {.stage = "reading the other collection", .fields = by}, other_bad,
        [&] { return TrimReader(*other, options, nullptr, by, *reading->filter); },
        [&](const io::RecordBatch&, ReadPart& part) {
          for (const ReadDocument& document : part.documents)
            reading->documents.add(document.name, document.items, document.count, groups.number(document));
        },
        facts, content, context);
    reading->others = static_cast<std::uint32_t>(reading->documents.size());
    reading->other_bad = facts.bad;
    reading->other_records = facts.records;
  }
  std::vector<std::string> fields = reading->keep.fields();
  if (!options.by.empty() && std::ranges::find(fields, options.by) == fields.end()) fields.push_back(options.by);
  if (!fields.empty()) io::check_fields(collection, fields, options.by.empty() ? "keep" : "by");
  corpus::survey_collection<ReadPart>(
      collection, {.stage = "reading", .fields = fields}, bad,
      [&] { return TrimReader(collection, options, &reading->keep, fields, *reading->filter); },
      [&](const io::RecordBatch& batch, ReadPart& part) {
        if (batch.first_row + part.documents.size() + reading->others > kMostRows)
          throw Error(ErrorCode::limit, "more than 4,294,967,294 records; split the collection");
        for (const ReadDocument& document : part.documents) {
          reading->documents.add(document.name, document.items, document.count, groups.number(document));
          reading->ids.add(document.name_hash);
          if (document.is_bad) {
            reading->keep.append_bad();
          } else {
            reading->keep.append_values(document.keep);
          }
        }
        if (!part.counts.empty()) reading->keep.add_counts(part.counts);
      },
      reading->facts, reading->content, context);
  reading->documents.finish();
  reading->ids.finish();
  reading->facts.repeated_ids = reading->ids.count();
  if (!options.by.empty()) reading->filter.reset();
  const bool is_input_order =
      std::ranges::all_of(options.keep, [](const KeepRule& rule) { return rule.kind == KeepRule::Kind::first; });
  if (!is_input_order) {
    reading->order.resize(reading->documents.size());
    std::iota(reading->order.begin(), reading->order.end(), 0u);
    const std::uint32_t others = reading->others;
    std::sort(reading->order.begin() + others, reading->order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return reading->keep.prefers(a - others, b - others); });
  }
  return reading;
}

std::unique_ptr<passages::RunSet> read_protected(const TrimOptions& options, const Context& context) {
  if (options.protect.empty()) return nullptr;
  const passages::ItemKind kind = passages::kind_of(options.unit);
  auto runs =
      std::make_unique<passages::RunSet>(options.unit.length, passages::separator_of(kind), passages::kFirstSeed);
  const auto reader =
      Collection::open(InputFiles{.inputs = options.protect, .named_by = "protect"}, {.format = "text"}, context)
          .read(context);
  passages::ItemFolder folder(kind);
  for (Document document; reader->next(document);) {
    for (const passages::ByteRange part : passages::paragraphs_of(document.text)) {
      std::uint32_t items = 0;
      runs->add(folder.fold(std::string_view(document.text).substr(part.begin, part.end - part.begin), items));
    }
  }
  return runs;
}

}  // namespace neardup::trimming
