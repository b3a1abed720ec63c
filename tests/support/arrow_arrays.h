// Arrow arrays made by hand, valid ones and others, and streams of them that count what was not released.
#pragma once

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/arrow.h"

namespace neardup::test {

// A column, or a table: what a schema and an array say together. Everything may be changed before it is exported.
struct Column {
  std::string name{}, format{};
  std::int64_t length = 0, offset = 0, null_count = 0;
  std::vector<std::optional<std::string>> buffers{};  // nothing: a null pointer; each has just the bytes it needs
  std::vector<Column> children{};
  std::vector<Column> dictionary{};  // one or none

  // The same column from this row on, as a slice shows it.
  [[nodiscard]] Column slice(std::int64_t from, std::int64_t count) const {
    Column sliced = *this;
    sliced.offset += from;
    sliced.length = count;
    return sliced;
  }
  [[nodiscard]] Column named(std::string new_name) const {
    Column renamed = *this;
    renamed.name = std::move(new_name);
    return renamed;
  }
};

template <class T>
void append_value(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

// The bits of all cells that have a value; a null pointer when all have one.
template <class Cells>
void set_validity(const Cells& cells, Column& column) {
  std::string bits((cells.size() + 7) / 8, '\0');
  column.null_count = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i]) {
      bits[i / 8] = static_cast<char>(bits[i / 8] | 1 << (i % 8));
    } else {
      ++column.null_count;
    }
  }
  column.length = static_cast<std::int64_t>(cells.size());
  column.buffers.assign(1, column.null_count == 0 ? std::nullopt : std::optional(bits));
}

using Strings = std::vector<std::optional<std::string>>;

// u, z (offsets of 32 bits) or U, Z (of 64).
inline Column strings(const Strings& cells, const std::string& format = "u") {
  Column column{.name = "text", .format = format};
  set_validity(cells, column);
  std::string offsets, bytes;
  const auto end = [&] {
    if (format == "u" || format == "z") {
      append_value(offsets, static_cast<std::int32_t>(bytes.size()));
    } else {
      append_value(offsets, static_cast<std::int64_t>(bytes.size()));
    }
  };
  end();
  for (const auto& cell : cells) {
    bytes += cell.value_or("");
    end();
  }
  column.buffers.insert(column.buffers.end(), {offsets, bytes});
  return column;
}

// vu or vz; long strings go to buffers of at most two.
inline Column string_views(const Strings& cells, const std::string& format = "vu") {
  Column column{.name = "text", .format = format};
  set_validity(cells, column);
  std::string views;
  std::vector<std::string> buffers;
  int in_last = 2;
  for (const auto& cell : cells) {
    const std::string text = cell.value_or("");
    append_value(views, static_cast<std::int32_t>(text.size()));
    if (text.size() <= 12) {
      std::string inlined = text;
      inlined.resize(12);
      views += inlined;
      continue;
    }
    if (in_last == 2) {
      buffers.emplace_back("xyz");
      in_last = 0;
    }
    views += text.substr(0, 4);
    append_value(views, static_cast<std::int32_t>(buffers.size() - 1));
    append_value(views, static_cast<std::int32_t>(buffers.back().size()));
    buffers.back() += text;
    ++in_last;
  }
  column.buffers.emplace_back(views);
  std::string sizes;
  for (const std::string& buffer : buffers) {
    column.buffers.emplace_back(buffer);
    append_value(sizes, static_cast<std::int64_t>(buffer.size()));
  }
  column.buffers.emplace_back(sizes);
  return column;
}

// Numbers of any width: the format is that of T.
template <class T>
Column values(const std::vector<std::optional<T>>& cells, const std::string& format) {
  Column column{.name = "n", .format = format};
  set_validity(cells, column);
  std::string bytes;
  for (const auto& cell : cells) append_value(bytes, cell.value_or(T{}));
  column.buffers.emplace_back(bytes);
  return column;
}

inline Column booleans(const std::vector<std::optional<bool>>& cells) {
  Column column{.name = "b", .format = "b"};
  set_validity(cells, column);
  std::string bits((cells.size() + 7) / 8, '\0');
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].value_or(false)) bits[i / 8] = static_cast<char>(bits[i / 8] | 1 << (i % 8));
  }
  column.buffers.emplace_back(bits);
  return column;
}

inline Column nulls(std::int64_t length) {
  return {.name = "n", .format = "n", .length = length, .null_count = length};
}

