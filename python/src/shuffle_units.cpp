// What becomes of documents before and after a search in pieces: units, keep values, scores of copies.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <tuple>
#include <unordered_map>

#include "arrays.h"
#include "bindings.h"
#include "columns.h"
#include "neardup/shuffle.h"
#include "options.h"

namespace neardup::python {
namespace {

// Texts to units: what identifies each, and what is compared.
class Units {
 public:
  Units(const nb::dict& options, std::uint64_t salt)
      : definition_(definition_of(Options(options))), sketcher_((definition_.validate(), definition_)), salt_(salt) {}

  // For each text: the unit's name and check (both 0 without features), and the set as bytes with offsets, which is
  // empty for a unit that came before. For `hamming` the fingerprint is the unit, its check 1, and the set.
  auto of(const Bytes& data, const Offsets& offsets) {
    std::vector<std::uint64_t> ids, checks, features;
    std::vector<std::int32_t> ends{0};
    {
      const nb::gil_scoped_release unlocked;
      const Ragged texts(data, offsets);
      for (std::size_t i = 0; i < texts.size(); ++i) {
        add(texts.text(i), ids, checks, features);
        const std::size_t end = features.size() * sizeof(Feature);
        if (end > INT32_MAX)
          throw Error(ErrorCode::limit, "a batch whose sets take more than 2 GiB: use smaller batches");
        ends.push_back(static_cast<std::int32_t>(end));
      }
    }
    return std::tuple(array_of(std::move(ids)), array_of(std::move(checks)), array_of(std::move(features)),
                      array_of(std::move(ends)));
  }

 private:
  void add(std::string_view text, std::vector<std::uint64_t>& ids, std::vector<std::uint64_t>& checks,
           std::vector<std::uint64_t>& features) {
    shuffle::UnitHash hash{0, 0};
    if (definition_.measure == Measure::hamming) {
      if (const auto code = sketcher_.simhash(text)) {
        hash = {code->bits, 1};
        if (is_new(hash)) features.push_back(code->bits);
      }
    } else if (const std::span<const Feature> set = sketcher_.set(text); !set.empty()) {
      hash = shuffle::hash_unit(set, salt_);
      if (is_new(hash)) features.insert(features.end(), set.begin(), set.end());
    }
    ids.push_back(hash.id);
    checks.push_back(hash.check);
  }
  bool is_new(const shuffle::UnitHash& hash) {
    constexpr std::size_t kMostSeen = std::size_t{1} << 22;  // then a copy may be sent twice
    if (seen_.size() >= kMostSeen) seen_.clear();
    return seen_.emplace(hash.id, hash.check).second || seen_[hash.id] != hash.check;
  }

  Definition definition_;
  Sketcher sketcher_;
  std::uint64_t salt_;
  std::unordered_map<std::uint64_t, std::uint64_t> seen_;
};

// Tells units that came before from new ones.
class Distinct {
 public:
  // 1 for a new unit, 0 for a copy, 2 for another set of the same name.
  auto feed(const Words& units, const Words& checks) {
    check_lengths(units.shape(0), checks.shape(0));
    std::vector<std::uint8_t> out(units.shape(0));
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto [at, is_new] = seen_.emplace(units.data()[i], checks.data()[i]);
      out[i] = is_new ? 1 : at->second == checks.data()[i] ? 0 : 2;
    }
    return array_of(std::move(out));
  }

 private:
  std::unordered_map<std::uint64_t, std::uint64_t> seen_;
};

class PyKeepValues {
 public:
  explicit PyKeepValues(const std::string& rules) : rules_(parse_keep_rules(rules)), values_(rules_) {}
  [[nodiscard]] std::vector<std::string> fields() const { return values_.fields(); }
  // A name for each rule, and whether it looks at a value (first and last do not).
  [[nodiscard]] std::vector<std::pair<std::string, bool>> rules() const {
    std::vector<std::pair<std::string, bool>> out;
    for (const KeepRule& rule : rules_) {
      const bool has_value = rule.kind != KeepRule::Kind::first && rule.kind != KeepRule::Kind::last;
      out.emplace_back(to_string(rule), has_value);
    }
    return out;
  }
  // One array for each rule with a value, as signed numbers in the same order. A field is (bytes, offsets, valid).
  nb::list of(const Bytes& data, const Offsets& offsets,
              const std::vector<std::tuple<Bytes, Offsets, Bytes>>& fields) const {
    const Ragged texts(data, offsets);
    check_lengths(fields.size(), values_.fields().size());
    std::vector<Ragged> columns;
    for (const auto& [bytes, ends, valid] : fields) {
      columns.emplace_back(bytes, ends);
      check_lengths(columns.back().size(), texts.size());
      check_lengths(valid.shape(0), texts.size());
    }
    std::vector<std::vector<std::int64_t>> out(values_.columns());
    std::vector<std::optional<std::string_view>> row(fields.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      for (std::size_t f = 0; f < fields.size(); ++f)
        row[f] = std::get<2>(fields[f]).data()[i] != 0 ? std::optional(columns[f].text(i)) : std::nullopt;
      DocumentView view(texts.text(i));
      view.fields = row;
      const std::vector<std::uint64_t> values = values_.of(view);
      for (std::size_t c = 0; c < values.size(); ++c)
        out[c].push_back(static_cast<std::int64_t>(values[c] ^ std::uint64_t{1} << 63));
    }
    nb::list arrays;
    for (auto& column : out) arrays.append(array_of(std::move(column)));
    return arrays;
  }

 private:
  std::vector<KeepRule> rules_;
  shuffle::KeepValues values_;
};

}  // namespace

void bind_shuffle_units(nb::module_& module) {
  nb::class_<Units>(module, "ShuffleUnits").def(nb::init<const nb::dict&, std::uint64_t>()).def("of", &Units::of);
  nb::class_<Distinct>(module, "ShuffleDistinct").def(nb::init<>()).def("feed", &Distinct::feed);
  nb::class_<PyKeepValues>(module, "ShuffleKeepValues")
      .def(nb::init<const std::string&>())
      .def("fields", &PyKeepValues::fields)
      .def("rules", &PyKeepValues::rules)
      .def("of", &PyKeepValues::of);
  module.def("shuffle_validate", [](const nb::dict& options) { definition_of(Options(options)).validate(); });
}

}  // namespace neardup::python
