#include "corpus/census.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/system.h"
#include "base/utf8.h"
#include "corpus/encoding_counts.h"
#include "corpus/row_names.h"
#include "io/pass.h"
#include "neardup/error.h"
#include "neardup/sketch.h"

namespace neardup::corpus {
namespace {

// One record as the worker saw it. A record without features has no set hash; a bad one is also in ReadBatch::bad.
struct Seen {
  SetHash hash{};
  std::uint64_t name_hash = 0;
  std::uint64_t bits = 0;
  std::uint32_t set_size = 0;
  std::uint32_t length = 0;
  bool left_out = false;
};

struct ReadBatch final : io::BatchResult {
  std::vector<Seen> seen;
  std::vector<std::uint32_t> sketches;     // finder.sketch_width() per record
  std::vector<std::uint64_t> keep_values;  // one per keep column and record
  std::vector<BadEvent> bad;
  std::vector<std::pair<std::uint32_t, std::vector<Feature>>> drawn;  // place, set
  EncodingCounts encodings;
  std::uint64_t repaired = 0, text_bytes = 0, content = 0;
  std::unique_ptr<ReadVisitor::Part> part;
};

class ReadWorker final : public io::BatchWorker {
 public:
  ReadWorker(const Collection& collection, const Definition& definition, const ReadTargets& targets,
             FirstSight& first_sight)
      : definition_(definition),
        targets_(targets),
        first_sight_(first_sight),
        sketch_width_(targets.finder != nullptr ? targets.finder->sketch_width() : 0),
        field_names_(targets.visitor ? targets.fields : targets.keep.fields()),
        parser_(parser_for(collection, field_names_)),
        name_hasher_(collection),
        features_(definition, targets.rarities != nullptr ? targets.rarities->table() : nullptr),
        visitor_(targets.visitor ? targets.visitor() : nullptr) {}

  std::unique_ptr<io::BatchResult> work(const io::RecordBatch& batch) override {
    auto result = std::make_unique<ReadBatch>();
    const std::size_t count = batch.records.size();
    result->content = content_hash(batch);
    result->seen.resize(count);
    result->sketches.resize(count * sketch_width_);
    for (std::uint32_t place = 0; place < count; ++place) {
      const bool is_good = read(batch, place, *result);
      if (visitor_ != nullptr) visitor_->visit(batch, place, is_good ? &document_ : nullptr);
    }
    if (visitor_ != nullptr) result->part = visitor_->take();
    return result;
  }

 private:
  // What keep rules ask for, whether or not the caller thought of it when opening the collection.
  static std::unique_ptr<io::RecordParser> parser_for(const Collection& collection, std::vector<std::string> fields) {
    ReadOptions reading = collection.impl().options;
    reading.extra_fields = std::move(fields);
    return collection.impl().parser(reading);
  }

  // False for a bad record.
  bool read(const io::RecordBatch& batch, std::uint32_t place, ReadBatch& result) {
    const char* problem = batch.records[place].problem;
    if (problem == nullptr) problem = parser_->parse(batch, batch.records[place], document_);
    if (problem != nullptr) {
      result.bad.push_back({place, problem});
      result.keep_values.resize(result.keep_values.size() + targets_.keep.columns());
      return false;
    }
    const io::Decoding decoding = parser_->decoding();
    result.repaired += decoding.repaired ? 1 : 0;
    result.encodings.add(decoding);
    result.text_bytes += document_.text.size();
    const auto values = targets_.keep.values_of(document_, field_names_);
    result.keep_values.insert(result.keep_values.end(), values.begin(), values.end());

    Seen& seen = result.seen[place];
    describe(batch, place, seen, result);
    return true;
  }

