// What each file of bindings adds to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace neardup::python {

void bind_errors(nanobind::module_&);
void bind_columns(nanobind::module_&);
void bind_collections(nanobind::module_&);
void bind_arrow(nanobind::module_&);
void bind_dedup(nanobind::module_&);
void bind_pairs(nanobind::module_&);
void bind_fingerprints(nanobind::module_&);
void bind_hamming(nanobind::module_&);
void bind_features(nanobind::module_&);
void bind_verifier(nanobind::module_&);
void bind_clusters(nanobind::module_&);
void bind_compare(nanobind::module_&);
void bind_clean(nanobind::module_&);
void bind_shuffle(nanobind::module_&);
void bind_shuffle_units(nanobind::module_&);

}  // namespace neardup::python
