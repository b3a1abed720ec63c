// A file of columns, Parquet or Arrow, as the plugin opens it.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/collection.h"
#include "io/columns/plugin_abi.h"
#include "neardup/arrow.h"
#include "neardup/files.h"

namespace neardup::io {

// Its rows come in groups: row groups of Parquet, record batches of Arrow. Reads through FileSystem, whatever the
// source is: a file, a member of an archive, a copy of standard input. Threads: one at a time.
class ColumnFile {
 public:
  // Reads the footer. Throws Error{input} when it is damaged, encrypted or not such a file at all.
  ColumnFile(const Source&, FileSystem&);
  ~ColumnFile();
  ColumnFile(const ColumnFile&) = delete;
  ColumnFile& operator=(const ColumnFile&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::int64_t groups() const { return plugin_.groups(file_); }
  [[nodiscard]] std::int64_t group_rows(std::int64_t group) const { return plugin_.group_rows(file_, group); }
  // Whether reading goes on behind a damaged group.
  [[nodiscard]] bool can_skip_groups() const { return kind_ != NEARDUP_ARROW_STREAM; }
  [[nodiscard]] std::vector<std::string> column_names();
  [[nodiscard]] std::int64_t failed_group() const { return plugin_.failed_group(file_); }

  // The groups from `first` up to `end`; only top-level columns of these names, or all. Must be released before the
  // file goes.
  [[nodiscard]] ArrowArrayStream read(std::optional<std::span<const std::string>> columns, std::int64_t first,
                                      std::int64_t end);
  // Throws what a read by the plugin has thrown, if it has; the plugin says only that it failed.
  void rethrow_read_error() const;

  [[nodiscard]] const NeardupArrowPlugin& plugin() const { return plugin_; }
  [[nodiscard]] NeardupColumnFile* handle() const { return file_; }
  [[nodiscard]] NeardupKind kind() const { return kind_; }

  // What begins like this is such a file; nothing otherwise.
  static std::optional<NeardupKind> kind_of(std::string_view first_bytes);

 private:
  static int read_at(void* self, std::int64_t offset, void* buffer, std::int64_t bytes);

  std::string path_;
  std::unique_ptr<InputFile> input_;
  NeardupKind kind_;
  const NeardupArrowPlugin& plugin_;
  std::exception_ptr failure_;
  NeardupColumnFile* file_ = nullptr;
};

// Throws Error{input}: the source was to be such a file, and its first bytes say otherwise.
[[noreturn]] void throw_not_columns(const Source&);

const Format& format_of_kind(NeardupKind);
NeardupKind kind_of_format(const Format&);  // of Framing::columns

// The documents of a file; `first_group`, which may change between readings, is where a reading begins. The file must
// outlive what is read.
std::shared_ptr<const DocumentSource> column_documents(ColumnFile&, const ReadOptions&,
                                                       const std::int64_t& first_group);

}  // namespace neardup::io
