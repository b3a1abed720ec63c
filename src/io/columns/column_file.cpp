#include "io/columns/column_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "arrow/owned.h"
#include "io/archives/archives.h"
#include "io/columns/plugin.h"
#include "io/formats/formats.h"
#include "io/splitter.h"
#include "neardup/error.h"

namespace neardup::io {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kMagic = 8;

NeardupKind kind_of_file(const InputFile& file, const Source& source) {
  std::array<char, kMagic> start{};
  const std::size_t size = std::min<std::size_t>(start.size(), file.size());
  file.read_at(0, std::span(start).first(size));
  if (const auto kind = ColumnFile::kind_of({start.data(), size})) return *kind;
  throw_not_columns(source);
}

}  // namespace

void throw_not_columns(const Source& source) {
  throw Error(ErrorCode::input,
              fmt::format("{}: not a file of format {}, or its beginning is damaged", source.path, source.format->name),
              "format");
}

std::optional<NeardupKind> ColumnFile::kind_of(std::string_view first_bytes) {
  if (first_bytes.starts_with("PAR1\x15"sv)) return NEARDUP_PARQUET;
  if (first_bytes.starts_with("ARROW1\0\0"sv)) return NEARDUP_ARROW_FILE;
  if (first_bytes.starts_with("\xFF\xFF\xFF\xFF"sv)) return NEARDUP_ARROW_STREAM;
  return std::nullopt;
}

ColumnFile::ColumnFile(const Source& source, FileSystem& files)
    : path_(source.path),
      input_(open_source(source, files)),
      kind_(kind_of_file(*input_, source)),
      plugin_(need_arrow_plugin(source.path)) {
  input_->expect(Access::mixed);
  const NeardupBytes bytes{.self = this, .size = static_cast<std::int64_t>(input_->size()), .read_at = &read_at};
  NeardupError error{};
  if (plugin_.open_file(kind_, &bytes, &file_, &error) == NEARDUP_OK) return;
  rethrow_read_error();
  throw_plugin_error(error, path_);
}

ColumnFile::~ColumnFile() {
  if (file_ != nullptr) plugin_.close_file(file_);
}

int ColumnFile::read_at(void* self, std::int64_t offset, void* buffer, std::int64_t bytes) {
  auto& file = *static_cast<ColumnFile*>(self);
  try {
    file.input_->read_at(static_cast<std::uint64_t>(offset),
                         {static_cast<char*>(buffer), static_cast<std::size_t>(bytes)});
    return 0;
  } catch (...) {
    file.failure_ = std::current_exception();
    return 1;
  }
}

void ColumnFile::rethrow_read_error() const {
  if (failure_ != nullptr) std::rethrow_exception(failure_);
}

ArrowArrayStream ColumnFile::read(std::optional<std::span<const std::string>> columns, std::int64_t first,
                                  std::int64_t end) {
  std::vector<const char*> names;
  if (columns)
    for (const std::string& name : *columns) names.push_back(name.c_str());
  const char* const none = nullptr;
  const char* const* const wanted = !columns ? nullptr : names.empty() ? &none : names.data();
  ArrowArrayStream stream{};
  NeardupError error{};
  if (plugin_.read(file_, wanted, static_cast<std::int64_t>(names.size()), first, end, kBatchBytes, &stream, &error) !=
      NEARDUP_OK) {
    throw_plugin_error(error, path_);
  }
  return stream;
}

std::vector<std::string> ColumnFile::column_names() {
  const arrow::OwnedSchema schema = arrow::Stream(read(std::nullopt, 0, 0)).schema();
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < schema.get().n_children; ++i) names.emplace_back(schema.get().children[i]->name);
  return names;
}

namespace {

// In the order of NeardupKind.
constexpr std::array<std::string_view, 3> kFormats{"parquet", "arrow", "arrows"};

}  // namespace

const Format& format_of_kind(NeardupKind kind) { return format_named(kFormats[kind]); }

NeardupKind kind_of_format(const Format& format) {
  return static_cast<NeardupKind>(std::ranges::find(kFormats, format.name) - kFormats.begin());
}

std::shared_ptr<const DocumentSource> column_documents(ColumnFile& file, const ReadOptions& options,
                                                       const std::int64_t& first_group) {
  const auto open = [&file, &first_group](std::span<const std::string> columns) {
    if (columns.empty()) return file.read(std::nullopt, 0, 0);  // the schema, and no rows
    return file.read(columns, first_group, file.groups());
  };
  try {
    return arrow_documents(open, {.text = options.text_fields, .id = options.id_field});
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}", file.path(), error.what()), error.option());
  }
}

}  // namespace neardup::io
