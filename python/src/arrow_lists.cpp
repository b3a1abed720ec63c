#include "arrow_lists.h"

#include <nanobind/ndarray.h>

#include <array>
#include <limits>
#include <type_traits>

#include "bindings.h"
#include "neardup/error.h"

namespace neardup::python {
namespace {

// One node of an exported array: what it points at lives as long as it.
struct ExportedArray {
  std::shared_ptr<const void> keeps;
  std::array<const void*, 2> buffers{};
  ArrowArray child{};
  std::array<ArrowArray*, 1> children{};
};

struct ExportedSchema {
  ArrowSchema child{};
  std::array<ArrowSchema*, 1> children{};
};

void release_array(ArrowArray* array) {
  auto* const owned = static_cast<ExportedArray*>(array->private_data);
  if (owned->child.release != nullptr) owned->child.release(&owned->child);
  delete owned;
  array->release = nullptr;
}

void release_schema(ArrowSchema* schema) {
  auto* const owned = static_cast<ExportedSchema*>(schema->private_data);
  if (owned->child.release != nullptr) owned->child.release(&owned->child);
  delete owned;
  schema->release = nullptr;
}

void fill_schema(ArrowSchema& schema, const char* format, const char* name, bool has_child) {
  auto* const owned = new ExportedSchema;
  owned->children[0] = &owned->child;
  schema = {.format = format,
            .name = name,
            .metadata = nullptr,
            .flags = ARROW_FLAG_NULLABLE,
            .n_children = has_child ? 1 : 0,
            .children = has_child ? owned->children.data() : nullptr,
            .dictionary = nullptr,
            .release = &release_schema,
            .private_data = owned};
}

ExportedArray& fill_array(ArrowArray& array, std::int64_t length, std::int64_t nulls, bool has_child) {
  auto* const owned = new ExportedArray;
  owned->children[0] = &owned->child;
  array = {.length = length,
           .null_count = nulls,
           .offset = 0,
           .n_buffers = 2,
           .n_children = has_child ? 1 : 0,
           .buffers = owned->buffers.data(),
           .children = has_child ? owned->children.data() : nullptr,
           .dictionary = nullptr,
           .release = &release_array,
           .private_data = owned};
  return *owned;
}

// A capsule that releases what nobody took out of it.
template <class Struct>
nb::object capsule_of(std::unique_ptr<Struct> owned, const char* name) {
  PyObject* const capsule = PyCapsule_New(owned.get(), name, [](PyObject* self) {
    auto* const held = static_cast<Struct*>(PyCapsule_GetPointer(self, PyCapsule_GetName(self)));
    if (held->release != nullptr) held->release(held);
    delete held;
  });
  if (capsule == nullptr) throw nb::python_error();
  owned.release();
  return nb::steal(capsule);
}

template <class Value>
constexpr const char* kFormat = std::is_same_v<Value, std::uint64_t> ? "L" : "I";

}  // namespace

template <class Value>
NumberColumn<Value>::NumberColumn(Shape shape) : data_(std::make_shared<Data>()) {
  data_->shape = shape;
  if (shape == Shape::lists) data_->offsets.push_back(0);
}

template <class Value>
void NumberColumn<Value>::add(std::span<const Value> values) {
  Data& data = *data_;
  data.values.insert(data.values.end(), values.begin(), values.end());
  if (data.shape == Shape::lists) {
    if (data.values.size() > std::numeric_limits<std::int32_t>::max()) {
      throw Error(ErrorCode::limit,
                  "the lists of one array have more than 2^31 numbers: hand over fewer texts at once");
    }
    data.offsets.push_back(static_cast<std::int32_t>(data.values.size()));
  }
  const std::int64_t row = data.rows++;
  if (row % 8 == 0) data.bits.push_back(0);
  data.bits.back() |= static_cast<std::uint8_t>(1u << (row % 8));
}

template <class Value>
void NumberColumn<Value>::add_null() {
  Data& data = *data_;
  if (data.shape == Shape::numbers) data.values.push_back(0);
  if (data.shape == Shape::lists) data.offsets.push_back(data.offsets.back());
  if (data.rows++ % 8 == 0) data.bits.push_back(0);
  ++data.nulls;
}

namespace {

template <class Value, class Data>
Array<const Value> shared_array(const std::vector<Value>& values, const std::shared_ptr<Data>& data) {
  const nb::capsule owner(new std::shared_ptr<Data>(data),
                          [](void* held) noexcept { delete static_cast<std::shared_ptr<Data>*>(held); });
  return Array<const Value>(values.data(), {values.size()}, owner);
}

}  // namespace

template <class Value>
Array<const Value> NumberColumn<Value>::values() const {
  return shared_array(data_->values, data_);
}

template <class Value>
Array<const std::int32_t> NumberColumn<Value>::offsets() const {
  return shared_array(data_->offsets, data_);
}

template <class Value>
Array<bool> NumberColumn<Value>::valid() const {
  const auto rows = static_cast<std::size_t>(data_->rows);
  auto owned = std::make_unique<bool[]>(rows);
  for (std::size_t row = 0; row < rows; ++row) owned[row] = (data_->bits[row / 8] >> (row % 8) & 1) != 0;
  bool* const data = owned.get();
  const nb::capsule owner(owned.release(), [](void* held) noexcept { delete[] static_cast<bool*>(held); });
  return Array<bool>(data, {rows}, owner);
}

template <class Value>
nb::tuple NumberColumn<Value>::arrow_c_array(const nb::object& /*requested_schema*/) const {
  const bool has_lists = data_->shape == Shape::lists;
  auto schema = std::make_unique<ArrowSchema>();
  fill_schema(*schema, has_lists ? "+l" : kFormat<Value>, "", has_lists);
  if (has_lists) fill_schema(*schema->children[0], kFormat<Value>, "item", false);
  auto array = std::make_unique<ArrowArray>();
  ExportedArray& top = fill_array(*array, data_->rows, data_->nulls, has_lists);
  top.keeps = data_;
  if (data_->nulls != 0) top.buffers[0] = data_->bits.data();
  if (has_lists) {
    top.buffers[1] = data_->offsets.data();
    ExportedArray& item = fill_array(top.child, static_cast<std::int64_t>(data_->values.size()), 0, false);
    item.keeps = data_;
    item.buffers[1] = data_->values.data();
  } else {
    top.buffers[1] = data_->values.data();
  }
  return nb::make_tuple(capsule_of(std::move(schema), "arrow_schema"), capsule_of(std::move(array), "arrow_array"));
}

template class NumberColumn<std::uint64_t>;
template class NumberColumn<std::uint32_t>;

namespace {

template <class Value>
void bind_column(nb::module_& module, const char* name) {
  using Column = NumberColumn<Value>;
  nb::class_<Column>(module, name)
      .def("__len__", &Column::rows)
      .def_prop_ro("values", &Column::values, nb::rv_policy::automatic)
      .def_prop_ro("offsets", &Column::offsets, nb::rv_policy::automatic)
      .def_prop_ro("valid", &Column::valid, nb::rv_policy::automatic)
      .def("__arrow_c_array__", &Column::arrow_c_array, nb::arg("requested_schema") = nb::none());
}

}  // namespace

void bind_columns(nb::module_& module) {
  bind_column<std::uint64_t>(module, "Column64");
  bind_column<std::uint32_t>(module, "Column32");
}

}  // namespace neardup::python
