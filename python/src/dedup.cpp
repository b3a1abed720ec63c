#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

#include "arrays.h"
#include "bindings.h"
#include "call.h"
#include "neardup/dedup.h"
#include "neardup/error.h"
#include "options.h"
#include "pairs.h"

namespace neardup::python {
namespace {

DedupResult run_dedup(const Collection& collection, const Collection* against, const nb::dict& given,
                      const nb::dict& run) {
  const DedupOptions options = dedup_options_of(Options(given));
  DedupResult result;
  run_call(run_options(run), [&](const Context& context) {
    result = against == nullptr ? deduplicate(collection, options, context)
                                : deduplicate(collection, *against, options, context);
  });
  return result;
}

PairArrays evidence_pairs(const DedupResult& result, const nb::dict& run) {
  PairColumns columns;
  run_call(run_options(run), [&](const Context& context) {
    if (!result.for_each_pair) return;
    result.for_each_pair([&](const Pair& pair) {
      if (context.stop.stop_requested()) throw Error(ErrorCode::interrupted, "interrupted");
      columns.add(pair.left, pair.right, pair.score);
    });
  });
  return std::move(columns).arrays();
}

PairArrays against_matches(const DedupResult& result) {
  PairColumns columns;
  for (const AgainstMatch& match : result.against) columns.add(match.row, match.other, match.score);
  return std::move(columns).arrays();
}

}  // namespace

void bind_dedup(nb::module_& module) {
  nb::class_<DedupResult>(module, "DedupResult")
      .def_ro("clusters", &DedupResult::clusters)
      .def("scores", [](const DedupResult& result) { return array_of(result.scores); })
      .def("pairs", &evidence_pairs, nb::arg("run"))
      .def("against", &against_matches)
      .def("report", [](const DedupResult& result) { return to_json(result.report); });
  module.def("deduplicate", &run_dedup, nb::arg("collection"), nb::arg("against").none(), nb::arg("options"),
             nb::arg("run"));
}

}  // namespace neardup::python
