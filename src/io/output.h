// How are records written so that no partial file ever has a final name?
#pragma once

#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/collection.h"
#include "neardup/context.h"
#include "neardup/files.h"
#include "neardup/report.h"

namespace neardup::io {

// Where `-o` leads: nothing, standard output, one file, a folder, or /dev/null.
struct Target {
  enum class Kind { none, stdout_stream, file, folder, null_device };
  Kind kind = Kind::none;
  std::filesystem::path path;
  const Format* format = nullptr;  // of a file, from its name; null for standard output (the input's own)
  const Codec* codec = nullptr;    // of a file, from its name
};
// Throws Error{usage} for a name that ends like a kind of file that is not written here, or nearly like one that is.
Target parse_target(const std::string& path);

// Throws Error{usage} when writing `output` could destroy or feed an input of this run: it is one, contains one, or
// lies inside a folder that was given as input.
// `option` is the one that names the output.
void check_apart_from_inputs(const Collection&, const std::filesystem::path& output, const char* option = "output");
// The same for inputs that are single files, or "-".
void check_apart_from_files(std::span<const std::string> inputs, const std::filesystem::path& output, const Context&,
                            const char* option = "output");

// A group of outputs that appear together or not at all. Everything is written under a temporary name beside the final
// one, .NAME.neardup-XXXXXX; commit() brings it to disk and moves it into place. A transaction that is destroyed
// without commit() leaves nothing behind. Refuses existing targets at construction unless Overwrite::replace:
// Error{output}, naming --force. What may be replaced is a regular file, an empty folder or the folder of an earlier
// run (it holds a run.json); anything else is refused in any case.
//
// Whenever the power fails or the process is killed, the old output or the new one is complete under the final name. A
// file takes the place of a file by one rename, a folder that of a folder by an exchange of names. Where the file
// system cannot exchange names, the old one is moved aside first; a run killed at that moment leaves no output, but
// .NAME.neardup-XXXXXX.old, and the next transaction of that name moves it back. Whatever else is called so is
// worthless, and the next transaction deletes it. Two processes must not write one output at the same time.
class OutputTransaction {
 public:
  OutputTransaction(std::filesystem::path final_path, Overwrite, const Context&);
  ~OutputTransaction();
  OutputTransaction(const OutputTransaction&) = delete;
  OutputTransaction& operator=(const OutputTransaction&) = delete;
  // Where to write: a file that does not exist yet, or the parent for files of a folder target (create it first).
  [[nodiscard]] const std::filesystem::path& working_path() const;
  void commit() { commit_together({this}); }
  // All of them or none: when one cannot be moved into place, those that were are taken back. They are on disk
  // afterwards; when only that fails they are in place, what they replace is kept beside them, and Error{output} says
  // so.
  static void commit_together(std::initializer_list<OutputTransaction*>);  // null pointers are passed over

 private:
  enum class Last { no, yes };
  void publish(Last);
  void withdraw() noexcept;

  struct State;
  std::unique_ptr<State> state_;
};

// A byte stream to a file through a codec, or to standard output. Buffered; close() reports errors and must be called.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual void write(std::string_view) = 0;
  // What follows can be decompressed without what came before (a web archive's records are so); plain files need
  // nothing.
  virtual void end_member() {}
  virtual void close() = 0;
  // The reader of a pipe has closed it: whatever else is written is dropped, and need not be prepared.
  [[nodiscard]] virtual bool reader_left() const { return false; }
};
std::unique_ptr<ByteSink> open_sink(FileSystem&, const std::filesystem::path&, const Codec&);
std::unique_ptr<ByteSink> stdout_sink(const Codec&);
std::unique_ptr<ByteSink> null_sink();  // for Target::Kind::null_device

// A field that a run adds to the records that it writes.
struct AddedField {
  enum class Kind { text, boolean, number, integer, json };  // `json`: a text that is JSON itself
  std::string name;                                          // neardup_count
  Kind kind = Kind::text;
  const char* option = "annotate";  // that asks for it
};
using AddedFields = std::vector<AddedField>;  // none: records are written unchanged
// Their values in one record, in the same order and as text; empty: null.
using Annotation = std::vector<std::string>;

// Writes chosen records of one or several sources in one output format, byte for byte when the format is the source's
// own, converted when that loses nothing.
class RecordWriter {
 public:
  virtual ~RecordWriter() = default;
  // `chosen` has a number for each record of the batch; those with a 0 are passed over.
  virtual void write(const RecordBatch&, std::span<const std::uint8_t> chosen) = 0;
  // `annotations` has one for each record of the batch; those of records that are passed over do not matter.
  virtual void write_annotated(const RecordBatch&, std::span<const std::uint8_t> chosen,
                               std::span<const Annotation> annotations) = 0;
  virtual void close() = 0;
  // How many records were copied only because they belong to a document that was written.
  [[nodiscard]] virtual std::uint64_t companions() const { return 0; }
};

// Throws Error{usage} when the sources cannot be written to one file or stream as `to` (null: the format of the first)
// without loss, or cannot be annotated.
void check_writable(const Collection&, const Format* to, const AddedFields&);
// The same for a folder, where every source keeps its own format.
void check_writable_apart(const Collection&, const AddedFields&);
// `to` null: the format of the first source. `only`: the one source whose records will come, when that is known;
// without it records of all sources may come, and CSV headers must then agree.
std::unique_ptr<RecordWriter> make_writer(const Collection&, std::unique_ptr<ByteSink>, const Format* to,
                                          const AddedFields&, const Source* only = nullptr);

// "kept" + the extensions of the single source ("kept.jsonl.gz").
std::filesystem::path name_like(const std::string& stem, const Source&);

}  // namespace neardup::io
