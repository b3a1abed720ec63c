#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cmath>
#include <limits>
#include <optional>

#include "arrays.h"
#include "bindings.h"
#include "call.h"
#include "neardup/error.h"
#include "neardup/similarity.h"
#include "options.h"

namespace neardup::python {
namespace {

using Places = ArrayView<std::int64_t>;
using Numbers64 = ArrayView<std::uint64_t>;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

Verifier make_verifier(const nb::dict& given) { return Verifier(definition_of(Options(given))); }

// Sets that follow each other, as a column of lists has them.
class SetColumn {
 public:
  SetColumn(const Numbers64& values, const ArrayView<std::int32_t>& offsets)
      : values_(span_of(values)), offsets_(span_of(offsets)) {
    std::int32_t last = 0;
    for (const std::int32_t offset : offsets_) {
      if (offset < last || static_cast<std::size_t>(offset) > values_.size()) {
        throw Error(ErrorCode::usage, "the offsets of the sets do not ascend, or lie beyond the values");
      }
      last = offset;
    }
  }
  [[nodiscard]] std::span<const Feature> operator[](std::int64_t set) const {
    if (set < 0 || static_cast<std::size_t>(set) + 1 >= offsets_.size()) {
      throw Error(ErrorCode::usage, "a pair names set " + std::to_string(set) + ", which is not there");
    }
    const auto begin = static_cast<std::size_t>(offsets_[set]), end = static_cast<std::size_t>(offsets_[set + 1]);
    return values_.subspan(begin, end - begin);
  }

 private:
  std::span<const std::uint64_t> values_;
  std::span<const std::int32_t> offsets_;
};

void check_lengths(std::size_t left, std::size_t right) {
  if (left != right) throw Error(ErrorCode::usage, "the two columns of pairs are not of the same length");
}

// The score of each pair of sets that meets the definition; NaN for the others.
Array<double> verify_sets(const Verifier& verifier, const Numbers64& values, const ArrayView<std::int32_t>& offsets,
                          const Places& left, const Places& right, const nb::dict& run) {
  check_lengths(left.shape(0), right.shape(0));
  const SetColumn sets(values, offsets);
  std::vector<double> scores(left.shape(0));
  run_call(run_options(run), [&](const Context& context) {
    for (std::size_t at = 0; at < scores.size(); ++at) {
      if (at % 1024 == 0 && context.stop.stop_requested()) throw Error(ErrorCode::interrupted, "interrupted");
      scores[at] = verifier.verify(sets[left.data()[at]], sets[right.data()[at]]).value_or(kNone);
    }
  });
  return array_of(std::move(scores));
}

Array<double> verify_codes(const Verifier& verifier, const Numbers64& left, const Numbers64& right) {
  check_lengths(left.shape(0), right.shape(0));
  std::vector<double> scores(left.shape(0));
  for (std::size_t at = 0; at < scores.size(); ++at) {
    scores[at] = verifier.verify(left.data()[at], right.data()[at]).value_or(kNone);
  }
  return array_of(std::move(scores));
}

// One of the verifier's functions of sizes, for many sizes at once.
template <auto Function>
Array<std::uint64_t> for_sizes(const Verifier& verifier, const Numbers64& sizes) {
  std::vector<std::uint64_t> out;
  out.reserve(sizes.shape(0));
  for (const std::uint64_t size : span_of(sizes)) out.push_back((verifier.*Function)(size));
  return array_of(std::move(out));
}

}  // namespace

void bind_verifier(nb::module_& module) {
  nb::class_<Verifier>(module, "Verifier")
      .def(nb::new_(&make_verifier), nb::arg("options"))
      .def("verify_sets", &verify_sets, nb::arg("values"), nb::arg("offsets"), nb::arg("left"), nb::arg("right"),
           nb::arg("run"))
      .def("verify_codes", &verify_codes, nb::arg("left"), nb::arg("right"))
      .def(
          "verify_strings",
          [](const Verifier& verifier, const std::string& a, const std::string& b) { return verifier.verify(a, b); },
          nb::arg("a"), nb::arg("b"))
      .def("identity_score", &Verifier::identity_score, nb::arg("set_size"))
      .def("min_overlap", &Verifier::min_overlap, nb::arg("x"), nb::arg("y"))
      .def("min_overlap_any", &for_sizes<&Verifier::min_overlap_any>, nb::arg("sizes"))
      .def("min_size", &for_sizes<&Verifier::min_size>, nb::arg("sizes"))
      .def("max_size", &for_sizes<&Verifier::max_size>, nb::arg("sizes"))
      .def("prefix_size", &for_sizes<&Verifier::prefix_size>, nb::arg("sizes"));
}

}  // namespace neardup::python