  // What tells the document from others.
  void describe(const io::RecordBatch& batch, std::uint32_t place, Seen& seen, ReadBatch& result) {
    seen.name_hash = name_hasher_.hash(*batch.source, batch.records[place], document_.key);
    if (targets_.left_out != nullptr) {
      const DocId row = batch.first_row + place;
      if (row >= targets_.left_out->size()) throw_changed(*batch.source);
      seen.left_out = (*targets_.left_out)[row];
      if (seen.left_out) return;
    }
    if (targets_.same_unit == SameUnit::nothing) {
      seen.set_size = 1;
      seen.hash = {batch.first_row + place, 0};
      return;
    }
    if (definition_.measure == Measure::edit) {
      const std::string string = features_.string(document_);
      seen.set_size = static_cast<std::uint32_t>(string.size());
      seen.hash = hash_bytes({string.data(), string.size()});
      return;
    }
    if (definition_.measure == Measure::hamming) {
      const auto fingerprint = features_.simhash(document_);
      if (!fingerprint) return;
      seen.bits = fingerprint->bits;
      seen.set_size = 1;
      if (definition_.length_ratio.num != 0) {
        seen.length = static_cast<std::uint32_t>(base::code_points(document_.text));
      }
      seen.hash = {fingerprint->bits, seen.length};
      return;
    }
    const std::span<const Feature> set = features_.set(document_);
    if (set.empty()) return;
    seen.set_size = static_cast<std::uint32_t>(set.size());
    seen.hash = hash_set(set);
    if (targets_.finder != nullptr) {
      targets_.finder->sketch(set, std::span(result.sketches).subspan(place * sketch_width_, sketch_width_));
    }
    if (targets_.shared != nullptr && first_sight_.claim(seen.hash)) targets_.shared->add(targets_.side, set);
    if (targets_.sample != nullptr && targets_.sample->wants(static_cast<Row>(batch.first_row + place))) {
      result.drawn.emplace_back(place, std::vector<Feature>(set.begin(), set.end()));
    }
  }

  const Definition& definition_;
  const ReadTargets& targets_;
  FirstSight& first_sight_;
  std::size_t sketch_width_;
  std::vector<std::string> field_names_;
  std::unique_ptr<io::RecordParser> parser_;
  NameHasher name_hasher_;
  Sketcher features_;
  std::unique_ptr<ReadVisitor> visitor_;
  Document document_;
};

// Takes the batches in input order and builds the tables.
class ReadTaker {
 public:
  ReadTaker(const Collection& collection, const Definition& definition, const ReadTargets& targets, ReadResult& result,
            const Context& context)
      : first_source_(collection.impl().sources.data()),
        is_hamming_(definition.measure == Measure::hamming),
        has_length_(definition.length_ratio.num != 0),
        targets_(targets),
        sketch_width_(targets.finder != nullptr ? targets.finder->sketch_width() : 0),
        result_(result),
        memory_bytes_(std::max(kLeastTables, base::memory_bytes(context))) {
    result_.rows_of_source.resize(collection.impl().sources.size());
  }

  void finish() {
    result_.encodings = encodings_.list();
    result_.ids.finish();
  }

  void take(const io::RecordBatch& batch, ReadBatch& read) {
    UnitTable& table = result_.table;
    if (batch.first_row + read.seen.size() >= kLeftOut) {
      throw Error(ErrorCode::limit, "more than 4,294,967,292 records; split the collection");
    }
    auto bad = read.bad.begin();
    auto drawn = read.drawn.begin();
    const std::size_t columns = targets_.keep.columns();
    for (std::uint32_t place = 0; place < read.seen.size(); ++place) {
      const Seen& seen = read.seen[place];
      const auto row = static_cast<Row>(batch.first_row + place);
      result_.ids.add(seen.name_hash);
      targets_.keep.append_values(std::span(read.keep_values).subspan(place * columns, columns));
      if (bad != read.bad.end() && bad->place == place) {
        targets_.bad.add(batch, *bad++);
        table.unit_of_row.push_back(kBadRecord);
      } else if (seen.left_out) {
        table.unit_of_row.push_back(kLeftOut);
      } else if (seen.set_size == 0) {
        ++result_.without_features;
        table.unit_of_row.push_back(kNoUnit);
      } else {
        const auto [unit, is_new] = numbering_.number(seen.hash);
        table.unit_of_row.push_back(unit);
        if (is_new) {
          table.first_row.push_back(row);
          table.set_size.push_back(seen.set_size);
          if (is_hamming_) table.bits.push_back(seen.bits);
          if (has_length_) table.length.push_back(seen.length);
          if (targets_.finder != nullptr) {
            const auto sketch = std::span(read.sketches).subspan(place * sketch_width_, sketch_width_);
            targets_.finder->add(sketch, seen.set_size);
          }
        }
        if (drawn != read.drawn.end() && drawn->first == place) {
          if (is_new) targets_.sample->add(row, unit, std::move(drawn->second));
          ++drawn;
        }
      }
    }
    result_.rows_of_source[static_cast<std::size_t>(batch.source - first_source_)] += read.seen.size();
    result_.input_bytes += batch.input_bytes;
    result_.repaired_texts += read.repaired;
    encodings_.add(read.encodings.list());
    result_.text_bytes += read.text_bytes;
    result_.content += read.content;
    if (read.part != nullptr) targets_.take_part(*read.part);
    check_memory();
    if (targets_.on_batch) targets_.on_batch(result_);
  }

