// Documents over Arrow data that Python objects hold, through the Arrow PyCapsule protocol.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "call.h"
#include "documents.h"
#include "gil.h"
#include "neardup/arrow.h"
#include "options.h"

namespace neardup::python {
namespace {

constexpr const char* kStreamCapsule = "arrow_array_stream";

// Takes the stream out of a capsule, which is empty then. With the interpreter's lock.
ArrowArrayStream stream_of(nb::handle capsule) {
  auto* const held = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), kStreamCapsule));
  if (held == nullptr) throw nb::python_error();
  if (held->release == nullptr) throw Error(ErrorCode::input, "the Arrow stream has been read already");
  return std::exchange(*held, ArrowArrayStream{});
}

ArrowColumns arrow_columns_of(const Options& options) {
  ArrowColumns columns;
  if (options.has("text_fields")) columns.text = options.texts("text_fields");
  if (options.has("id_field")) columns.id = options.text("id_field");
  return columns;
}

// `open` takes a list of top-level columns (none: all) and returns a stream capsule over the same rows each time.
Documents documents_of_arrow(const nb::object& open, const nb::dict& given, std::uint64_t bytes) {
  ArrowStreamFactory factory = [open = SharedObject(open)](std::span<const std::string> columns) {
    return with_python([&] {
      nb::list names;
      for (const std::string& name : columns) names.append(name);
      return stream_of(open.get()(names));
    });
  };
  return {arrow_documents(std::move(factory), arrow_columns_of(Options(given)), bytes)};
}

// A stream that can be read only once: kept in memory or spooled. `fields` are what keep rules will ask for.
Documents documents_of_arrow_stream(const nb::object& capsule, const std::vector<std::string>& fields,
                                    const nb::dict& given, const nb::dict& run) {
  ArrowArrayStream stream = stream_of(capsule);
  const ArrowColumns columns = arrow_columns_of(Options(given));
  Documents documents;
  run_call(run_options(run), [&](const Context& context) {
    documents.source = arrow_documents(std::move(stream), columns, fields, context);
  });
  return documents;
}

}  // namespace

void bind_arrow(nb::module_& module) {
  module.def("documents_of_arrow", &documents_of_arrow, nb::arg("open"), nb::arg("options"), nb::arg("bytes"));
  module.def("documents_of_arrow_stream", &documents_of_arrow_stream, nb::arg("capsule"), nb::arg("fields"),
             nb::arg("options"), nb::arg("run"));
}

}  // namespace neardup::python
