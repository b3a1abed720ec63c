#include "items.h"

#include <nanobind/stl/string.h>

#include <algorithm>

#include "neardup/choice.h"
#include "neardup/error.h"

namespace neardup::python {
namespace {

// A field's name, and the steps of its path.
struct FieldName {
  std::string name;
  nb::object key;
  std::vector<nb::object> path;

  explicit FieldName(const std::string& text) : name(text), key(nb::cast(text)) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('.', begin), text.size());
      path.push_back(nb::cast(text.substr(begin, end - begin)));
      begin = end + 1;
    }
  }
  // Null: not there.
  [[nodiscard]] nb::handle of(nb::handle dict) const { return find_field(dict, key, path); }
};

bool is_collection_of_ints(nb::handle value) {
  if (PyList_Check(value.ptr()) || PyTuple_Check(value.ptr())) {
    const nb::object sequence = nb::borrow(value);
    return nb::len(sequence) == 0 || PyIndex_Check(nb::object(sequence[0]).ptr());
  }
  return PyAnySet_Check(value.ptr()) || nb::hasattr(value, "dtype");
}

// The field of the first dicts that is named most like `name`.
std::string nearest_field(nb::handle objects, const std::string& name) {
  std::vector<std::string> names;
  std::size_t looked_at = 0;
  for (nb::handle object : objects) {
    if (!PyDict_Check(object.ptr()) || ++looked_at > 100) continue;
    for (const auto& [key, value] : nb::borrow<nb::dict>(object)) {
      if (PyUnicode_Check(key.ptr())) names.push_back(nb::cast<std::string>(key));
    }
  }
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  return nearest(name, names);
}

}  // namespace

struct Items::Names {
  std::vector<FieldName> texts;
  FieldName id;
  bool needs_id;

  explicit Names(const ItemColumns& columns)
      : id(columns.id_field.value_or("id")), needs_id(columns.id_field.has_value()) {
    for (const std::string& name : columns.text_fields.value_or(std::vector<std::string>{"text"})) {
      texts.emplace_back(name);
    }
  }
};

ItemKind kind_of_items(nb::handle objects) {
  for (nb::handle object : objects) {
    if (PyUnicode_Check(object.ptr())) return ItemKind::texts;
    if (PyDict_Check(object.ptr())) return ItemKind::dicts;
    if (is_collection_of_ints(object)) return ItemKind::sets;
  }
  return ItemKind::texts;
}

Items::Items(nb::object objects, ItemKind kind, const ItemColumns& columns)
    : objects_(objects), kind_(kind), columns_(columns) {
  const std::size_t count = nb::len(objects);
  const Names names(columns);
  if (kind == ItemKind::dicts) text_count_ = names.texts.size();
  if (kind != ItemKind::sets) texts_.reserve(count * text_count_);
  is_valid_.reserve(count);
  bytes_.reserve(count);
  for (nb::handle object : objects) {
    switch (kind) {
      case ItemKind::texts:
        add_str(object);
        break;
      case ItemKind::dicts:
        add_dict(object, names);
        break;
      case ItemKind::sets:
        add_tokens(object);
        break;
    }
  }
}

void Items::check_columns() const {
  if (kind_ != ItemKind::dicts || with_text_ != 0 || size_ == 0) return;
  const std::string name = Names(columns_).texts.front().name, other = nearest_field(objects_.get(), name);
  throw Error(ErrorCode::usage,
              "no record has the field \"" + name + "\"" + (other.empty() ? "" : ": did you mean \"" + other + "\"?"),
              "text_fields");
}

void Items::add_row(std::string_view key, bool is_valid, std::uint64_t bytes) {
  if (!key.empty() && !has_keys_) {
    has_keys_ = true;
    keys_.resize(size_);
  }
  if (has_keys_) keys_.push_back(key);
  is_valid_.push_back(is_valid);
  bytes_.push_back(bytes);
  if (kind_ == ItemKind::sets) token_ends_.push_back(tokens_.size());
  ++size_;
}

void Items::add_bad(std::string reason) {
  bad_.emplace(size_, std::move(reason));
  if (kind_ != ItemKind::sets) texts_.resize((size_ + 1) * text_count_);
  add_row({}, true, 0);
}

