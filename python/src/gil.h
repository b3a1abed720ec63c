// How do threads of the library hold and drop Python objects?
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <utility>

#include "neardup/error.h"

namespace neardup::python {

namespace nb = nanobind;

// An object that may be given back on any thread, with or without the interpreter's lock. Once the interpreter is gone
// it is left alone.
class SharedObject {
 public:
  SharedObject() = default;
  explicit SharedObject(nb::object object)
      : object_(object.release().ptr(), [](PyObject* owned) {
          if (owned == nullptr || !nb::is_alive()) return;
          const nb::gil_scoped_acquire lock;
          Py_DECREF(owned);
        }) {}
  [[nodiscard]] nb::handle get() const { return object_.get(); }

 private:
  std::shared_ptr<PyObject> object_;
};

// An exception that Python raised while the library read documents. The library passes it on as one of its own errors,
// and in the end (errors.cpp) what it holds is raised again, unchanged.
class PythonRaised : public Error {
 public:
  explicit PythonRaised(nb::python_error&& error)
      : Error(ErrorCode::input, "Python raised an exception while documents were read"),
        raised_(new nb::python_error(std::move(error)), [](nb::python_error* owned) {
          if (!nb::is_alive()) return;
          const nb::gil_scoped_acquire lock;
          delete owned;
        }) {}
  // Sets it as the exception that is being raised. With the interpreter's lock.
  void restore() const { nb::python_error(*raised_).restore(); }

 private:
  std::shared_ptr<nb::python_error> raised_;
};

// Calls `work` with the interpreter's lock, on any thread of a call.
template <class Work>
auto with_python(const Work& work) {
  const nb::gil_scoped_acquire lock;
  try {
    return work();
  } catch (nb::python_error& error) {
    throw PythonRaised(std::move(error));
  }
}

}  // namespace neardup::python
