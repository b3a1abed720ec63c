#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <array>

#include "bindings.h"
#include "gil.h"
#include "neardup/error.h"

namespace neardup::python {
namespace {

namespace nb = nanobind;

constexpr std::array kCodes{"usage", "input", "output", "limit", "corrupt", "locked", "interrupted", "internal"};

// neardup._errors has the classes, and puts Python's words into the message.
void raise(const Error& error) {
  const nb::object made =
      nb::module_::import_("neardup._errors")
          .attr("error_of")(kCodes[static_cast<std::size_t>(error.code())], std::string(error.what()), error.option());
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
}

}  // namespace

void bind_errors(nb::module_&) {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const PythonRaised& error) {
      error.restore();
    } catch (const Error& error) {
      raise(error);
    }
  });
}

}  // namespace neardup::python
