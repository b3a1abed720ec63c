// What is a document, and how does a caller hand over many of them without a copy of any?
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

// A document with everything in it: what Collection::Reader fills.
struct Document {
  DocId id = 0;                                    // row number in the collection
  std::string key;                                 // the user's id; empty when the record has none
  std::string text;                                // valid UTF-8
  std::vector<std::size_t> text_ends;              // where each text field ends in `text`; empty: there are no fields
  std::vector<std::optional<std::string>> fields;  // ReadOptions::extra_fields, in that order
  std::vector<std::uint64_t> tokens;               // only where records are sets of integers, as they stood
  std::vector<std::string> links;                  // of a page, as they stood; only when ReadOptions::links asks
  std::string links_base;                          // what they stand against, when the page says so
};

// A document that somebody holds, without a copy of anything: a text, or several text fields, or a list of integers.
// What is viewed must stay where it is for as long as the call that takes the view.
struct DocumentView {
  std::string_view key{};  // the user's id; empty: none
  std::string_view text{};
  std::span<const std::size_t> text_ends{};   // where each text field ends in `text`; one byte stands between two
  std::span<const std::string_view> texts{};  // the text fields one by one, in the place of `text`
  std::span<const std::optional<std::string_view>> fields{};  // those asked for, in that order
  std::span<const std::uint64_t> tokens{};                    // for FeatureKind::tokens
  bool is_valid_utf8 = false;  // the caller knows that key, texts and fields are, and saves looking
  std::span<const std::string> links{};
  std::string_view links_base{};

  DocumentView() = default;
  template <std::convertible_to<std::string_view> Text>
  DocumentView(const Text& whole) : text(whole) {}  // NOLINT: a text is a document
  // So is a document, but for its fields, which are not views.
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

// Documents that follow each other, held by whoever made the batch. A few batches per thread are alive at a time, so
// that their size decides how much memory a reading takes and how evenly threads are loaded; a megabyte of text is
// good.
// Threads: const members run concurrently, and the last owner may be any thread.
class DocumentBatch {
 public:
  virtual ~DocumentBatch() = default;
  [[nodiscard]] virtual std::size_t size() const = 0;  // less than 2^32; may be 0
  // What it counts for in DocumentSource::bytes().
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
  // Fills `out`, which is empty, with the document at this place, or returns why there is none: a sentence for people.
  // Called up to twice for each document of a reading, so that whatever is costly is better done when the batch is
  // made. Views and sentence are valid as long as the batch. `fields` are those that DocumentSource::open() was asked
  // for, or none at all. Texts need not be valid UTF-8: what is broken reads as U+FFFD, and is counted. A document
  // without a key is called by its number in the source, from 0. A text of more than 2 GiB is a bad document.
  virtual const char* get(std::size_t place, DocumentView& out) const = 0;
};

// One reading of a source, from the beginning. Batches may outlive it.
// Threads: one at a time, not always the same.
class DocumentReader {
 public:
  virtual ~DocumentReader() = default;
  // The next documents; null when there are no more. What it throws ends the call that reads and comes out of it, an
  // Error as it is, anything else as Error{internal}.
  virtual std::shared_ptr<const DocumentBatch> next() = 0;
};

// Documents that can be read again and again. Most calls read them two to four times; they must be the same each time,
// in the same order. A call that finds others fails with Error{input} (keys, texts and tokens are compared by hash).
// Threads: const members run concurrently.
class DocumentSource {
 public:
  virtual ~DocumentSource() = default;
  // Starts a reading. `fields` names what will be looked at besides keys, texts and tokens, so that nothing else has to
  // be decoded: DocumentView::fields holds these, in this order. Some are asked for in case they exist ("url"); what a
  // document, or the whole source, does not have is absent. The names are valid during the call.
  [[nodiscard]] virtual std::unique_ptr<DocumentReader> open(std::span<const std::string> fields) const = 0;
  // About how many bytes there are, for progress; 0: not known.
  [[nodiscard]] virtual std::uint64_t bytes() const { return 0; }
  // Every document is a set of integers (DocumentView::tokens), which are its features.
  [[nodiscard]] virtual bool has_tokens() const { return false; }
  // False: no document has it. Options that name such a field are refused before anything is read.
  [[nodiscard]] virtual bool may_have_field(std::string_view /*name*/) const { return true; }
};

}  // namespace neardup
