#include "neardup/fingerprint.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <cstring>

#include "arrays.h"
#include "bindings.h"
#include "call.h"
#include "options.h"

namespace neardup::python {
namespace {

using Levels = nb::ndarray<nb::numpy, std::uint8_t, nb::shape<-1, 64>, nb::c_contig>;

// Fingerprints, which rows have one, volatility (no rows unless asked for), and the report as JSON.
std::tuple<Array<std::uint64_t>, Array<std::uint8_t>, Levels, std::string> fingerprints_of(const Collection& collection,
                                                                                           const nb::dict& given,
                                                                                           const nb::dict& run) {
  const Options values(given);
  const Definition definition = definition_of(values);
  FingerprintOptions options{.features = definition.features,
                             .text = definition.text,
                             .weights = definition.weights,
                             .field_weights = definition.field_weights,
                             .hash_seed = definition.hash_seed,
                             .volatility = values.flag("volatility", false),
                             .on_bad_record = on_bad_record_of(values)};
  if (values.has("projection")) options.projection = parse_projection(values.text("projection"));
  FingerprintResult result;
  run_call(run_options(run), [&](const Context& context) { result = fingerprints(collection, options, context); });
  std::vector<std::uint8_t> has(result.status.size());
  for (std::size_t row = 0; row < has.size(); ++row) has[row] = result.status[row] == RowStatus::document;
  auto levels = std::make_unique<std::vector<Volatility>>(std::move(result.volatility));
  auto* const data = reinterpret_cast<std::uint8_t*>(levels->data());
  const std::size_t count = levels->size();
  const nb::capsule owner(levels.release(),
                          [](void* vector) noexcept { delete static_cast<std::vector<Volatility>*>(vector); });
  return {array_of(std::move(result.bits)), array_of(std::move(has)), Levels(data, {count, 64}, owner),
          to_json(result.report)};
}

}  // namespace

void bind_fingerprints(nb::module_& module) {
  module.def("fingerprints", &fingerprints_of, nb::arg("collection"), nb::arg("options"), nb::arg("run"));
}

}  // namespace neardup::python