 private:
  static constexpr std::size_t kLeastTables = std::size_t{16} << 20;  // not worth refusing anybody for

  // What is kept of every record has to fit; better to say so early than to be killed late.
  void check_memory() const {
    const UnitTable& table = result_.table;
    const std::size_t per_row = sizeof(Unit) + sizeof(std::uint64_t) * (targets_.keep.columns() + 1);
    const std::size_t per_unit = UnitNumbering::kBytesPerUnit + sizeof(Row) + 2 * sizeof(std::uint32_t) +
                                 (targets_.shared != nullptr ? FirstSight::kBytesPerUnit : 0) +
                                 sizeof(std::uint32_t) * sketch_width_;
    if (table.rows() * per_row + table.units() * per_unit > memory_bytes_) {
      throw Error(ErrorCode::limit, "what is kept of the first " + std::to_string(table.rows()) +
                                        " records does not fit --memory; allow more, or look at a part with --limit or "
                                        "--sample");
    }
  }

  const io::Source* first_source_;
  bool is_hamming_, has_length_;
  const ReadTargets& targets_;
  std::size_t sketch_width_;
  ReadResult& result_;
  std::size_t memory_bytes_;
  UnitNumbering numbering_;
  EncodingCounts encodings_;
};

}  // namespace

void ReadResult::save(base::StateWriter& out) const {
  table.save(out);
  ids.save(out);
  out.value<std::uint64_t>(encodings.size());
  for (const EncodingCount& encoding : encodings) {
    out.text(encoding.name);
    out.value(encoding.detected);
    out.value(encoding.documents);
  }
  for (const std::uint64_t count : {without_features, repaired_texts, input_bytes, text_bytes, content})
    out.value(count);
  out.array(rows_of_source);
}

void ReadResult::load(base::StateReader& in) {
  table.load(in);
  ids.load(in);
  for (std::size_t left = in.count(1); left > 0; --left) {
    EncodingCount encoding{.name = in.text()};
    encoding.detected = in.value<bool>();
    encoding.documents = in.value<std::uint64_t>();
    encodings.push_back(std::move(encoding));
  }
  for (std::uint64_t* count : {&without_features, &repaired_texts, &input_bytes, &text_bytes, &content})
    *count = in.value<std::uint64_t>();
  rows_of_source = in.array<std::uint64_t>();
}

ReadResult read_collection(const Collection& collection, const Definition& definition, const ReadTargets& targets,
                           const Context& context) {
  ReadResult result;
  {
    FirstSight first_sight;
    ReadTaker taker(collection, definition, targets, result, context);
    io::run_pass(
        collection, context, "reading",
        [&] { return std::make_unique<ReadWorker>(collection, definition, targets, first_sight); },
        [&](const io::RecordBatch& batch, io::BatchResult& read) { taker.take(batch, static_cast<ReadBatch&>(read)); });
    taker.finish();
  }
  if (targets.rarities != nullptr) targets.rarities->check_unchanged(collection, result.content);
  return result;
}

}  // namespace neardup::corpus
