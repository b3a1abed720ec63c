// The pieces of a search for engines that move data between machines (neardup/shuffle.h), on whole columns at a time.
//
// Arrow columns come as NumPy arrays over the same memory: values and, for strings and sets, offsets. Everything runs
// without the interpreter's lock.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>

#include "arrays.h"
#include "bindings.h"
#include "columns.h"
#include "neardup/context.h"
#include "neardup/hamming.h"
#include "neardup/shuffle.h"
#include "neardup/similarity.h"
#include "options.h"

namespace neardup::python {
namespace {

using shuffle::UnitPair;
std::pair<Array<std::uint64_t>, Array<std::uint64_t>> columns_of(const std::vector<UnitPair>& pairs) {
  std::vector<std::uint64_t> left, right;
  left.reserve(pairs.size());
  right.reserve(pairs.size());
  for (const UnitPair& pair : pairs) {
    left.push_back(pair.left);
    right.push_back(pair.right);
  }
  return {array_of(std::move(left)), array_of(std::move(right))};
}

shuffle::KeyPlan plan_of(const nb::dict& values) {
  const Options options(values);
  shuffle::KeyPlan plan{.definition = definition_of(options)};
  const std::string kind = options.text("key_kind", "prefix");
  plan.kind = kind == "bands"    ? shuffle::KeyKind::bands
              : kind == "blocks" ? shuffle::KeyKind::blocks
                                 : shuffle::KeyKind::prefix;
  plan.seed = options.number("seed", plan.seed);
  if (plan.kind == shuffle::KeyKind::bands)
    plan.bands = choose_bands(plan.definition, options.real("target_recall", 0.97));
  if (plan.kind == shuffle::KeyKind::blocks) {
    const std::uint64_t distance =
        plan.definition.measure == Measure::hamming ? plan.definition.threshold.num : options.number("distance", 3);
    plan.blocks = shuffle::BlockTables::choose(static_cast<unsigned>(distance), options.number("units", 0));
  }
  plan.words = static_cast<unsigned>(options.number("words", plan.words));
  plan.parts = static_cast<std::uint32_t>(options.number("parts", plan.parts));
  plan.across = options.flag("across", false);
  plan.validate();
  return plan;
}

// How many keys a unit of this size has.
double keys_per_unit(const nb::dict& values, double average_size) {
  const shuffle::KeyPlan plan = plan_of(values);
  if (plan.kind == shuffle::KeyKind::bands) return static_cast<double>(plan.bands.bands);
  if (plan.kind == shuffle::KeyKind::blocks) return static_cast<double>(plan.blocks.masks.size());
  return static_cast<double>(Verifier(plan.definition).prefix_size(static_cast<std::uint64_t>(average_size + 1)));
}

shuffle::CountersView view_of(const std::optional<Bytes>& bytes) {
  return bytes ? shuffle::CountersView(span_of(*bytes)) : shuffle::CountersView();
}

// Counters, and what fills them.
class PyCounters {
 public:
  explicit PyCounters(unsigned bits) : counters(bits) {}
  void add_features(const Bytes& data, const Offsets& offsets) {
    const nb::gil_scoped_release unlocked;
    const Ragged sets(data, offsets);
    std::vector<std::uint64_t> copy;
    for (std::size_t i = 0; i < sets.size(); ++i)
      for (const Feature feature : sets.words(i, copy)) counters.add(feature);
  }
  void merge(const Bytes& bytes) {
    const nb::gil_scoped_release unlocked;
    counters.merge(span_of(bytes));
  }
  [[nodiscard]] nb::bytes bytes() const { return nb::bytes(counters.bytes().data(), counters.bytes().size()); }

  shuffle::Counters counters;
};

class PyKeyMaker {
 public:
  PyKeyMaker(const nb::dict& plan, std::optional<Bytes> order)
      : plan_(plan_of(plan)), order_(std::move(order)), maker_(plan_, view_of(order_)) {}

