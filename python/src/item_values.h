// How do values of Python become texts, ids and fields, without a copy where none is needed?
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::python {

namespace nb = nanobind;

// Texts that had to be made: valid as long as this is, wherever it moves.
class OwnedTexts {
 public:
  std::string_view add(std::string text) { return texts_.emplace_back(std::move(text)); }

 private:
  std::deque<std::string> texts_;
};

// A view of a value. `why_not` says why there is none: a sentence about the value that follows "the text is".
struct ValueView {
  std::string_view view{};
  bool is_valid_utf8 = true;
  std::string why_not{};
};

// All with the interpreter's lock. Views are valid as long as the objects and `owned`.
//
// The UTF-8 of a str: of ASCII text its own bytes; of other text what Python then keeps with the str. A lone surrogate
// becomes a byte that no UTF-8 has, so that the library reads U+FFFD and counts the text as repaired.
ValueView str_view(nb::handle str, OwnedTexts& owned);
// A text: a str, or a list of str and of chat messages, whose parts are joined with a newline as in JSON files.
ValueView text_view(nb::handle value, OwnedTexts& owned);
// An id: a str or an int. Empty: there is none, because the value is None or an empty str.
ValueView id_view(nb::handle value, OwnedTexts& owned);
// A field for keep rules: str, int, float, bool, date and datetime; anything else counts as absent.
std::optional<std::string_view> field_view(nb::handle value, OwnedTexts& owned);
// "None", "NaN", "bytes", "an int", ...
std::string kind_of(nb::handle value);
// "bytes, expected a str: decode it first"
std::string expected_str(nb::handle value);

// A field of a dict, also by a path such as "a.b"; null when it is not there. Borrowed from the dict.
PyObject* find_field(nb::handle dict, nb::handle name, const std::vector<nb::object>& path);

}  // namespace neardup::python
