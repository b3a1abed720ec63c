// What each file of bindings adds to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace neardup::python {

void bind_errors(nanobind::module_&);
void bind_collections(nanobind::module_&);
void bind_dedup(nanobind::module_&);
void bind_shuffle(nanobind::module_&);
void bind_shuffle_units(nanobind::module_&);

}  // namespace neardup::python