// Cells of the same width as bytes: decimals, w:N.
inline Column fixed(const Strings& cells, const std::string& format, std::size_t width) {
  Column column{.name = "f", .format = format};
  set_validity(cells, column);
  std::string bytes;
  for (const auto& cell : cells) bytes += cell.value_or(std::string(width, '\0'));
  column.buffers.emplace_back(bytes);
  return column;
}

// How many cells of the child each list has; nothing: null.
using Counts = std::vector<std::optional<std::int64_t>>;

// +l or +L.
inline Column lists(const Counts& counts, Column child, const std::string& format = "+l") {
  Column column{.name = "list", .format = format};
  set_validity(counts, column);
  std::string offsets;
  std::int64_t at = 0;
  const auto end = [&] {
    if (format == "+l") {
      append_value(offsets, static_cast<std::int32_t>(at));
    } else {
      append_value(offsets, at);
    }
  };
  end();
  for (const auto& count : counts) {
    at += count.value_or(0);
    end();
  }
  column.buffers.emplace_back(offsets);
  column.children.push_back(std::move(child));
  return column;
}

// +w:SIZE
inline Column fixed_lists(const std::vector<std::optional<bool>>& cells, int size, Column child) {
  Column column{.name = "list", .format = "+w:" + std::to_string(size)};
  set_validity(cells, column);
  column.children.push_back(std::move(child));
  return column;
}

// +vl: where each list begins in the child, and its size.
inline Column list_views(const std::vector<std::optional<std::pair<int, int>>>& cells, Column child) {
  Column column{.name = "list", .format = "+vl"};
  set_validity(cells, column);
  std::string offsets, sizes;
  for (const auto& cell : cells) {
    append_value(offsets, static_cast<std::int32_t>(cell.value_or(std::pair{0, 0}).first));
    append_value(sizes, static_cast<std::int32_t>(cell.value_or(std::pair{0, 0}).second));
  }
  column.buffers.insert(column.buffers.end(), {offsets, sizes});
  column.children.push_back(std::move(child));
  return column;
}

inline Column structs(const std::vector<std::optional<bool>>& cells, std::vector<Column> children) {
  Column column{.name = "s", .format = "+s"};
  set_validity(cells, column);
  column.children = std::move(children);
  return column;
}

// `indexes` are values() of any integers.
inline Column dictionary_of(Column indexes, Column dictionary) {
  indexes.dictionary.push_back(std::move(dictionary));
  return indexes;
}

inline Column runs(std::int64_t length, Column ends, Column run_values) {
  Column column{.name = "runs", .format = "+r", .length = length};
  column.children = {std::move(ends), std::move(run_values)};
  return column;
}

inline Column table(std::vector<Column> columns) {
  Column rows{.format = "+s", .length = columns.empty() ? 0 : columns[0].length};
  rows.buffers = {std::nullopt};
  rows.children = std::move(columns);
  return rows;
}

// Counts structs that were exported and not released.
using Alive = std::shared_ptr<std::atomic<int>>;
inline Alive count_alive() { return std::make_shared<std::atomic<int>>(0); }

// A schema or an array on its own memory, its children too.
struct ExportedNode {
  Column column;
  Alive alive;
  std::vector<std::unique_ptr<char[]>> memory{};
  std::vector<const void*> buffers{};
  std::vector<ArrowSchema> schemas{};
  std::vector<ArrowSchema*> schema_pointers{};
  std::vector<ArrowArray> arrays{};
  std::vector<ArrowArray*> array_pointers{};
};

template <class Struct>
void release_node(Struct* released) {
  auto* node = static_cast<ExportedNode*>(released->private_data);
  for (std::int64_t i = 0; i < released->n_children && released->children != nullptr; ++i) {
    if (released->children[i] != nullptr && released->children[i]->release != nullptr)
      released->children[i]->release(released->children[i]);
  }
  if (released->dictionary != nullptr && released->dictionary->release != nullptr)
    released->dictionary->release(released->dictionary);
  --*node->alive;
  released->release = nullptr;
  delete node;
}

inline ArrowSchema export_schema(const Column& column, const Alive& alive) {
  auto* node = new ExportedNode{.column = column, .alive = alive};
  ++*alive;
  ArrowSchema schema{};
  schema.format = node->column.format.c_str();
  schema.name = node->column.name.c_str();
  schema.flags = ARROW_FLAG_NULLABLE;
  for (const Column& child : column.children) node->schemas.push_back(export_schema(child, alive));
  for (const Column& values : column.dictionary) node->schemas.push_back(export_schema(values, alive));
  for (std::size_t i = 0; i < column.children.size(); ++i) node->schema_pointers.push_back(&node->schemas[i]);
  schema.n_children = static_cast<std::int64_t>(column.children.size());
  schema.children = node->schema_pointers.data();
  if (!column.dictionary.empty()) schema.dictionary = &node->schemas.back();
  schema.release = release_node<ArrowSchema>;
  schema.private_data = node;
  return schema;
}

