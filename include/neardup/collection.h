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
// Internal.
struct CollectionImpl;
const CollectionImpl& impl_of(const Collection&);
Collection collection_of(std::shared_ptr<const CollectionImpl>);
}  // namespace io

// Which texts are read as HTML, and what is taken from them. Pages are HTML files, and parts of mails and web archives
// that are declared as HTML.
enum class Html {
  automatic,  // all text of pages, without tags
  main,       // the main text of pages, and of other texts that contain a tag
  all,        // all text of every text, without tags
  off,        // nothing: tags are text
};
Html parse_html(std::string_view);  // "auto", "main", "all" (or "strip"), "off"; throws Error{usage}
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
// Globs may contain *, ?, [...], {a,b} and **, which means any number of folders. `include` and `exclude` select among
// the files found in folders, in archives and by globs: a glob without a slash is matched against the file's name, one
// with a slash against its path below the folder; `exclude` also skips folders.
struct InputFiles {
  std::vector<std::string> inputs{};  // files, folders (recursively), globs, or "-": standard input
  std::string files_from{};           // a list of more inputs, one path per line or each ended by NUL; "-" likewise
  std::vector<std::string> include{}, exclude{};
  std::string
      named_by{};  // for messages: the option that names these inputs, such as "against"; empty: the arguments do
};

struct ReadOptions {
  std::string format = "auto";  // a name from format_names(), or "auto": detected from the content
  RowOptions rows{};
  // Fields that hold the text; several are joined with a newline, and `a.b` is a nested JSON field. Absent: "text", and
  // the whole text of records without fields. When set, inputs without fields are refused.
  std::optional<std::vector<std::string>> text_fields{};
  // Field that holds the id. Absent: "id", and a record without it is named by its place. When set, such a record is
  // bad.
  std::optional<std::string> id_field{};
  std::vector<std::string> extra_fields{};  // for Document::fields; fields of keep rules need not be listed
  Html html = Html::automatic;
  std::string encoding{};  // of every text, even if it declares another; empty: see docs/formats.md
  bool links = false;      // collect the links of pages
  std::uint64_t max_record_bytes = 64u << 20;
  std::uint64_t limit = 0;  // read only this many records; 0: all
  double sample = 1.0;      // read this share of the records, chosen by seed
  std::uint64_t seed = 42;
};

enum class OnBadRecord {
  skip,
  fail,
  quarantine,  // copied unchanged to a file of their own; not for documents in memory
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

// A set of inputs that can be read repeatedly. Cheap to copy. Threads: const members may run concurrently.
class Collection {
 public:
  // Reads only the first bytes of each file (of Parquet and Arrow the footer); standard input is copied to the
  // temporary folder. A binary file (PDF, an image, NUL bytes where text should be) is refused when it is named
  // explicitly; those found in folders, archives, lists and by globs are skipped and counted. A file found there that
  // cannot be opened is a bad record.
  static Collection open(const InputFiles&, const ReadOptions&, const Context&);
  static Collection open(const std::vector<std::string>& inputs, const ReadOptions& options, const Context& context) {
    return open(InputFiles{.inputs = inputs}, options, context);
  }

  // Documents that the caller holds, or produces while they are read; `name` is used in messages. Touches no file, and
  // no valid text is copied. Only these options apply: extra_fields, html (only `main` and `all` have an effect),
  // links, limit, sample and seed. The source itself provides keys and texts; setting any other option is Error{usage}.
  // Such records are not written: a call that deduplicates them returns clusters, and can write its lists into a
  // folder.
  static Collection from(std::shared_ptr<const DocumentSource>, std::string name = "memory", const ReadOptions& = {});
  // The same for texts; the collection stores them.
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
