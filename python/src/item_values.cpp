#include "item_values.h"

#include <nanobind/stl/string.h>

#include <cmath>

namespace neardup::python {
namespace {

// Lone surrogates, which "surrogatepass" writes as ED A0..BF xx, as one byte that UTF-8 never has.
std::string without_surrogates(std::string_view encoded) {
  std::string out;
  out.reserve(encoded.size());
  for (std::size_t at = 0; at < encoded.size(); ++at) {
    const bool is_surrogate =
        encoded[at] == '\xED' && at + 2 < encoded.size() && static_cast<unsigned char>(encoded[at + 1]) >= 0xA0;
    out += is_surrogate ? '\xFF' : encoded[at];
    if (is_surrogate) at += 2;
  }
  return out;
}

ValueView with_surrogates(nb::handle str, OwnedTexts& owned) {
  const nb::object bytes = nb::steal(PyUnicode_AsEncodedString(str.ptr(), "utf-8", "surrogatepass"));
  char* data = nullptr;
  Py_ssize_t size = 0;
  if (!bytes.is_valid() || PyBytes_AsStringAndSize(bytes.ptr(), &data, &size) != 0) throw nb::python_error();
  return {.view = owned.add(without_surrogates({data, static_cast<std::size_t>(size)})), .is_valid_utf8 = false};
}

bool is_list(nb::handle value) { return PyList_Check(value.ptr()) || PyTuple_Check(value.ptr()); }

nb::handle item(nb::handle dict, const char* name) { return PyDict_GetItemString(dict.ptr(), name); }

// The parts of an array as JSON files have them: strings, messages with a content, nothing.
class Parts {
 public:
  explicit Parts(OwnedTexts& owned) : owned_(owned) {}
  // False: a part is something else, and `why_not` says what.
  bool add(nb::handle value, int depth) {
    if (PyUnicode_Check(value.ptr())) return add_text(value);
    if (value.is_none()) return true;
    if (is_list(value)) {
      if (depth == 2) return refuse("a list within a list within a list");
      for (nb::handle part : value) {
        if (!add(part, depth + 1)) return false;
      }
      return true;
    }
    if (PyDict_Check(value.ptr())) return add_message(value, depth);
    return refuse("a list with " + kind_of(value) + " in it");
  }
  ValueView joined() {
    if (!why_not_.empty()) return {.why_not = why_not_};
    return {.view = owned_.add(std::move(text_)), .is_valid_utf8 = is_valid_};
  }

 private:
  bool add_text(nb::handle str) {
    const ValueView part = str_view(str, owned_);
    if (!is_first_) text_ += '\n';
    is_first_ = false;
    text_ += part.view;
    is_valid_ = is_valid_ && part.is_valid_utf8;
    return true;
  }
  bool add_message(nb::handle message, int depth) {
    if (const nb::handle type = item(message, "type"); type.is_valid() && PyUnicode_Check(type.ptr())) {
      const nb::handle text = item(message, "text");
      return text.is_valid() && PyUnicode_Check(text.ptr()) ? add_text(text) : true;
    }
    const nb::handle content = item(message, "content");
    if (!content.is_valid()) return refuse("a list with a dict that has no content");
    return add(content, depth + 1);
  }
  bool refuse(std::string why_not) {
    why_not_ = std::move(why_not);
    return false;
  }

  OwnedTexts& owned_;
  std::string text_;
  bool is_first_ = true, is_valid_ = true;
  std::string why_not_;
};

std::string text_of(nb::handle value) { return nb::cast<std::string>(nb::str(value)); }

}  // namespace

std::string kind_of(nb::handle value) {
  if (value.is_none()) return "None";
  if (PyFloat_Check(value.ptr()) && std::isnan(PyFloat_AsDouble(value.ptr()))) return "NaN";
  const std::string name = nb::cast<std::string>(nb::borrow(value).type().attr("__name__"));
  if (name == "bytes") return "bytes";
  const bool has_vowel = std::string_view("aeiouAEIOU").find(name.front()) != std::string_view::npos;
  return (has_vowel ? "an " : "a ") + name;
}

std::string expected_str(nb::handle value) {
  const bool is_bytes = PyBytes_Check(value.ptr()) || PyByteArray_Check(value.ptr());
  return kind_of(value) + (is_bytes ? ", expected a str: decode it first" : ", expected a str");
}

ValueView str_view(nb::handle str, OwnedTexts& owned) {
  Py_ssize_t size = 0;
  if (const char* data = PyUnicode_AsUTF8AndSize(str.ptr(), &size)) {
    return {.view = {data, static_cast<std::size_t>(size)}};
  }
  if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) throw nb::python_error();
  PyErr_Clear();
  return with_surrogates(str, owned);
}

ValueView text_view(nb::handle value, OwnedTexts& owned) {
  if (PyUnicode_Check(value.ptr())) return str_view(value, owned);
  if (is_list(value)) {
    Parts parts(owned);
    parts.add(value, 0);
    return parts.joined();
  }
  return {.why_not = expected_str(value)};
}

ValueView id_view(nb::handle value, OwnedTexts& owned) {
  if (value.is_none()) return {};
  if (PyUnicode_Check(value.ptr())) return str_view(value, owned);
  if (PyBool_Check(value.ptr())) return {.why_not = "a bool, expected a str or an int"};
  if (PyLong_Check(value.ptr())) return {.view = owned.add(text_of(value))};
  if (PyFloat_Check(value.ptr())) {
    if (std::isnan(PyFloat_AsDouble(value.ptr()))) return {};
    return {.view = owned.add(text_of(value))};
  }
  if (PyIndex_Check(value.ptr())) {  // NumPy's integers
    return {.view = owned.add(text_of(nb::steal(PyNumber_Index(value.ptr()))))};
  }
  return {.why_not = kind_of(value) + ", expected a str or an int"};
}

std::optional<std::string_view> field_view(nb::handle value, OwnedTexts& owned) {
  if (value.is_none()) return std::nullopt;
  if (PyUnicode_Check(value.ptr())) return str_view(value, owned).view;
  if (PyBool_Check(value.ptr())) return value.ptr() == Py_True ? "true" : "false";
  if (PyLong_Check(value.ptr()) || PyFloat_Check(value.ptr()) || PyIndex_Check(value.ptr())) {
    return owned.add(text_of(value));
  }
  if (nb::hasattr(value, "isoformat")) return owned.add(text_of(value.attr("isoformat")()));
  return std::nullopt;
}

PyObject* find_field(nb::handle dict, nb::handle name, const std::vector<nb::object>& path) {
  if (PyObject* found = PyDict_GetItemWithError(dict.ptr(), name.ptr())) return found;
  if (PyErr_Occurred()) throw nb::python_error();
  if (path.size() < 2) return nullptr;
  PyObject* at = dict.ptr();
  for (const nb::object& step : path) {
    if (!PyDict_Check(at)) return nullptr;
    at = PyDict_GetItemWithError(at, step.ptr());
    if (at == nullptr) {
      if (PyErr_Occurred()) throw nb::python_error();
      return nullptr;
    }
  }
  return at;
}

}  // namespace neardup::python