inline ArrowArray export_array(const Column& column, const Alive& alive) {
  auto* node = new ExportedNode{.column = column, .alive = alive};
  ++*alive;
  ArrowArray array{};
  array.length = column.length;
  array.null_count = column.null_count;
  array.offset = column.offset;
  for (const auto& buffer : column.buffers) {
    if (!buffer) {
      node->buffers.push_back(nullptr);
      continue;
    }
    auto& own = node->memory.emplace_back(new char[buffer->size()]);  // no byte more, so that ASan sees every overrun
    std::memcpy(own.get(), buffer->data(), buffer->size());
    node->buffers.push_back(own.get());
  }
  array.n_buffers = static_cast<std::int64_t>(node->buffers.size());
  array.buffers = node->buffers.data();
  for (const Column& child : column.children) node->arrays.push_back(export_array(child, alive));
  for (const Column& values : column.dictionary) node->arrays.push_back(export_array(values, alive));
  for (std::size_t i = 0; i < column.children.size(); ++i) node->array_pointers.push_back(&node->arrays[i]);
  array.n_children = static_cast<std::int64_t>(column.children.size());
  array.children = node->array_pointers.data();
  if (!column.dictionary.empty()) array.dictionary = &node->arrays.back();
  array.release = release_node<ArrowArray>;
  array.private_data = node;
  return array;
}

// What a stream does: its batches in turn, then perhaps a failure.
struct Script {
  Column schema{};
  std::vector<Column> batches{};
  std::optional<std::string> failure{};  // after the batches; empty: without a text
  bool fails_at_schema = false;
};

struct ScriptedStream {
  Script script;
  Alive alive;
  std::size_t at = 0;
};

inline ArrowArrayStream export_script(Script script, const Alive& alive = count_alive()) {
  ++*alive;
  ArrowArrayStream stream{};
  stream.private_data = new ScriptedStream{std::move(script), alive};
  stream.get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
    const auto& own = *static_cast<ScriptedStream*>(self->private_data);
    if (own.script.fails_at_schema) return EIO;
    *out = export_schema(own.script.schema, own.alive);
    return 0;
  };
  stream.get_next = [](ArrowArrayStream* self, ArrowArray* out) {
    auto& own = *static_cast<ScriptedStream*>(self->private_data);
    if (own.at < own.script.batches.size()) {
      *out = export_array(own.script.batches[own.at++], own.alive);
      return 0;
    }
    if (own.script.failure) return EIO;
    *out = {};
    return 0;
  };
  stream.get_last_error = [](ArrowArrayStream* self) -> const char* {
    const auto& own = *static_cast<ScriptedStream*>(self->private_data);
    return own.script.failure && !own.script.failure->empty() ? own.script.failure->c_str() : nullptr;
  };
  stream.release = [](ArrowArrayStream* self) {
    auto* own = static_cast<ScriptedStream*>(self->private_data);
    --*own->alive;
    self->release = nullptr;
    delete own;
  };
  return stream;
}

// The batches, which are tables of one schema.
inline ArrowArrayStream stream_of(std::vector<Column> batches, const Alive& alive = count_alive()) {
  Script script;
  script.schema = batches.at(0);
  script.batches = std::move(batches);
  return export_script(std::move(script), alive);
}

// The columns that were asked for, as a reader of files leaves out the others.
inline Column only(const Column& whole, std::span<const std::string> names) {
  if (names.empty()) return whole;
  Column out = whole;
  std::erase_if(out.children,
                [&](const Column& child) { return std::find(names.begin(), names.end(), child.name) == names.end(); });
  return out;
}

// The same batches as often as they are wanted.
inline ArrowStreamFactory factory_of(std::vector<Column> batches, const Alive& alive = count_alive()) {
  return [batches = std::move(batches), alive](std::span<const std::string> columns) {
    std::vector<Column> chosen;
    for (const Column& batch : batches) chosen.push_back(only(batch, columns));
    return stream_of(std::move(chosen), alive);
  };
}

}  // namespace neardup::test