  void count(const Bytes& data, const Offsets& offsets, PyCounters& shared) {
    const nb::gil_scoped_release unlocked;
    const Ragged sets(data, offsets);
    for (std::size_t i = 0; i < sets.size(); ++i) maker_.count(sets.words(i, copy_), shared.counters);
  }
  void count_heavy(const Bytes& data, const Offsets& offsets, const Bytes& shared) {
    const nb::gil_scoped_release unlocked;
    const Ragged sets(data, offsets);
    const shuffle::CountersView view(span_of(shared));
    for (std::size_t i = 0; i < sets.size(); ++i) maker_.count_heavy(sets.words(i, copy_), view);
  }
  auto heavy() const {
    std::vector<std::uint64_t> keys, counts;
    for (const shuffle::KeyCount& each : maker_.heavy()) {
      keys.push_back(each.key);
      counts.push_back(each.count);
    }
    return std::pair(array_of(std::move(keys)), array_of(std::move(counts)));
  }
  void set_heavy(const Words& keys, const Words& counts, std::uint64_t limit) {
    heavy_ = shuffle::HeavyKeys(span_of(keys), span_of(counts), limit);
  }
  void add_entries(const Words& units, const Bytes& sides, const Bytes& data, const Offsets& offsets,
                   const Bytes& shared) {
    const nb::gil_scoped_release unlocked;
    const Ragged sets(data, offsets);
    check_lengths(units.shape(0), sets.size());
    check_lengths(sides.shape(0), sets.size());
    const shuffle::CountersView view(span_of(shared));
    for (std::size_t i = 0; i < sets.size(); ++i)
      maker_.add_entries(units.data()[i], sides.data()[i] & 1, sets.words(i, copy_), view, heavy_);
  }
  // The parts that have entries, with their bytes; none are left.
  nb::list take_entries() {
    nb::list out;
    for (std::uint32_t part = 0; part < plan_.parts; ++part) {
      const std::span<const std::uint64_t> entries = maker_.entries(part);
      if (!entries.empty()) out.append(nb::make_tuple(part, nb::bytes(entries.data(), entries.size_bytes())));
    }
    maker_.clear_entries();
    return out;
  }
  [[nodiscard]] std::uint64_t entry_bytes() const { return maker_.entry_bytes(); }

 private:
  shuffle::KeyPlan plan_;
  std::optional<Bytes> order_;  // keeps it alive
  shuffle::KeyMaker maker_;
  shuffle::HeavyKeys heavy_;
  std::vector<std::uint64_t> copy_;
};

// Parts of entries come in pieces, those of one part one after another; what they hold is found once the next begins.
class PyCandidates {
 public:
  explicit PyCandidates(const nb::dict& plan) : plan_(plan_of(plan)), finder_(plan_) {}

  auto feed(const ArrayView<std::int32_t>& parts, const Bytes& data, const Offsets& offsets) {
    std::vector<UnitPair> found;
    {
      const nb::gil_scoped_release unlocked;
      const Ragged entries(data, offsets);
      check_lengths(parts.shape(0), entries.size());
      std::vector<std::uint64_t> copy;
      for (std::size_t i = 0; i < entries.size(); ++i) {
        if (parts.data()[i] != part_) finish_part(found);
        part_ = parts.data()[i];
        const std::span<const std::uint64_t> words = entries.words(i, copy);
        entries_.insert(entries_.end(), words.begin(), words.end());
      }
    }
    return columns_of(found);
  }
  auto finish() {
    std::vector<UnitPair> found;
    {
      const nb::gil_scoped_release unlocked;
      finish_part(found);
    }
    return columns_of(found);
  }
  [[nodiscard]] std::uint64_t compared() const { return finder_.compared(); }

 private:
  void finish_part(std::vector<UnitPair>& found) {
    finder_.find(entries_, found);
    entries_.clear();
  }

  shuffle::KeyPlan plan_;
  shuffle::CandidateFinder finder_;
  std::int32_t part_ = -1;
  std::vector<std::uint64_t> entries_;
};

// Rows of one place after another: first the sets (kind 0 and 1: the side), then the pairs (kind 2).
class PyVerifier {
 public:
  explicit PyVerifier(const nb::dict& options)
      : verifier_(definition_of(Options(options)), Options(options).flag("across", false)) {}

  auto feed(const Words& places, const Bytes& kinds, const Words& left, const Words& right, const Bytes& data,
            const Offsets& offsets) {
    std::vector<UnitPair> pairs;
    std::vector<double> scores;
    {
      const nb::gil_scoped_release unlocked;
      const Ragged sets(data, offsets);
      for (const std::size_t length : {kinds.shape(0), left.shape(0), right.shape(0), sets.size()})
        check_lengths(places.shape(0), length);
      for (std::size_t i = 0; i < sets.size(); ++i) {
        if (places.data()[i] != place_ || is_first_) verifier_.clear();
        is_first_ = false;
        place_ = places.data()[i];
        if (kinds.data()[i] < 2) {
          verifier_.add(left.data()[i], kinds.data()[i], sets.words(i, copy_));
          continue;
        }
        const UnitPair pair{left.data()[i], right.data()[i]};
        if (const auto score = verifier_.verify(pair)) {
          pairs.push_back(pair);
          scores.push_back(*score);
        }
      }
    }
    return std::pair(columns_of(pairs), array_of(std::move(scores)));
  }

