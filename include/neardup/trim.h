// Which passages stand at several places, and how are all copies but one cut out of the texts?
//
//   auto report = neardup::trim(Collection::open({"pages.jsonl"}, {}, context), {.output = {.path = "out"}}, context);
//
// In memory: texts that the caller holds, and a function that receives what is to be cut.
//
//   trim(Collection::from_texts(texts), {.visit = [&](const TrimmedDocument& d) { ... }}, context);
//
// The rule, and why it loses nothing: docs/algorithms/passages.md.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/cluster.h"
#include "neardup/collection.h"
#include "neardup/context.h"
#include "neardup/definition.h"
#include "neardup/report.h"

namespace neardup {

// What is compared: runs of at least `length` words (spans), whole lines or paragraphs, or `length` sentences.
struct TrimUnit {
  enum class Kind { spans, lines, paragraphs, sentences };
  Kind kind = Kind::spans;
  unsigned length = 50;
  friend bool operator==(const TrimUnit&, const TrimUnit&) = default;
};
TrimUnit parse_trim_unit(std::string_view);  // "spans:50", "lines", "paragraphs", "sentences:3"
std::string to_string(const TrimUnit&);

enum class CutAt { word, sentence, line };
CutAt parse_cut_at(std::string_view);
std::string to_string(CutAt);

// What becomes of a document of which too little would be left.
enum class ShortDocuments { keep, empty, remove };
ShortDocuments parse_short_documents(std::string_view);
std::string to_string(ShortDocuments);

// The least that must be left of a document: items (words, lines, ...), or a share of them.
struct MinLeft {
  std::uint64_t items = 0;
  std::optional<Threshold> share{};
  [[nodiscard]] bool is_given() const { return items > 0 || share.has_value(); }
};
MinLeft parse_min_left(std::string_view);  // "100", "0.3", "30%"

// A part of a text that is cut.
struct TextCut {
  std::uint64_t from = 0, to = 0;  // bytes of the text
  std::uint64_t items = 0;         // words, lines, paragraphs or sentences in it
  std::string passage{};           // its name in passages.tsv
  std::string stays_in{};          // the document with the copy that stays; empty: none does
  std::uint64_t stays_at = 0;      // which item of that document it begins with, from 0
};

enum class TrimOutcome { untouched, trimmed, kept_whole, emptied, removed };

struct TrimmedDocument {
  DocId row = 0;
  std::string_view name, text;
  TrimOutcome outcome = TrimOutcome::untouched;
  std::span<const TextCut> cuts{};
};

struct TrimOptions {
  TrimUnit unit{};
  CutAt cut = CutAt::word;
  std::vector<KeepRule> keep{KeepRule{}};
  bool keep_none = false;  // cut every copy
  // Also cut those words of a passage that belong to windows which stand nowhere else, at its edges: false keeps every
  // window of the input whole, true every repeated one.
  bool cut_edges = false;
  std::uint64_t min_copies = 2;  // a passage counts as repeated from this many places on
  std::string by{};              // compare only documents with the same value of this field
  MinLeft min_left{};
  ShortDocuments short_documents = ShortDocuments::keep;
  std::uint64_t max_passage = 0;       // leave longer cuts out, in items; 0: no limit
  std::vector<std::string> protect{};  // files with texts that are never cut, one per paragraph
  OnBadRecord on_bad_record = OnBadRecord::skip;
  OutputOptions output{};
  // Called for every document that has cuts, in input order, from one thread at a time.
  std::function<void(const TrimmedDocument&)> visit{};

  // Throws Error{usage}.
  void validate() const;
};

struct CostlyPassage {
  std::string name, document, beginning;
  std::uint64_t items = 0, places = 0, cut_items = 0;
};

struct CutExample {
  std::string document, before, cut, after, stays_in;
};

struct TrimReport : ReadFacts, RunFacts {
  std::uint64_t items = 0, cut_items = 0;                  // words, lines, ... of all documents
  std::uint64_t cut_bytes = 0;                             // of text
  std::uint64_t trimmed = 0;                               // documents
  std::uint64_t kept_whole = 0, emptied = 0, removed = 0;  // documents of which too little would be left
  std::uint64_t holders = 0;     // documents of that kind that hold the copy of a passage: trimmed all the same
  std::uint64_t not_mapped = 0;  // documents left whole because their bytes are not their text
  std::uint64_t cuts = 0, passages = 0;
  std::uint64_t windows = 0, candidates = 0;
  std::uint64_t against_records = 0;
  bool can_undo = false;
  std::vector<CostlyPassage> costly{};  // at most ten, most words first
  std::vector<CutExample> examples{};   // at most three
};
std::string to_json(const TrimReport&);

TrimReport trim(const Collection&, const TrimOptions&, const Context&);
// What stands in `against` is cut; nothing in `against` is.
TrimReport trim(const Collection&, const Collection& against, const TrimOptions&, const Context&);

struct RestoreReport {
  std::vector<std::string> outputs{};
  std::uint64_t insertions = 0, bytes = 0;
};
// Puts back what a run cut: from the folder that trim() wrote, the inputs as they were before, decompressed. `output`
// is a file if there was one input, otherwise a folder.
RestoreReport undo_trim(const std::string& folder, const std::string& output, Overwrite, const Context&);

}  // namespace neardup
