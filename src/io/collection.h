// What is inside a Collection?
#pragma once

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/record.h"
#include "neardup/collection.h"
#include "neardup/context.h"
#include "neardup/files.h"

namespace neardup::text {
struct Encoding;
}

namespace neardup::io {

struct Format;
struct Codec;

struct FilePart {
  std::uint64_t begin = 0, size = 0;
};

// One file of a collection, or the documents that the caller holds.
struct Source {
  std::string path;  // as the user gave it (or as found below a folder the user gave); what messages and ids show
  // Strings, since a path with several parts takes many times the memory, and an archive may have a million members.
  std::shared_ptr<const std::string> spooled{};  // what is opened instead of `path`: a copy, shared by members
  std::string relative{};  // below the common folder of all inputs; where its kept records go under kept/
  const Format* format = nullptr;
  const Codec* codec = nullptr;
  std::uint64_t file_bytes = 0;  // of documents: DocumentSource::bytes()
  // Of formats that do not decode themselves. A mark is not part of the text, but written back.
  const text::Encoding* encoding = nullptr;           // null: UTF-8
  std::size_t mark_size = 0;                          // bytes of its byte-order mark
  std::optional<FilePart> part{};                     // a member of an archive: where in `file` it stands
  std::string problem{};                              // why there is nothing to read but one bad record; mostly empty
  bool is_named = true;                               // by the user; false: found in a folder, an archive, by a glob
  bool has_sets = false;                              // of a file of columns: the text is a list of integers
  std::shared_ptr<const DocumentSource> documents{};  // null: a file

  [[nodiscard]] const std::string& file() const { return spooled != nullptr ? *spooled : path; }
};

// The name of a record in every output: its key, or PATH:NUMBER, or PATH for a whole file.
std::string record_name(const Source&, std::uint64_t number, std::string_view key);

// Whether its records are sets of integers.
bool holds_tokens(const Source&);

// Throws Error{usage} when no source can have one of these fields, which `option` names.
void check_fields(const Collection&, std::span<const std::string> fields, const char* option);

// A parser for records of any source.
std::unique_ptr<RecordParser> make_any_parser(const ReadOptions&);

// Collection::open with batches of another size, so that tests can let every record cross a border.
Collection open_collection(const InputFiles&, const ReadOptions&, const Context&, std::size_t batch_bytes);
inline Collection open_collection(const std::vector<std::string>& inputs, const ReadOptions& options,
                                  const Context& context, std::size_t batch_bytes) {
  return open_collection(InputFiles{.inputs = inputs}, options, context, batch_bytes);
}
// The documents of one source in memory.
Collection memory_collection(Source, const ReadOptions&);

// Inside a Collection: its sources, and the two ways to go through them. What `reading` says are the collection's
// options, or the same with other extra_fields and links.
struct CollectionImpl {
  virtual ~CollectionImpl() = default;
  ReadOptions options;
  std::vector<Source> sources;
  FileSystem* files = &system_files();         // what the sources were opened with
  std::vector<std::filesystem::path> folders;  // those the user gave
  bool single_input = true;        // one file named by the user: kept.EXT; otherwise kept/ with relative paths
  std::uint64_t binary_files = 0;  // that were left out
  std::string named_by{};          // InputFiles::named_by
  // Sources from here on are those of a second collection that is read together with the first.
  std::size_t second_side = static_cast<std::size_t>(-1);
  std::vector<std::string> datasets;  // folders that hold a dataset of Hugging Face; sources lie in them
  [[nodiscard]] virtual std::unique_ptr<BatchReader> batches(const ReadOptions& reading, const Context&) const = 0;
  // A parser for any batch of this collection.
  [[nodiscard]] virtual std::unique_ptr<RecordParser> parser(const ReadOptions& reading) const = 0;
  [[nodiscard]] std::uint64_t input_bytes() const;  // for progress

  // The first source that can be read; the first one when there is none.
  [[nodiscard]] const Source& first_readable() const {
    const auto found = std::ranges::find_if(sources, [](const Source& source) { return source.problem.empty(); });
    return found == sources.end() ? sources.front() : *found;
  }

  // Whether the records are documents that the caller holds, of which nothing is written.
  [[nodiscard]] bool is_held() const { return sources.front().documents != nullptr; }
  [[nodiscard]] ReadOptions with_fields(std::vector<std::string> fields) const {
    ReadOptions reading = options;
    reading.extra_fields = std::move(fields);
    return reading;
  }
};

}  // namespace neardup::io