 private:
  shuffle::PairVerifier verifier_;
  std::uint64_t place_ = 0;
  bool is_first_ = true;
  std::vector<std::uint64_t> copy_;
};

auto contract(const Words& left, const Words& right) {
  std::vector<UnitPair> forest;
  {
    const nb::gil_scoped_release unlocked;
    check_lengths(left.shape(0), right.shape(0));
    std::vector<UnitPair> edges(left.shape(0));
    for (std::size_t i = 0; i < edges.size(); ++i) edges[i] = {left.data()[i], right.data()[i]};
    forest = shuffle::contract(edges);
  }
  return columns_of(forest);
}

auto counted(const Words& keys, const Bytes& counters) {
  const shuffle::CountersView view(span_of(counters));
  std::vector<std::uint8_t> out(keys.shape(0));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = view[keys.data()[i]];
  return array_of(std::move(out));
}

// Queries that everybody has; the base comes by in batches.
class Matcher {
 public:
  Matcher(const Words& queries, unsigned distance)
      : queries_(span_of(queries).begin(), span_of(queries).end()), distance_(distance) {
    const nb::gil_scoped_release unlocked;
    index_ = build_hamming_index(queries_, {.distance = distance}, context_);
  }
  // For each match the query, the fingerprint of the base, and their distance.
  auto search(const Words& base) const {
    PairList found;
    {
      const nb::gil_scoped_release unlocked;
      index_->search({.bits = span_of(base)}, {.distance = distance_}, found, context_);
    }
    std::vector<std::uint64_t> left, right;
    std::vector<double> distances;
    for (const Pair& pair : found.pairs()) {
      left.push_back(queries_[pair.right]);
      right.push_back(base.data()[pair.left]);
      distances.push_back(pair.score);
    }
    return std::tuple(array_of(std::move(left)), array_of(std::move(right)), array_of(std::move(distances)));
  }

 private:
  Context context_{.threads = 1};
  std::vector<std::uint64_t> queries_;
  unsigned distance_;
  std::unique_ptr<HammingIndex> index_;
};

class PyStars {
 public:
  // Which pairs put the right one into the left one's cluster.
  auto feed(const Words& components, const Words& left, const Words& right) {
    std::vector<std::uint8_t> taken;
    check_lengths(components.shape(0), left.shape(0));
    check_lengths(components.shape(0), right.shape(0));
    for (std::size_t i = 0; i < components.shape(0); ++i)
      taken.push_back(stars_.add(components.data()[i], {left.data()[i], right.data()[i]}) ? 1 : 0);
    return array_of(std::move(taken));
  }

 private:
  shuffle::StarBuilder stars_;
};

}  // namespace

void bind_shuffle(nb::module_& module) {
  nb::class_<PyCounters>(module, "ShuffleCounters")
      .def(nb::init<unsigned>())
      .def("add_features", &PyCounters::add_features)
      .def("merge", &PyCounters::merge)
      .def("bytes", &PyCounters::bytes);
  nb::class_<PyKeyMaker>(module, "ShuffleKeyMaker")
      .def(nb::init<const nb::dict&, std::optional<Bytes>>(), nb::arg("plan"), nb::arg("order").none())
      .def("count", &PyKeyMaker::count)
      .def("count_heavy", &PyKeyMaker::count_heavy)
      .def("heavy", &PyKeyMaker::heavy)
      .def("set_heavy", &PyKeyMaker::set_heavy)
      .def("add_entries", &PyKeyMaker::add_entries)
      .def("take_entries", &PyKeyMaker::take_entries)
      .def("entry_bytes", &PyKeyMaker::entry_bytes);
  nb::class_<PyCandidates>(module, "ShuffleCandidates")
      .def(nb::init<const nb::dict&>())
      .def("feed", &PyCandidates::feed)
      .def("finish", &PyCandidates::finish)
      .def("compared", &PyCandidates::compared);
  nb::class_<PyVerifier>(module, "ShuffleVerifier").def(nb::init<const nb::dict&>()).def("feed", &PyVerifier::feed);
  nb::class_<Matcher>(module, "ShuffleMatcher").def(nb::init<const Words&, unsigned>()).def("search", &Matcher::search);
  nb::class_<PyStars>(module, "ShuffleStars").def(nb::init<>()).def("feed", &PyStars::feed);
  module.def("shuffle_contract", &contract);
  module.def("shuffle_counted", &counted);
  module.def("shuffle_keys_per_unit", &keys_per_unit);
  module.def("shuffle_suitable_words", [](const nb::dict& options, double average_size) {
    return shuffle::suitable_words(definition_of(Options(options)), average_size);
  });
  bind_shuffle_units(module);
}

}  // namespace neardup::python
