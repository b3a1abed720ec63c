// Where do documents come from, and how are they read?
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/choice.h"
#include "neardup/context.h"
#include "neardup/document.h"

namespace neardup {

class Collection;

namespace io {
// The library's own.
struct CollectionImpl;
const CollectionImpl& impl_of(const Collection&);
Collection collection_of(std::shared_ptr<const CollectionImpl>);
}  // namespace io

// Which texts are pages, whose tags are taken out.
enum class Html {
  automatic,  // HTML files, and what a mail or a web archive declares to be HTML
  strip,      // every text
  off,        // none
};
Html parse_html(std::string_view);  // "auto", "strip", "off"; throws Error{usage}
std::string to_string(Html);
std::span<const Choice<Html>> html_choices();

// How rows of CSV and TSV files are written.
enum class Quote { double_quote, single_quote, none };
Quote parse_quote(std::string_view);  // "\"", "'", "none"; throws Error{usage}
std::string to_string(Quote);
std::span<const Choice<Quote>> quote_choices();
struct RowOptions {
  std::optional<char> delimiter{};  // between fields; absent: a comma in CSV, a tab in TSV
  Quote quote = Quote::double_quote;
  bool has_header = true;  // false: the first row is a record, and columns are called 1, 2, 3, ...
  auto operator<=>(const RowOptions&) const = default;
};
char parse_delimiter(std::string_view);  // one character, "tab" or "\t"; throws Error{usage}

// Which files are read.
//
// Globs may hold *, ?, [...], {a,b} and **, which means any number of folders. Those of `include` and `exclude` choose
// among the files that are found in folders and archives and by globs: one without a slash is compared with a file's
// name, one with a slash with its path below the folder; `exclude` leaves folders out as well.
struct InputFiles {
  std::vector<std::string> inputs{};  // files, folders (recursively), globs, or "-": standard input
  std::string files_from{};           // a file with paths of more inputs, one a line or each ended by NUL; "-" likewise
  std::vector<std::string> include{}, exclude{};
  std::string
      named_by{};  // for messages: the option that names these inputs, such as "against"; empty: the arguments do
};

struct ReadOptions {
  std::string format = "auto";  // a name from format_names(), or "auto": sniffed from content
  RowOptions rows{};
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

enum class OnBadRecord {
  skip,
  fail,
  quarantine,  // written to a file of their own, as they stood; not for documents in memory
};

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

// A set of inputs that can be read again and again. Cheap to copy. Threads: const members may run concurrently.
class Collection {
 public:
  // Looks at each file's first bytes only (of Parquet and Arrow at the footer); standard input is copied to the
  // temporary folder. A binary file (PDF, an image, NUL bytes where text should be) that is named is refused; those that are found in folders, archives,
  // lists and by globs are left out and counted. What is found there and cannot be opened is a bad record.
  static Collection open(const InputFiles&, const ReadOptions&, const Context&);
  static Collection open(const std::vector<std::string>& inputs, const ReadOptions& options, const Context& context) {
    return open(InputFiles{.inputs = inputs}, options, context);
  }

  // Documents that the caller holds, or makes while they are read; `name` stands for them in messages. Touches no file,
  // and no valid text is copied. Of the options extra_fields, html (`strip` alone changes anything), links, limit,
  // sample and seed apply; the source itself says what is a key and a text, and the others must be left alone:
  // Error{usage}. Such records are not written: a call that deduplicates them gives clusters back, and lists into a
  // folder.
  static Collection from(std::shared_ptr<const DocumentSource>, std::string name = "memory", const ReadOptions& = {});
  // The same for texts, which the collection keeps.
  static Collection from_texts(std::vector<std::string> texts);

  // Reads documents one by one, in input order, skipping bad records.
  class Reader {
   public:
    virtual ~Reader() = default;
    virtual bool next(Document& out) = 0;  // reuses the buffers of `out`
  };
  [[nodiscard]] std::unique_ptr<Reader> read(const Context&) const;

 private:
  friend const io::CollectionImpl& io::impl_of(const Collection&);
  friend Collection io::collection_of(std::shared_ptr<const io::CollectionImpl>);
  explicit Collection(std::shared_ptr<const io::CollectionImpl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const io::CollectionImpl> impl_;
};

struct FormatChoice {
  std::string name, summary;
  std::vector<std::string> endings;  // of file names: ".jsonl", ...
};
std::vector<FormatChoice> format_choices();
std::vector<std::string> format_names();  // of ReadOptions::format, without "auto"
std::vector<std::string> codec_names();

}  // namespace neardup
