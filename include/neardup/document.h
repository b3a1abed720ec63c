// Where do documents come from, and what is one?
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

#include "neardup/choice.h"
#include "neardup/context.h"
#include "neardup/pair.h"

namespace neardup {

struct Document {
  DocId id = 0;                        // row number in the collection
  std::string key;                     // the user's id; empty when the record has none
  std::string record_id;               // tells records with the same key apart (WARC-Record-ID); often empty
  std::string text;                    // valid UTF-8
  std::vector<std::size_t> text_ends;  // where each of ReadOptions::text_fields ends in `text`
  std::vector<std::optional<std::string>> fields;  // ReadOptions::extra_fields, in that order
  std::vector<std::uint64_t> tokens;               // only for `sets` inputs, as they stood
  std::vector<std::string> links;                  // of a page, as they stood; only when ReadOptions::links asks
  std::string links_base;                          // what they stand against, when the page says so
};

// A document that the caller holds, without a copy of anything: a text, or several text fields, or a list of integers.
// What is viewed must stay where it is for as long as the call that takes the view.
struct DocumentView {
  std::string_view text{};
  std::span<const std::size_t> text_ends{};   // where each text field ends in `text`; one byte stands between two
  std::span<const std::string_view> texts{};  // the text fields one by one, in the place of `text`
  std::span<const std::uint64_t> tokens{};    // for FeatureKind::tokens
  bool is_valid_utf8 = false;                 // the caller knows that all texts are, and saves looking

  DocumentView() = default;
  template <std::convertible_to<std::string_view> Text>
  DocumentView(const Text& whole) : text(whole) {}  // NOLINT: a text is a document
  DocumentView(const Document& document)            // NOLINT: so is a document
      : text(document.text), text_ends(document.text_ends), tokens(document.tokens), is_valid_utf8(true) {}
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

// Which texts are pages, whose tags are taken out.
enum class Html {
  automatic,  // HTML files, and what a mail or a web archive declares to be HTML
  strip,      // every text
  off,        // none
};
Html parse_html(std::string_view);  // "auto", "strip", "off"; throws Error{usage}
std::string to_string(Html);
std::span<const Choice<Html>> html_choices();

struct ReadOptions {
  std::string format = "auto";  // a name from format_names(), or "auto": sniffed from content
  // Where the text is; several fields are joined with a newline, and `a.b` reaches into nested JSON. Absent: "text",
  // and the whole text of records without fields. Given: inputs without fields are refused.
  std::optional<std::vector<std::string>> text_fields{};
  // Where the id is. Absent: "id", and a record without it goes by its place. Given: such a record is bad.
  std::optional<std::string> id_field{};
  std::vector<std::string> extra_fields{};  // what Document::fields shall hold; keep rules need no mention
  Html html = Html::automatic;
  std::string encoding{};  // of every text, whatever it declares ("latin1"); empty: found out as docs/formats.md says
  bool links = false;      // collect the links of pages
  std::uint64_t max_record_bytes = 64u << 20;
  std::uint64_t limit = 0;  // read only the first so many records; 0: all
  double sample = 1.0;      // read this share of the records, chosen by seed
  std::uint64_t seed = 42;
};

enum class OnBadRecord { skip, fail, quarantine };
enum class Overwrite { refuse, replace };

// Throws Error{output} when an output of this name would be refused (it exists, or there is no folder for it). Every
// verb checks this by itself; asking first saves reading the inputs for nothing.
void check_output(const std::string& path, Overwrite, const Context&);

struct BadRecord {
  std::string path;
  std::uint64_t number = 0;  // the line (or record) where it starts, from 1; 0: the whole file
  std::string reason;
};

struct BadRecords {
  std::uint64_t count = 0;
  std::vector<BadRecord> first;  // at most ten
};

// Documents that were not in UTF-8.
struct EncodingCount {
  std::string name;
  bool detected = false;  // guessed from the bytes, not declared or forced
  std::uint64_t documents = 0;
};

// A set of inputs that can be read again and again: files, folders (recursively), globs, or "-" (standard input, which
// is spooled to the temporary folder). Opening looks at each file's first bytes only. Cheap to copy.
// Threads: const members may run concurrently.
class Collection {
 public:
  static Collection open(const std::vector<std::string>& inputs, const ReadOptions&, const Context&);
  // Documents held by the caller; their ids are their row numbers.
  static Collection from_texts(std::vector<std::string> texts);

  // Reads documents one by one, in input order, skipping bad records.
  class Reader {
   public:
    virtual ~Reader() = default;
    virtual bool next(Document& out) = 0;  // reuses the buffers of `out`
  };
  [[nodiscard]] std::unique_ptr<Reader> read(const Context&) const;

  struct Impl;
  explicit Collection(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  [[nodiscard]] const Impl& impl() const { return *impl_; }

 private:
  std::shared_ptr<const Impl> impl_;
};

struct FormatChoice {
  std::string name, summary;
  std::vector<std::string> endings;  // of file names: ".jsonl", ...
};
std::vector<FormatChoice> format_choices();
std::vector<std::string> format_names();  // of ReadOptions::format, without "auto"
std::vector<std::string> codec_names();

}  // namespace neardup
