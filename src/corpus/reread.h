// How are chosen rows of a corpus looked at again?
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/corpus.h"
#include "io/pass.h"
#include "neardup/collection.h"
#include "neardup/context.h"

namespace neardup::corpus {

struct RereadOptions {
  std::string_view stage;             // what this reading is called
  std::vector<std::string> fields{};  // what DocumentView::fields holds
  bool links = false;                 // of pages
};

// A record that is looked at again.
struct RereadRecord {
  const Corpus& corpus;
  const io::Source& source;
  std::uint64_t number;  // in the source; 0: the whole of it
  Row row;
  const DocumentView& document;

  // What outputs call it.
  [[nodiscard]] std::string name() const { return name_of(source, number, document.key, corpus.ids.occurrence(row)); }
  // The record is not what it was.
  [[noreturn]] void changed() const { throw_changed(source); }
};

// Reads the collection once more. `wanted(row)` says which rows are shown; it may be called from any thread.
// `make_visit()` is called once by each thread; what it returns is called with every wanted record of a batch and that
// batch's Part: visit(record, part). `take(batch, part)` gets the parts of all batches in input order. Throws
// Error{input} that names the source whose records are not those that the census met.
template <class Part, class Wanted, class MakeVisit, class Take>
void reread(const Corpus& corpus, const RereadOptions& options, const Wanted& wanted, const MakeVisit& make_visit,
            const Take& take, const Context& context) {
  struct Reread {
    std::uint64_t content = 0;
    Part part{};
  };
  const io::CollectionImpl& collection = io::impl_of(corpus.collection);
  ReadOptions reading = collection.with_fields(options.fields);
  reading.links = options.links;
  ContentHash content(corpus.collection);
  io::run_pass<Reread>(
      corpus.collection, reading, context, options.stage,
      [&] {
        return [&, parser = collection.parser(reading), visit = make_visit(), document = DocumentView()](
                   const io::RecordBatch& batch, Reread& out) mutable {
          if (batch.first_row + batch.size() > corpus.units.rows()) throw_changed(*batch.source);
          out.content = content_hash(batch);
          for (std::size_t place = 0; place < batch.size(); ++place) {
            const Row row = row_of(batch.first_row + place);
            if (!wanted(row)) continue;
            if (parser->parse(batch, place, document) != nullptr) throw_changed(*batch.source);
            visit(RereadRecord{corpus, *batch.source, batch.number(place), row, document}, out.part);
          }
        };
      },
      [&](const io::RecordBatch& batch, Reread& read) {
        content.add(batch, read.content);
        take(batch, read.part);
      });
  corpus.content.check_same(content);
}

// The same for the first document of every unit that is wanted: visit(record, unit, part), take(part).
template <class Part, class Wanted, class MakeVisit, class Take>
void reread_units(const Corpus& corpus, const Wanted& wanted, const MakeVisit& make_visit, const Take& take,
                  const Context& context, std::string_view stage = "collecting") {
  const Units& units = corpus.units;
  reread<Part>(
      corpus, {.stage = stage}, [&](Row row) { return units.is_first(row) && wanted(units.unit_of_row[row]); },
      [&] {
        return [&units, visit = make_visit()](const RereadRecord& record, Part& part) mutable {
          visit(record, units.unit_of_row[record.row], part);
        };
      },
      [&](const io::RecordBatch&, Part& part) { take(part); }, context);
}

}  // namespace neardup::corpus
