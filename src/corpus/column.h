// Something else to learn while a collection is read anyway: keep values, sketches, a sample, postings, fingerprints.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "corpus/corpus.h"
#include "io/record.h"
#include "neardup/document.h"
#include "neardup/features.h"

namespace neardup::corpus {

// A record as a census shows it to columns.
struct CensusRecord {
  Row row;
  const DocumentView* document;  // null: a bad record
  std::span<const Feature> set;  // its features, where units are feature sets; empty for rows that take no part
  SetHash hash;                  // what distinguishes units
  std::string_view raw{};        // the record as it is in its file; empty where there is none
};

// A record as the census filed it.
struct FiledRow {
  Row row;
  Unit unit;    // kNoUnit unless it is a document that takes part
  bool is_new;  // the first document of its unit
};

// One batch, once it is filed.
struct FiledBatch {
  const io::RecordBatch& batch;
  std::span<const FiledRow> rows;
  const Corpus& so_far;  // this batch included
};

class Column {
 public:
  // What the records of one batch come to.
  struct Part {
    virtual ~Part() = default;
  };
  // One per thread.
  class Worker {
   public:
    virtual ~Worker() = default;
    // Every record of a batch in order.
    virtual void add(const CensusRecord&) = 0;
    // What was made of the records since the last call.
    virtual std::unique_ptr<Part> take() = 0;
  };

  virtual ~Column() = default;
  // Fields of the documents that this column looks at.
  [[nodiscard]] virtual std::vector<std::string> fields() const { return {}; }
  // `fields`: the names behind DocumentView::fields. May run concurrently.
  virtual std::unique_ptr<Worker> worker(const std::vector<std::string>& fields) = 0;
  // Batches in input order, one at a time.
  virtual void take(Part&, const FiledBatch&) = 0;
};

// Resizes to what is kept of the records so far. Throws Error{limit} when that does not fit: better to say so early
// than to be killed late.
void hold_for_records(Reservation&, std::size_t bytes, const Corpus& so_far);

// A column whose parts have a type. A column whose threads remember nothing between records has a look(); another one
// has workers of its own, which fill `part_`.
template <class PartType>
class ColumnOf : public Column {
 public:
  class TypedWorker : public Worker {
   public:
    std::unique_ptr<Part> take() final {
      finish_batch();
      auto part = std::make_unique<Typed>();
      std::swap(part->value, part_);
      return part;
    }

   protected:
    virtual void finish_batch() {}
    PartType part_{};
  };
  std::unique_ptr<Worker> worker(const std::vector<std::string>& fields) override {
    class Looking final : public TypedWorker {
     public:
      Looking(ColumnOf& column, const std::vector<std::string>& fields) : column_(column), fields_(fields) {}
      void add(const CensusRecord& record) override { column_.look(record, fields_, this->part_); }

     private:
      ColumnOf& column_;
      const std::vector<std::string>& fields_;
    };
    return std::make_unique<Looking>(*this, fields);
  }
  void take(Part& part, const FiledBatch& batch) final { take_part(static_cast<Typed&>(part).value, batch); }

 protected:
  // May run concurrently, each time with another part.
  virtual void look(const CensusRecord&, const std::vector<std::string>& /*fields*/, PartType&) {}
  virtual void take_part(PartType&, const FiledBatch&) = 0;

 private:
  struct Typed final : Part {
    PartType value{};
  };
};

}  // namespace neardup::corpus
