// Single steps for systems of one's own: features, sketches and simhashes of many documents at a time.
#include "neardup/features.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrow_lists.h"
#include "bindings.h"
#include "call.h"
#include "documents.h"
#include "neardup/error.h"
#include "neardup/sketch.h"
#include "options.h"

namespace neardup::python {
namespace {

// A definition at work on documents. Threads: calls may run concurrently, as each makes a Sketcher of its own.
class Features {
 public:
  explicit Features(const nb::dict& given) {
    const Options options(given);
    definition_ = definition_of(options);
    if (options.has("projection")) sketch_.projection = parse_projection(options.text("projection"));
    sketch_.minhash_size = options.number("minhash_size", 0);
    sketch_.minhash_seed = options.number("seed", sketch_.minhash_seed);
    if (options.has("bands")) {
      bands_ = {.bands = options.number("bands", 1), .rows = options.number("band_rows", 1)};
    } else if (options.has("target_recall")) {
      bands_ = choose_bands(definition_, options.real("target_recall", 0.97));
    }
    if (bands_ && sketch_.minhash_size == 0) sketch_.minhash_size = bands_->hashes();
    (void)Sketcher(definition_, nullptr, sketch_);  // says now what is wrong
  }

  [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> bands_shape() const {
    if (!bands_) return std::nullopt;
    return std::pair(bands_->bands, bands_->rows);
  }
  [[nodiscard]] std::size_t minhash_size() const { return sketch_.minhash_size; }

  Lists64 sets(const Documents& documents, const nb::dict& run) const {
    Lists64 out(Lists64::Shape::lists);
    for_each(documents, run, out, [&](Sketcher& sketcher, const DocumentView& view) { out.add(sketcher.set(view)); });
    return out;
  }
  Lists64 occurrences(const Documents& documents, const nb::dict& run) const {
    Lists64 out(Lists64::Shape::lists);
    for_each(documents, run, out,
             [&](Sketcher& sketcher, const DocumentView& view) { out.add(sketcher.occurrences(view)); });
    return out;
  }
  Lists64 simhash(const Documents& documents, const nb::dict& run) const {
    Lists64 out(Lists64::Shape::numbers);
    for_each(documents, run, out, [&](Sketcher& sketcher, const DocumentView& view) {
      const std::optional<Fingerprint> code = sketcher.simhash(view);
      if (code)
        out.add({&code->bits, 1});
      else
        out.add_null();
    });
    return out;
  }
  Lists32 minhash(const Documents& documents, const nb::dict& run) const {
    if (sketch_.minhash_size == 0) throw Error(ErrorCode::usage, "how many min-wise hashes? Set `minhash_size`");
    Lists32 out(Lists32::Shape::lists);
    for_each(documents, run, out, [&](Sketcher& sketcher, const DocumentView& view) {
      const auto sketch = sketcher.minhash(view);
      if (sketch.empty())
        out.add_null();
      else
        out.add(sketch);
    });
    return out;
  }
  Lists64 bands(const Documents& documents, const nb::dict& run) const {
    if (!bands_) throw Error(ErrorCode::usage, "how many bands? Set `target_recall`, or bands and band_rows");
    Lists64 out(Lists64::Shape::lists);
    std::vector<std::uint64_t> keys;
    for_each(documents, run, out, [&](Sketcher& sketcher, const DocumentView& view) {
      const auto sketch = sketcher.minhash(view);
      keys.clear();
      if (sketch.empty()) return out.add_null();
      bands_->keys(sketch, keys);
      out.add(keys);
    });
    return out;
  }
  Lists64 lengths(const Documents& documents, const nb::dict& run) const {
    Lists64 out(Lists64::Shape::numbers);
    for_each(documents, run, out, [&](Sketcher& sketcher, const DocumentView& view) {
      const std::uint64_t length = sketcher.length(view);
      out.add({&length, 1});
    });
    return out;
  }
  std::vector<std::optional<std::string>> strings(const Documents& documents, const nb::dict& run) const {
    struct Strings {
      std::vector<std::optional<std::string>> all;
      void add_null() { all.emplace_back(); }
    } out;
    for_each(documents, run, out,
             [&](Sketcher& sketcher, const DocumentView& view) { out.all.emplace_back(sketcher.string(view)); });
    return std::move(out.all);
  }

 private:
  // Bad documents are null in what comes out.
  template <class Column, class Work>
  void for_each(const Documents& documents, const nb::dict& run, Column& out, const Work& work) const {
    run_call(run_options(run), [&](const Context& context) {
      Sketcher sketcher(applied_to(documents), nullptr, sketch_);
      const auto reader = documents.source->open({});
      while (const auto batch = reader->next()) {
        for (std::size_t place = 0; place < batch->size(); ++place) {
          if (place % 64 == 0 && context.stop.stop_requested()) throw Error(ErrorCode::interrupted, "interrupted");
          DocumentView view;
          if (batch->get(place, view) != nullptr)
            out.add_null();
          else
            work(sketcher, view);
        }
      }
    });
  }
  // Sets bring their own features.
  [[nodiscard]] Definition applied_to(const Documents& documents) const {
    Definition definition = definition_;
    if (documents.source->has_tokens() && !definition.features.kind) definition.features.kind = FeatureKind::tokens;
    return definition;
  }

  Definition definition_;
  SketchOptions sketch_;
  std::optional<Bands> bands_;
};

}  // namespace

void bind_features(nb::module_& module) {
  nb::class_<Features>(module, "Features")
      .def(nb::init<const nb::dict&>(), nb::arg("options"))
      .def_prop_ro("bands_shape", &Features::bands_shape)
      .def_prop_ro("minhash_size", &Features::minhash_size)
      .def("sets", &Features::sets, nb::arg("documents"), nb::arg("run"))
      .def("occurrences", &Features::occurrences, nb::arg("documents"), nb::arg("run"))
      .def("simhash", &Features::simhash, nb::arg("documents"), nb::arg("run"))
      .def("minhash", &Features::minhash, nb::arg("documents"), nb::arg("run"))
      .def("bands", &Features::bands, nb::arg("documents"), nb::arg("run"))
      .def("lengths", &Features::lengths, nb::arg("documents"), nb::arg("run"))
      .def("strings", &Features::strings, nb::arg("documents"), nb::arg("run"));
  module.def(
      "words", [](const std::string& text) { return words(text); }, nb::arg("text"));
  module.def(
      "folded_text", [](const std::string& text) { return folded_text(text); }, nb::arg("text"));
}

}  // namespace neardup::python
