// The extension module neardup._core: what the Python files of the package are built on. Nothing in it is public.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "call.h"
#include "neardup/memory.h"
#include "neardup/version.h"

NB_MODULE(_core, module) {
  using namespace neardup;
  module.def("version", &version);
  module.def("library_versions", &library_versions);
  module.def("default_memory_bytes", &default_memory_bytes);
  module.def("active_kernels", [] {
    nanobind::dict kernels;
    for (const KernelChoice& kernel : active_kernels()) kernels[kernel.name.c_str()] = kernel.active;
    return kernels;
  });
  python::bind_errors(module);
  python::bind_collections(module);
  python::bind_dedup(module);
  python::bind_shuffle(module);
  nanobind::module_::import_("atexit").attr("register")(nanobind::cpp_function(&python::stop_all_calls));
}