void Items::add_str(nb::handle str) {
  if (!PyUnicode_Check(str.ptr())) return add_bad("the text is " + expected_str(str));
  const ValueView text = str_view(str, owned_);
  texts_.push_back(text.view);
  add_row({}, text.is_valid_utf8, text.view.size());
}

void Items::add_dict(nb::handle dict, const Names& names) {
  if (!PyDict_Check(dict.ptr())) return add_bad("the record is " + kind_of(dict) + ", expected a dict");
  bool is_valid = true;
  std::uint64_t bytes = 0;
  std::vector<std::string_view> texts;
  std::string reason;
  for (const FieldName& name : names.texts) {
    const nb::handle value = name.of(dict);
    if (!value.is_valid()) {
      if (reason.empty()) reason = "no field \"" + name.name + "\"";
      continue;
    }
    ++with_text_;
    const ValueView text = text_view(value, owned_);
    if (!text.why_not.empty() && reason.empty()) reason = "\"" + name.name + "\" is " + text.why_not;
    texts.push_back(text.view);
    is_valid = is_valid && text.is_valid_utf8;
    bytes += text.view.size();
  }
  ValueView key;
  if (const nb::handle value = names.id.of(dict); value.is_valid()) key = id_view(value, owned_);
  if (reason.empty() && !key.why_not.empty()) reason = "\"" + names.id.name + "\" is " + key.why_not;
  if (reason.empty() && names.needs_id && key.view.empty()) reason = "no id in \"" + names.id.name + "\"";
  if (!reason.empty()) return add_bad(std::move(reason));
  texts_.insert(texts_.end(), texts.begin(), texts.end());
  add_row(key.view, is_valid && key.is_valid_utf8, bytes);
}

void Items::add_tokens(nb::handle collection) {
  if (!is_collection_of_ints(collection)) {
    return add_bad("the record is " + kind_of(collection) + ", expected a list of ints");
  }
  const std::size_t begin = tokens_.size();
  try {
    for (nb::handle token : collection) {
      const nb::object number = nb::steal(PyNumber_Index(token.ptr()));
      if (!number.is_valid()) throw nb::python_error();
      const std::uint64_t value = PyLong_AsUnsignedLongLong(number.ptr());
      if (PyErr_Occurred()) throw nb::python_error();
      tokens_.push_back(value);
    }
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_TypeError) && !error.matches(PyExc_OverflowError)) throw;
    tokens_.resize(begin);
    return add_bad("a set has members other than whole numbers from 0 to 2^64 - 1");
  }
  add_row({}, true, 8 * (tokens_.size() - begin));
}

const char* Items::get(std::size_t row, DocumentView& out) const {
  if (!bad_.empty()) {
    if (const auto found = bad_.find(row); found != bad_.end()) return found->second.c_str();
  }
  if (has_keys_) out.key = keys_[row];
  out.is_valid_utf8 = is_valid_[row];
  if (kind_ == ItemKind::sets) {
    const std::uint64_t begin = row == 0 ? 0 : token_ends_[row - 1];
    out.tokens = std::span(tokens_).subspan(begin, token_ends_[row] - begin);
  } else if (text_count_ == 1) {
    out.text = texts_[row];
  } else {
    out.texts = std::span(texts_).subspan(row * text_count_, text_count_);
  }
  return nullptr;
}

Items::Fields Items::fields(std::span<const std::string> names, OwnedTexts& owned) const {
  Fields out;
  if (kind_ != ItemKind::dicts || names.empty()) return out;
  return with_python([&] {
    const std::vector<FieldName> fields(names.begin(), names.end());
    out.reserve(size_ * fields.size());
    for (nb::handle object : objects_.get()) {
      for (const FieldName& field : fields) {
        const nb::handle value = PyDict_Check(object.ptr()) ? field.of(object) : nb::handle();
        out.push_back(value.is_valid() ? field_view(value, owned) : std::nullopt);
      }
    }
    return std::move(out);
  });
}

bool Items::has_field(std::string_view name) const {
  if (kind_ != ItemKind::dicts) return false;
  return with_python([&] {
    const FieldName field{std::string(name)};
    for (nb::handle object : objects_.get()) {
      if (PyDict_Check(object.ptr()) && field.of(object).is_valid()) return true;
    }
    return false;
  });
}

}  // namespace neardup::python
