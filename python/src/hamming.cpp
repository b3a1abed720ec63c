#include "neardup/hamming.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>

#include "arrays.h"
#include "bindings.h"
#include "call.h"
#include "neardup/error.h"
#include "neardup/match.h"
#include "options.h"

namespace neardup::python {
namespace {

using Matches = std::tuple<Array<std::int64_t>, Array<std::int64_t>, Array<std::uint8_t>>;
using Codes = ArrayView<std::uint64_t>;
using QueryLevels = nb::ndarray<const std::uint8_t, nb::shape<-1, 64>, nb::c_contig, nb::device::cpu>;

// Matches as they come; by query and row in the end. A match takes 9 bytes, as rows are less than 2^32.
class MatchColumns final : public PairSink {
 public:
  bool accept(std::span<const Pair> pairs) override {
    for (const Pair& pair : pairs) {
      matches_.push_back({static_cast<std::uint32_t>(pair.left), static_cast<std::uint32_t>(pair.right),
                          static_cast<std::uint8_t>(pair.score)});
    }
    return true;
  }
  // A counting sort by query: most queries have few matches.
  void sort(std::size_t queries) {
    std::vector<std::uint64_t> begins(queries + 1);
    for (const Match& match : matches_) ++begins[match.query + 1];
    std::inclusive_scan(begins.begin(), begins.end(), begins.begin());
    query_.resize(matches_.size());
    row_.resize(matches_.size());
    distance_.resize(matches_.size());
    std::vector<Match> sorted(matches_.size());
    std::vector<std::uint64_t> next(begins.begin(), begins.end() - 1);
    for (const Match& match : matches_) sorted[next[match.query]++] = match;
    for (std::size_t query = 0; query < queries; ++query) {
      std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(begins[query]),
                sorted.begin() + static_cast<std::ptrdiff_t>(begins[query + 1]),
                [](const Match& a, const Match& b) { return a.row < b.row; });
    }
    for (std::size_t at = 0; at < sorted.size(); ++at) {
      query_[at] = sorted[at].query;
      row_[at] = sorted[at].row;
      distance_[at] = sorted[at].distance;
    }
    matches_ = {};
  }
  [[nodiscard]] Matches arrays() && {
    return {array_of(std::move(query_)), array_of(std::move(row_)), array_of(std::move(distance_))};
  }

 private:
  struct Match {
    std::uint32_t query, row;
    std::uint8_t distance;
  };
  std::vector<Match> matches_;
  std::vector<std::int64_t> query_, row_;
  std::vector<std::uint8_t> distance_;
};

std::unique_ptr<HammingIndex> build(const Codes& codes, const nb::dict& given, const nb::dict& run) {
  const Options options(given);
  HammingOptions build_options;
  build_options.kind = options.text("kind", build_options.kind);
  build_options.distance = static_cast<unsigned>(options.number("distance", build_options.distance));
  build_options.memory_bytes = options.number("memory_bytes", 0);
  build_options.design = options.text("design", build_options.design);
  build_options.code = options.text("code", build_options.code);
  build_options.header_bits = static_cast<unsigned>(options.number("header_bits", 0));
  std::unique_ptr<HammingIndex> index;
  run_call(run_options(run),
           [&](const Context& context) { index = build_hamming_index(span_of(codes), build_options, context); });
  return index;
}

Matches search(const HammingIndex& index, const Codes& queries, const std::optional<QueryLevels>& volatility,
               const nb::dict& given, const nb::dict& run) {
  const Options options(given);
  SearchOptions search_options;
  search_options.distance = static_cast<unsigned>(options.number("distance", search_options.distance));
  search_options.matches = options.flag("first", false) ? MatchKind::first : MatchKind::all;
  search_options.target_recall = options.real("target_recall", search_options.target_recall);
  search_options.max_probes = static_cast<unsigned>(options.number("max_probes", 0));
  HammingQueries asked{.bits = span_of(queries)};
  if (volatility) {
    static_assert(sizeof(Volatility) == 64);
    asked.volatility = {reinterpret_cast<const Volatility*>(volatility->data()), volatility->shape(0)};
  }
  MatchColumns found;
  run_call(run_options(run), [&](const Context& context) {
    index.search(asked, search_options, found, context);
    found.sort(asked.bits.size());
  });
  return std::move(found).arrays();
}

Matches self_join(const Codes& codes, unsigned distance, const nb::dict& run) {
  if (codes.shape(0) >> 32 != 0) throw Error(ErrorCode::limit, "2^32 fingerprints and more are not joined at once");
  MatchColumns found;
  run_call(run_options(run), [&](const Context& context) {
    hamming_self_join(span_of(codes), distance, found, context);
    found.sort(codes.shape(0));
  });
  return std::move(found).arrays();
}

}  // namespace

void bind_hamming(nb::module_& module) {
  nb::class_<HammingIndex>(module, "HammingIndex")
      .def_prop_ro("kind", [](const HammingIndex& index) { return std::string(index.kind()); })
      .def_prop_ro("size", &HammingIndex::size)
      .def_prop_ro("memory_bytes", &HammingIndex::memory_bytes)
      .def("describe", &HammingIndex::describe)
      .def("exact_up_to", &HammingIndex::exact_up_to, nb::arg("distance"))
      .def("search", &search, nb::arg("queries"), nb::arg("volatility").none(), nb::arg("options"), nb::arg("run"));
  module.def("build_hamming_index", &build, nb::arg("codes"), nb::arg("options"), nb::arg("run"));
  module.def("hamming_self_join", &self_join, nb::arg("codes"), nb::arg("distance"), nb::arg("run"));
  module.def("hamming_kinds", [] {
    std::vector<std::tuple<std::string, std::string, bool>> kinds;
    for (const HammingKind& kind : hamming_kinds()) {
      kinds.emplace_back(std::string(kind.name), std::string(kind.summary), kind.exact);
    }
    return kinds;
  });
}

}  // namespace neardup::python
