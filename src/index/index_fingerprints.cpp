// Files of ready fingerprints into an index, or against it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "base/guard.h"
#include "base/system.h"
#include "index/index_impl.h"
#include "io/codecs/codecs.h"
#include "io/fps/source.h"
#include "neardup/error.h"
#include "neardup/index.h"
#include "neardup/text_rules.h"

namespace neardup {
namespace {

// Fingerprints must have been made as the index makes its own; text does not say how.
void check_making(const io::FingerprintSource& source, const Definition& definition) {
  if (definition.measure != Measure::hamming)
    throw Error(ErrorCode::usage,
                fmt::format("{} has fingerprints, and the index compares texts by {}", source.name(),
                            to_string(definition.measure)),
                "measure");
  const std::optional<io::FingerprintMaking>& made = source.making();
  if (!made) return;
  io::FingerprintMaking own = *made;
  own.features = to_string(definition.features);
  own.weights = to_string(definition.weights);
  own.projection = to_string(Projection::signs);
  own.text = describe(definition.text);
  own.field_weights = fmt::format("{}", fmt::join(definition.field_weights, ","));
  own.seed = definition.hash_seed;
  own.bag = definition.features.bag;
  if (const std::string differs = io::difference(*made, own); !differs.empty())
    throw Error(ErrorCode::usage, fmt::format("{} does not fit the index: {}", source.name(), differs));
}

// Reads the file; `take(documents)` gets a few thousand at a time, whose views are valid during the call.
template <class Take>
void read_fingerprints(const Index& index, const std::string& path, IndexReport& report, const Take& take,
                       const Context& context) {
  constexpr std::size_t kAtOnce = 4096;
  const std::unique_ptr<io::FingerprintSource> source = io::open_fingerprints(path, context);
  check_making(*source, index.options().definition);
  const std::unique_ptr<io::FingerprintReader> reader = source->read(0);
  io::FingerprintBlock block;
  std::vector<IndexDocument> documents;
  while (reader->next()) {
    reader->load({.ids = true}, block);
    for (std::size_t begin = 0; begin < block.size(); begin += kAtOnce) {
      base::check_stop(context);
      documents.clear();
      for (std::size_t i = begin; i < std::min(block.size(), begin + kAtOnce); ++i) {
        DocumentView empty;
        empty.key = block.id(i);
        if (block.is_missing(i)) {
          documents.emplace_back(empty);
          ++report.without_features;
        } else {
          documents.emplace_back(block.id(i), Fingerprint{block.bits[i]});
        }
      }
      report.records += documents.size();
      take(documents);
    }
  }
}

}  // namespace

bool is_fingerprint_file(const std::string& path) {
  std::filesystem::path name = std::filesystem::path(path).filename();
  if (&io::codec_of_name(path) != &io::plain_codec()) name = name.stem();
  return name.extension() == ".hex" || name.extension() == io::kFpsExtension;
}

IndexReport add_fingerprints(Index& index, const std::string& path, const IndexCollectionOptions& options,
                             const std::function<void(std::string_view, const AddResult&)>& visit,
                             const Context& context) {
  return base::guarded(context, [&](const Context& call) {
    const base::Stopwatch watch;
    IndexReport report;
    read_fingerprints(
        index, path, report,
        [&](const std::vector<IndexDocument>& documents) {
          const std::vector<AddResult> results = options.action == IndexAction::check_or_add
                                                     ? index.check_or_add(documents)
                                                     : index.add(documents, options.conflicts);
          for (std::size_t i = 0; i < documents.size(); ++i) {
            indexing::count_result(results[i], report);
            if (visit) visit(documents[i].document.key, results[i]);
          }
        },
        call);
    report.seconds = watch.seconds();
    return report;
  });
}

IndexReport check_fingerprints(const Index& index, const std::string& path,
                               const std::function<void(std::string_view, const std::optional<IndexMatch>&)>& visit,
                               const Context& context) {
  return base::guarded(context, [&](const Context& call) {
    const base::Stopwatch watch;
    IndexReport report;
    read_fingerprints(
        index, path, report,
        [&](const std::vector<IndexDocument>& documents) {
          const std::vector<std::optional<IndexMatch>> matches = index.check(documents);
          for (std::size_t i = 0; i < documents.size(); ++i) {
            report.duplicates += matches[i] ? 1 : 0;
            if (visit) visit(documents[i].document.key, matches[i]);
          }
        },
        call);
    report.seconds = watch.seconds();
    return report;
  });
}

}  // namespace neardup
