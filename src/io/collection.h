// Inside a Collection: its sources, and the two ways to go through them.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/record.h"
#include "neardup/context.h"
#include "neardup/document.h"
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

// One file of a collection.
struct Source {
  std::string path;  // as the user gave it (or as found below a folder the user gave); what messages and ids show
  std::filesystem::path file;      // what is opened: `path`, or the spooled copy of standard input
  std::filesystem::path relative;  // below the common folder of all inputs; where its kept records go under kept/
  const Format* format = nullptr;
  const Codec* codec = nullptr;
  std::uint64_t file_bytes = 0;
  // Of formats that do not decode themselves. A mark is no part of the text, but written back.
  const text::Encoding* encoding = nullptr;  // null: UTF-8
  std::size_t mark_size = 0;                 // bytes of its byte-order mark
  std::optional<FilePart> part{};            // a member of an archive: where in `file` it stands
  std::string problem{};                     // why there is nothing to read but one bad record; mostly empty
};

// The name of a record in every output: its key, or PATH:NUMBER, or PATH for a whole file.
std::string record_name(const Source&, const RawRecord&, const std::string& key);

// A parser for records of any source.
std::unique_ptr<RecordParser> make_any_parser(const ReadOptions&);

// Collection::open with batches of another size, so that tests can let every record cross a border.
Collection open_collection(const std::vector<std::string>& inputs, const ReadOptions&, const Context&,
                           std::size_t batch_bytes);

}  // namespace neardup::io

namespace neardup {

struct Collection::Impl {
  virtual ~Impl() = default;
  ReadOptions options;
  std::vector<io::Source> sources;
  FileSystem* files = nullptr;                 // what the sources were opened with; null when they are in memory
  std::vector<std::filesystem::path> folders;  // those the user gave
  bool single_input = true;  // one file named by the user: kept.EXT; otherwise kept/ with relative paths
  [[nodiscard]] virtual std::unique_ptr<io::BatchReader> batches(const Context&) const = 0;
  // A parser for any batch of this collection; `reading` are its options, or the same with other extra_fields.
  [[nodiscard]] virtual std::unique_ptr<io::RecordParser> parser(const ReadOptions& reading) const = 0;
  [[nodiscard]] std::unique_ptr<io::RecordParser> parser() const { return parser(options); }
  [[nodiscard]] virtual std::uint64_t input_bytes() const = 0;  // for progress
};

}  // namespace neardup
