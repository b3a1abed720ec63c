#include "neardup/compare.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "call.h"
#include "item_values.h"
#include "neardup/why.h"
#include "options.h"

namespace neardup::python {
namespace {

CompareOptions compare_options_of(const Options& given) {
  CompareOptions options;
  options.judge = given.flag("judge", options.judge);
  options.diff = given.flag("diff", options.diff);
  options.features_shown = given.number("features_shown", options.features_shown);
  return options;
}

// Joins text fields as every other call does: Document::text_ends says where each ends.
NamedDocument named_document(const std::string& name, const std::vector<std::string>& texts) {
  NamedDocument named{.name = name, .document = {}};
  for (const std::string& text : texts) {
    if (!named.document.text_ends.empty()) named.document.text += '\n';
    named.document.text += text;
    named.document.text_ends.push_back(named.document.text.size());
  }
  if (texts.size() == 1) named.document.text_ends.clear();
  return named;
}

// The comparison of two documents as JSON.
std::string compare_texts(const std::string& a_name, const std::vector<std::string>& a, const std::string& b_name,
                          const std::vector<std::string>& b, const nb::dict& given, const nb::dict& run) {
  const Options values(given);
  const Definition definition = definition_of(values);
  const CompareOptions options = compare_options_of(values);
  std::string json;
  run_call(run_options(run), [&](const Context& context) {
    json = to_json(compare(named_document(a_name, a), named_document(b_name, b), definition, options, context), {});
  });
  return json;
}

// The same for documents in files, named as on the command line.
std::string compare_files(const std::string& a, const std::string& b, const nb::dict& given, const nb::dict& run) {
  const Options values(given);
  const Definition definition = definition_of(values);
  const CompareOptions options = compare_options_of(values);
  const ReadOptions read = read_options_of(values);
  std::string json;
  run_call(run_options(run), [&](const Context& context) {
    auto [first, second] = read_two(a, b, read, context);
    json = to_json(compare(std::move(first), std::move(second), definition, options, context), {});
  });
  return json;
}

std::string why(const std::string& folder, const std::string& id, const nb::dict& given, const nb::dict& run) {
  const Options values(given);
  const WhyOptions options{.compare = values.flag("compare", true), .comparison = compare_options_of(values)};
  std::string json;
  run_call(run_options(run),
           [&](const Context& context) { json = to_json(explain_document(folder, id, options, context), {}); });
  return json;
}

}  // namespace

void bind_compare(nb::module_& module) {
  module.def("compare_texts", &compare_texts, nb::arg("a_name"), nb::arg("a"), nb::arg("b_name"), nb::arg("b"),
             nb::arg("options"), nb::arg("run"));
  module.def("compare_files", &compare_files, nb::arg("a"), nb::arg("b"), nb::arg("options"), nb::arg("run"));
  module.def("why", &why, nb::arg("folder"), nb::arg("id"), nb::arg("options"), nb::arg("run"));
}

}  // namespace neardup::python
