// What is a document, and how does a caller pass many of them without copying any?
//
//   class Articles final : public neardup::DocumentSource { ... };  // over a table, a column file, a Python list
//   auto collection = neardup::Collection::from(std::make_shared<Articles>(...));
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/pair.h"

namespace neardup {

// A document that owns its data: what Collection::Reader fills.
struct Document {
  DocId id = 0;                                    // row number in the collection
  std::string key;                                 // the user's id; empty when the record has none
  std::string text;                                // valid UTF-8
  std::vector<std::size_t> text_ends;              // where each text field ends in `text`; empty: there are no fields
  std::vector<std::optional<std::string>> fields;  // ReadOptions::extra_fields, in that order
  std::vector<std::uint64_t> tokens;               // only where records are sets of integers, unchanged
  std::vector<std::string> links;                  // of a page, unchanged; only with ReadOptions::links
  std::string links_base;                          // the base URL of the page, if it declares one
};

// A view of a document: a text, several text fields, or a list of integers. The data must stay valid for the duration
// of the call that takes the view.
struct DocumentView {
  std::string_view key{};  // the user's id; empty: none
  std::string_view text{};
  std::span<const std::size_t> text_ends{};   // where each text field ends in `text`; one byte separates two fields
  std::span<const std::string_view> texts{};  // the text fields one by one, instead of `text`
  std::span<const std::optional<std::string_view>> fields{};  // those requested, in that order
  std::span<const std::uint64_t> tokens{};                    // for FeatureKind::tokens
  bool is_valid_utf8 = false;  // set if key, texts and fields are known to be: skips the check
  std::span<const std::string> links{};
  std::string_view links_base{};

  DocumentView() = default;
  template <std::convertible_to<std::string_view> Text>
  DocumentView(const Text& whole) : text(whole) {}  // NOLINT: a text is a document
  // Also from a document, but without its fields, which are not views.
  DocumentView(const Document& document)  // NOLINT
      : key(document.key),
        text(document.text),
        text_ends(document.text_ends),
        tokens(document.tokens),
        is_valid_utf8(true),
        links(document.links),
        links_base(document.links_base) {}
  static DocumentView of_fields(std::span<const std::string_view> fields) {
    DocumentView view;
    view.texts = fields;
    return view;
  }
  static DocumentView of_tokens(std::span<const std::uint64_t> tokens) {
    DocumentView view;
    view.tokens = tokens;
    return view;
  }
};

// Consecutive documents, owned by the batch. A few batches per thread are alive at a time, so their size determines how
// much memory reading takes and how evenly threads are loaded; a megabyte of text is a good size.
// Threads: const members run concurrently, and the last owner may be any thread.
class DocumentBatch {
 public:
  virtual ~DocumentBatch() = default;
  [[nodiscard]] virtual std::size_t size() const = 0;  // less than 2^32; may be 0
  // Its share of DocumentSource::bytes().
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
  // Fills `out`, which is empty, with the document at this place, or returns a readable reason why there is none.
  // Called up to twice per document and reading, so anything expensive is better done when the batch is made. Views and
  // reason must stay valid as long as the batch. `fields` are those requested from DocumentSource::open(), or none at
  // all. Texts need not be valid UTF-8: invalid bytes are read as U+FFFD, and the text is counted as repaired. A
  // document without a key is named by its number in the source, from 0. A text of more than 2 GiB is a bad document.
  virtual const char* get(std::size_t place, DocumentView& out) const = 0;
};

// One reading of a source, from the beginning. Batches may outlive it.
// Threads: one call at a time, not always from the same thread.
class DocumentReader {
 public:
  virtual ~DocumentReader() = default;
  // The next documents; null when there are no more. An exception ends the call that reads: an Error is rethrown
  // unchanged, anything else as Error{internal}.
  virtual std::shared_ptr<const DocumentBatch> next() = 0;
};

// Documents that can be read repeatedly. Most calls read them two to four times; they must be the same each time, in
// the same order. A call that finds a change fails with Error{input} (keys, texts and tokens are compared by hash).
// Threads: const members run concurrently.
class DocumentSource {
 public:
  virtual ~DocumentSource() = default;
  // Starts a reading. `fields` names what is needed besides keys, texts and tokens, so that nothing else has to be
  // decoded: DocumentView::fields holds these, in this order. Some are requested in case they exist ("url"); a field
  // that a document, or the whole source, does not have is absent. The names are valid during the call.
  [[nodiscard]] virtual std::unique_ptr<DocumentReader> open(std::span<const std::string> fields) const = 0;
  // Approximate size in bytes, for progress; 0: unknown.
  [[nodiscard]] virtual std::uint64_t bytes() const { return 0; }
  // Every document is a set of integers (DocumentView::tokens), which are its features.
  [[nodiscard]] virtual bool has_tokens() const { return false; }
  // False: no document has this field. Options that name it are then refused before anything is read.
  [[nodiscard]] virtual bool may_have_field(std::string_view /*name*/) const { return true; }
};

}  // namespace neardup
