#include "arrow/export.h"

#include <cerrno>
#include <exception>
#include <new>
#include <string>
#include <utility>

namespace neardup::arrow {
namespace {

// Releases what its consumer did not move out, then what holds it.
template <class Struct, class Private>
void release(Struct* released) {
  auto* const own = static_cast<Private*>(released->private_data);
  for (std::int64_t i = 0; i < released->n_children; ++i) {
    Struct* const child = released->children[i];
    if (child->release != nullptr) child->release(child);
  }
  released->release = nullptr;
  delete own;
}

// Children have structs of their own, so that each can be moved out and outlive its parent.
struct SchemaHolder {
  std::vector<ArrowSchema> children{};
  std::vector<ArrowSchema*> pointers{};
};
struct ArrayHolder {
  std::vector<const void*> buffers{};
  std::shared_ptr<const void> owner{};
  std::vector<ArrowArray> children{};
  std::vector<ArrowArray*> pointers{};
};

template <class Struct, class Holder>
void link_children(Holder& holder, Struct& out) {
  for (Struct& child : holder.children) holder.pointers.push_back(&child);
  out.n_children = static_cast<std::int64_t>(holder.pointers.size());
  out.children = holder.pointers.data();
}

ArrowSchema export_schema(const std::vector<ExportedColumn>& columns) {
  auto holder = std::make_unique<SchemaHolder>();
  holder->children.resize(columns.size());
  holder->pointers.reserve(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    ArrowSchema& child = holder->children[i];
    child.format = columns[i].format;
    child.name = columns[i].name;
    child.flags = columns[i].is_nullable ? ARROW_FLAG_NULLABLE : 0;
    child.release = release<ArrowSchema, SchemaHolder>;  // holds nothing: names and formats are constants
  }
  ArrowSchema schema{};
  schema.format = "+s";
  schema.name = "";
  schema.release = release<ArrowSchema, SchemaHolder>;
  link_children(*holder, schema);
  schema.private_data = holder.release();
  return schema;
}

ArrowArray export_column(std::int64_t rows, ExportedData data) {
  auto holder = std::make_unique<ArrayHolder>();
  holder->buffers = std::move(data.buffers);
  holder->owner = std::move(data.owner);
  ArrowArray array{};
  array.length = rows;
  array.null_count = data.null_count;
  array.n_buffers = static_cast<std::int64_t>(holder->buffers.size());
  array.buffers = holder->buffers.data();
  array.release = release<ArrowArray, ArrayHolder>;
  array.private_data = holder.release();
  return array;
}

ArrowArray export_batch(ExportedBatch batch) {
  auto holder = std::make_unique<ArrayHolder>();
  holder->buffers.assign(1, nullptr);  // no row is null
  holder->children.resize(batch.columns.size());
  holder->pointers.reserve(batch.columns.size());
  ArrowArray array{};
  array.length = batch.rows;
  array.n_buffers = 1;
  array.buffers = holder->buffers.data();
  array.release = release<ArrowArray, ArrayHolder>;
  link_children(*holder, array);
  array.private_data = holder.get();
  ArrayHolder* const held = holder.release();  // from here on `array` is what has to be released
  try {
    for (std::size_t i = 0; i < batch.columns.size(); ++i)
      held->children[i] = export_column(batch.rows, std::move(batch.columns[i]));
  } catch (...) {
    array.release(&array);
    throw;
  }
  return array;
}

struct StreamHolder {
  std::unique_ptr<Exporter> exporter;
  std::string last_error{};
};

// No exception may reach C.
template <class Body>
int answer(ArrowArrayStream* stream, const Body& body) noexcept {
  auto& holder = *static_cast<StreamHolder*>(stream->private_data);
  holder.last_error.clear();
  try {
    body(*holder.exporter);
    return 0;
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  } catch (const std::exception& problem) {
    try {
      holder.last_error = problem.what();
    } catch (...) {
      return ENOMEM;
    }
    return EIO;
  } catch (...) {
    return EIO;
  }
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  return answer(stream, [&](Exporter& exporter) { *out = export_schema(exporter.columns()); });
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  return answer(stream, [&](Exporter& exporter) {
    std::optional<ExportedBatch> batch = exporter.next();
    *out = batch ? export_batch(*std::move(batch)) : ArrowArray{};
  });
}

const char* get_last_error(ArrowArrayStream* stream) {
  const auto& error = static_cast<StreamHolder*>(stream->private_data)->last_error;
  return error.empty() ? nullptr : error.c_str();
}

void release_stream(ArrowArrayStream* stream) {
  delete static_cast<StreamHolder*>(stream->private_data);
  stream->release = nullptr;
}

}  // namespace

ArrowArrayStream export_stream(std::unique_ptr<Exporter> exporter) {
  ArrowArrayStream stream{};
  stream.get_schema = get_schema;
  stream.get_next = get_next;
  stream.get_last_error = get_last_error;
  stream.release = release_stream;
  stream.private_data = new StreamHolder{std::move(exporter)};
  return stream;
}

}  // namespace neardup::arrow
