#include "pairs.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "call.h"
#include "neardup/error.h"
#include "neardup/join.h"
#include "neardup/pairs.h"
#include "options.h"

namespace neardup::python {
namespace {

PairsOptions pairs_options_of(const Options& given) {
  PairsOptions options;
  options.definition = definition_of(given);
  options.algorithm = given.text("algorithm", options.algorithm);
  options.suffix_depth = static_cast<unsigned>(given.number("suffix_depth", options.suffix_depth));
  options.gram_length = static_cast<unsigned>(given.number("gram_length", options.gram_length));
  options.max_pairs = given.number("max_pairs", 0);
  options.top = given.number("top", 0);
  options.one_to_one = given.flag("one_to_one", false);
  options.measure_recall = given.flag("measure_recall", options.measure_recall);
  options.on_bad_record = on_bad_record_of(given);
  const std::string order = given.text("order", "input");
  if (order != "input" && order != "score") {
    throw Error(ErrorCode::usage, "unknown order \"" + order + "\": input, score", "order");
  }
  options.order = order == "score" ? PairOrder::score : PairOrder::input;
  options.ignore = ignore_options_of(given);
  return options;
}

// The pairs and the report as JSON.
std::tuple<PairArrays, std::string> pairs_of(const Collection& left, const Collection* right, const nb::dict& given,
                                             const nb::dict& run) {
  const PairsOptions options = pairs_options_of(Options(given));
  PairColumns found;
  PairsReport report;
  run_call(run_options(run),
           [&](const Context& context) { report = find_pairs(left, right, options, found, context); });
  return {std::move(found).arrays(), to_json(report)};
}

// Sets as one array of tokens and where each set ends.
TokenSets token_sets(const ArrayView<std::uint64_t>& tokens, const ArrayView<std::uint64_t>& ends) {
  TokenSets sets;
  std::uint64_t begin = 0;
  for (const std::uint64_t end : span_of(ends)) {
    if (end < begin || end > tokens.shape(0)) {
      throw Error(ErrorCode::usage, "the ends of the sets do not ascend, or lie beyond the tokens");
    }
    sets.add(span_of(tokens).subspan(begin, end - begin));
    begin = end;
  }
  return sets;
}

JoinOptions join_options_of(const Options& given) {
  const Definition definition = definition_of(given);
  return {.measure = definition.measure,
          .threshold = definition.threshold,
          .algorithm = given.text("algorithm", "auto"),
          .max_pairs = given.number("max_pairs", 0)};
}

PairArrays join_sets(const ArrayView<std::uint64_t>& tokens, const ArrayView<std::uint64_t>& ends,
                     const nb::dict& given, const nb::dict& run) {
  const JoinOptions options = join_options_of(Options(given));
  PairList found;
  std::vector<Pair> sorted;
  run_call(run_options(run), [&](const Context& context) {
    join(token_sets(tokens, ends), options, found, context);
    sorted = found.sorted();
  });
  PairColumns columns;
  columns.accept(sorted);
  return std::move(columns).arrays();
}

}  // namespace

void bind_pairs(nb::module_& module) {
  module.def("pairs", &pairs_of, nb::arg("left"), nb::arg("right").none(), nb::arg("options"), nb::arg("run"));
  module.def("join_sets", &join_sets, nb::arg("tokens"), nb::arg("ends"), nb::arg("options"), nb::arg("run"));
  module.def("pair_algorithms", [](const std::string& measure) { return pair_algorithms(parse_measure(measure)); });
}

}  // namespace neardup::python
