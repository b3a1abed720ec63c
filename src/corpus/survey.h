// A reading of a whole collection in which every record is looked at once, good or bad.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/document_text.h"
#include "corpus/bad_records.h"
#include "corpus/corpus.h"
#include "io/pass.h"
#include "neardup/collection.h"
#include "neardup/context.h"

namespace neardup::corpus {

struct SurveyedRecord {
  const io::Source& source;
  std::uint64_t number;  // in the source; 0: the whole of it
  Row row;
  const DocumentView* document;  // null: a bad record
  io::Decoding decoding{};
  std::string_view raw{};  // its bytes; empty where there are none
};

struct SurveyOptions {
  std::string_view stage;
  std::vector<std::string> fields{};  // what DocumentView::fields holds
};

// What a batch counts for in ReadFacts::bytes. Where only some records are read, the others of a batch do not count.
inline std::uint64_t used_bytes(const io::RecordBatch& batch, const ReadOptions& reading) {
  const bool reads_all = reading.limit == 0 && reading.sample >= 1;
  if (reads_all || !batch.has_raw() || batch.bytes.empty()) return batch.input_bytes;
  std::uint64_t used = 0;
  for (std::size_t place = 0; place < batch.size(); ++place)
    used += batch.raw(place).size() + batch.terminator(place).size();
  const double share = static_cast<double>(used) / static_cast<double>(batch.bytes.size());
  return static_cast<std::uint64_t>(static_cast<double>(batch.input_bytes) * std::min(1.0, share) + 0.5);
}

// `make_visit()` is called once by each thread; what it returns is called with every record of a batch in order and
// that batch's Part: visit(record, part); after the last one, if it has such a member, visit.finish_batch(part).
// `take(batch, part)` gets the parts in input order, once facts, content and `bad` know of the batch. Throws
// Error{input} when there are records and none could be read, on either side of two collections that are read as one.
template <class Part, class MakeVisit, class Take>
void survey_collection(const Collection& collection, const SurveyOptions& options, BadRecordLog& bad,
                       const MakeVisit& make_visit, const Take& take, ReadFacts& facts, ContentHash& content,
                       const Context& context) {
  struct Surveyed {
    Part part{};
    std::vector<BadEvent> bad;
    std::vector<EncodingCount> encodings;
    std::uint64_t repaired = 0, without_main_text = 0, text_bytes = 0, content = 0;
  };
  const io::CollectionImpl& impl = io::impl_of(collection);
  const ReadOptions reading = impl.with_fields(options.fields);
  std::array<Readable, 2> sides;
  io::run_pass<Surveyed>(
      collection, reading, context, options.stage,
      [&] {
        return [parser = impl.parser(reading), visit = make_visit(), document = DocumentView()](
                   const io::RecordBatch& batch, Surveyed& out) mutable {
          out.content = content_hash(batch);
          for (std::uint32_t place = 0; place < batch.size(); ++place) {
            const char* problem = parser->parse(batch, place, document);
            io::Decoding decoding;
            if (problem != nullptr) {
              out.bad.push_back({place, problem});
            } else {
              decoding = parser->decoding();
              out.repaired += decoding.repaired ? 1 : 0;
              out.without_main_text += decoding.lacks_main_text ? 1 : 0;
              if (!decoding.encoding.empty())
                add_encoding({std::string(decoding.encoding), decoding.detected, 1}, out.encodings);
              out.text_bytes += base::text_bytes(document);
            }
            visit(SurveyedRecord{*batch.source, batch.number(place), row_of(batch.first_row + place),
                                 problem == nullptr ? &document : nullptr, decoding,
                                 batch.has_raw() ? batch.raw(place) : std::string_view()},
                  out.part);
          }
          if constexpr (requires { visit.finish_batch(out.part); }) visit.finish_batch(out.part);
        };
      },
      [&](const io::RecordBatch& batch, Surveyed& read) {
        const auto source = static_cast<std::size_t>(batch.source - impl.sources.data());
        Readable& side = sides[source < impl.second_side ? 0 : 1];
        for (const BadEvent& event : read.bad) bad.add(batch, event);
        if (!side.first_bad && !read.bad.empty())
          side.first_bad = {batch.source->path, batch.number(read.bad.front().place), read.bad.front().reason};
        side.records += batch.size();
        side.documents += batch.size() - read.bad.size();
        for (const EncodingCount& encoding : read.encodings) add_encoding(encoding, facts.encodings);
        content.add(batch, read.content);
        facts.records += batch.size();
        facts.bytes += used_bytes(batch, reading);
        facts.text_bytes += read.text_bytes;
        facts.repaired_texts += read.repaired;
        facts.without_main_text += read.without_main_text;
        take(batch, read.part);
      });
  facts.bad = bad.records();
  facts.binary_files = impl.binary_files;
  check_readable(sides[0], impl.named_by);
  check_readable(sides[1], "against");
}

}  // namespace neardup::corpus
