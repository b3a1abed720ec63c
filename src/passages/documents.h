// What does the search for passages know of each document?
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/context.h"
#include "passages/spool.h"

namespace neardup::passages {

// The folded items of a document in the store.
struct StoredDocument {
  std::uint64_t begin = 0;  // in the store; kDocumentEnd follows the last item
  std::uint32_t bytes = 0;  // without that
  std::uint32_t items = 0;
  std::uint32_t name_bytes = 0;  // its name is before its items, kDocumentEnd between them
  std::uint32_t group = 0;       // only documents of one group are compared
};

// Every document that takes part, in input order. Memory: 24 bytes per document, and the store.
// Threads: const members may run concurrently after finish().
class DocumentStore {
 public:
  DocumentStore(const Context& context, std::size_t most_in_memory)
      : store_(context, most_in_memory), memory_(base::reservation(context)) {}

  void add(std::string_view name, std::string_view items, std::uint32_t item_count, std::uint32_t group);
  void finish() { store_.finish(); }

  [[nodiscard]] std::size_t size() const { return documents_.size(); }
  [[nodiscard]] const StoredDocument& operator[](std::size_t document) const { return documents_[document]; }
  [[nodiscard]] const Spool& store() const { return store_; }
  [[nodiscard]] std::uint64_t items() const { return items_; }
  [[nodiscard]] std::string name(std::size_t document) const;
  // The document that has this byte of the store among its items.
  [[nodiscard]] std::size_t document_at(std::uint64_t place) const;

 private:
  Spool store_;
  std::vector<StoredDocument> documents_;
  std::uint64_t items_ = 0;
  Reservation memory_;
};

// A part of a document that is examined at once: the windows that begin in [begin, end). A short document is one piece.
struct Piece {
  std::uint32_t document = 0;
  std::uint32_t begin = 0, end = 0;  // among the items of the document; the separator before `end` is included
  std::uint32_t visible = 0;         // up to where its windows reach, without a separator
};

// Cuts documents into pieces of about this many bytes, in the given order. Threads: one at a time.
class PieceStream {
 public:
  PieceStream(const DocumentStore& documents, const std::vector<std::uint32_t>& order, unsigned window, char separator,
              std::uint32_t piece_bytes = std::uint32_t{1} << 20)
      : documents_(documents), order_(order), window_(window), separator_(separator), piece_bytes_(piece_bytes) {}
  bool next(Piece& out);

 private:
  // The first place behind `from` that follows a separator; the end of the document when there is none.
  std::uint32_t after_separators(const StoredDocument&, std::uint32_t from, std::uint32_t count);

  const DocumentStore& documents_;
  const std::vector<std::uint32_t>& order_;  // empty: input order
  unsigned window_;
  char separator_;
  std::uint32_t piece_bytes_;
  std::size_t at_ = 0;
  std::uint32_t begin_ = 0;
  std::string buffer_;
};

}  // namespace neardup::passages
