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
  nanobind::set_leak_warnings(false);  // results that live until the interpreter ends are no leak
  module.def("version", &version);
  module.def("library_versions", &library_versions);
  module.def("default_memory_bytes", &default_memory_bytes);
  module.def("active_kernels", [] {
    nanobind::dict kernels;
    for (const KernelChoice& kernel : active_kernels()) kernels[kernel.name.c_str()] = kernel.active;
    return kernels;
  });
  python::bind_errors(module);
  python::bind_columns(module);
  python::bind_collections(module);
  python::bind_arrow(module);
  python::bind_dedup(module);
  python::bind_pairs(module);
  python::bind_fingerprints(module);
  python::bind_hamming(module);
  python::bind_features(module);
  python::bind_verifier(module);
  python::bind_clusters(module);
  python::bind_compare(module);
  python::bind_clean(module);
  python::bind_shuffle(module);
  module.def("stop_all_calls", &python::stop_all_calls);
  nanobind::module_::import_("atexit").attr("register")(module.attr("stop_all_calls"));
}
