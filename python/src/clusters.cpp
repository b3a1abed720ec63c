#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <optional>

#include "arrays.h"
#include "bindings.h"
#include "call.h"
#include "clusters.h"
#include "neardup/cluster.h"
#include "neardup/error.h"

namespace neardup::python {
namespace {

// Clusters of pairs given as two columns of rows.
Clusters clusters_of_pairs(std::uint64_t rows, const ArrayView<std::int64_t>& left,
                           const ArrayView<std::int64_t>& right, const std::string& kind,
                           const std::optional<ArrayView<std::uint64_t>>& ranks,
                           const std::optional<ArrayView<double>>& scores, const nb::dict& run) {
  if (left.shape(0) != right.shape(0) || (scores && scores->shape(0) != left.shape(0))) {
    throw Error(ErrorCode::usage, "the columns of pairs are not of the same length");
  }
  const ClusterKind parsed = parse_cluster_kind(kind);
  Clusters clusters;
  run_call(run_options(run), [&](const Context&) {
    ClusterBuilder builder = ranks ? ClusterBuilder(rows, parsed, span_of(*ranks)) : ClusterBuilder(rows, parsed);
    for (std::size_t at = 0; at < left.shape(0); ++at) {
      const std::int64_t a = left.data()[at], b = right.data()[at];
      if (a < 0 || b < 0) throw Error(ErrorCode::usage, "a pair has a negative row");
      const Pair pair{static_cast<DocId>(a), static_cast<DocId>(b), scores ? scores->data()[at] : 0};
      builder.accept({&pair, 1});
    }
    clusters = builder.finish();
  });
  return clusters;
}

}  // namespace

Rows kept_rows(const Clusters& clusters) {
  std::vector<std::int64_t> rows;
  rows.reserve(clusters.kept());
  for (std::size_t row = 0; row < clusters.rows(); ++row) {
    if (clusters.is_kept(row)) rows.push_back(static_cast<std::int64_t>(row));
  }
  return array_of(std::move(rows));
}

Rows representatives(const Clusters& clusters) {
  std::vector<std::int64_t> rows(clusters.rows());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    rows[row] = clusters.has_representative(row) ? static_cast<std::int64_t>(clusters.representative(row)) : -1;
  }
  return array_of(std::move(rows));
}

Array<std::uint8_t> statuses(const Clusters& clusters) {
  std::vector<std::uint8_t> out(clusters.rows());
  for (std::size_t row = 0; row < out.size(); ++row) out[row] = static_cast<std::uint8_t>(clusters.status(row));
  return array_of(std::move(out));
}

std::tuple<Rows, Rows> cluster_members(const Clusters& clusters) {
  std::vector<std::int64_t> members, begins{0};
  for (std::size_t cluster = 0; cluster < clusters.size(); ++cluster) {
    for (const Clusters::Member row : clusters[cluster]) members.push_back(row);
    begins.push_back(static_cast<std::int64_t>(members.size()));
  }
  return {array_of(std::move(members)), array_of(std::move(begins))};
}

void bind_clusters(nb::module_& module) {
  nb::class_<Clusters>(module, "Clusters")
      .def("kept_rows", &kept_rows)
      .def("representatives", &representatives)
      .def("statuses", &statuses)
      .def("cluster_members", &cluster_members);
  module.def("clusters_of_pairs", &clusters_of_pairs, nb::arg("rows"), nb::arg("left"), nb::arg("right"),
             nb::arg("kind"), nb::arg("ranks").none(), nb::arg("scores").none(), nb::arg("run"));
}

}  // namespace neardup::python
