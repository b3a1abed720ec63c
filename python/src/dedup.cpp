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
#include "options.h"

namespace neardup::python {
namespace {

using Rows = Array<std::int64_t>;
using PairArrays = std::tuple<Rows, Rows, Array<double>>;

// Pairs as three columns.
struct PairColumns {
  std::vector<std::int64_t> left, right;
  std::vector<double> score;
  void add(DocId l, DocId r, double s) {
    left.push_back(static_cast<std::int64_t>(l));
    right.push_back(static_cast<std::int64_t>(r));
    score.push_back(s);
  }
  PairArrays arrays() && { return {array_of(std::move(left)), array_of(std::move(right)), array_of(std::move(score))}; }
};

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

Rows kept_rows(const DedupResult& result) {
  std::vector<std::int64_t> rows;
  rows.reserve(result.clusters.kept());
  for (std::size_t row = 0; row < result.clusters.rows(); ++row) {
    if (result.clusters.is_kept(row)) rows.push_back(static_cast<std::int64_t>(row));
  }
  return array_of(std::move(rows));
}

// The row that stands for each; -1 for bad records and what was set aside.
Rows representatives(const DedupResult& result) {
  const Clusters& clusters = result.clusters;
  std::vector<std::int64_t> rows(clusters.rows());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const RowStatus status = clusters.status(row);
    const bool has_one = status != RowStatus::bad && status != RowStatus::set_aside;
    rows[row] = has_one ? static_cast<std::int64_t>(clusters.representative(row)) : -1;
  }
  return array_of(std::move(rows));
}

Array<std::uint8_t> statuses(const DedupResult& result) {
  std::vector<std::uint8_t> out(result.clusters.rows());
  for (std::size_t row = 0; row < out.size(); ++row) {
    out[row] = static_cast<std::uint8_t>(result.clusters.status(row));
  }
  return array_of(std::move(out));
}

// Members of all clusters one behind the other, and where each cluster begins (one more at the end).
std::tuple<Rows, Rows> cluster_members(const DedupResult& result) {
  std::vector<std::int64_t> members, begins{0};
  for (std::size_t cluster = 0; cluster < result.clusters.size(); ++cluster) {
    for (const Clusters::Member row : result.clusters[cluster]) members.push_back(row);
    begins.push_back(static_cast<std::int64_t>(members.size()));
  }
  return {array_of(std::move(members)), array_of(std::move(begins))};
}

PairArrays evidence_pairs(const DedupResult& result, const nb::dict& run) {
  PairColumns columns;
  run_call(run_options(run), [&](const Context&) {
    if (result.for_each_pair) {
      result.for_each_pair([&](const Pair& pair) { columns.add(pair.left, pair.right, pair.score); });
    }
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
      .def("kept_rows", &kept_rows)
      .def("representatives", &representatives)
      .def("statuses", &statuses)
      .def("cluster_members", &cluster_members)
      .def("scores", [](const DedupResult& result) { return array_of(result.scores); })
      .def("pairs", &evidence_pairs, nb::arg("run"))
      .def("against", &against_matches)
      .def("report", [](const DedupResult& result) { return to_json(result.report); });
  module.def("deduplicate", &run_dedup, nb::arg("collection"), nb::arg("against").none(), nb::arg("options"),
             nb::arg("run"));
}

}  // namespace neardup::python
