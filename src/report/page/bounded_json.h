// How is a JSON document of any size shown in a page of limited size?
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace neardup::report {

struct BoundedJsonLimits {
  std::size_t elements = 200;                // of an array; the rest is left out
  std::size_t string_bytes = 500;            // the rest is cut and replaced with "…"
  std::size_t bytes = std::size_t{1} << 20;  // about; what comes later is left out
};

// A compact copy of a JSON object. An array that was cut is followed, in its object, by NAME_left_out with the number
// of elements. Throws Error{input} when `json` is not a JSON object; `name` is used in the message.
std::string bounded_json(std::string_view json, const std::string& name, const BoundedJsonLimits& = {});

// JSON that can stand inside a <script> element of an HTML page: no `<`, and no line separators of JavaScript.
std::string script_safe(std::string_view json);

}  // namespace neardup::report
