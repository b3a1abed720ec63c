#include "corpus/rarities.h"

#include <fmt/format.h>

#include "base/system.h"
#include "neardup/sketch.h"
#include "io/pass.h"

namespace neardup::corpus {
namespace {

// Counts the features of the batches of one thread.
class FeatureCounter {
 public:
  FeatureCounter(const Collection& collection, const Definition& definition, FeatureFrequencies& table)
      : parser_(io::impl_of(collection).parser(io::impl_of(collection).options)),
        features_(definition),
        table_(table) {}

  void operator()(const io::RecordBatch& batch, std::uint64_t& content) {
    content = content_hash(batch);
    for (std::size_t place = 0; place < batch.size(); ++place) {
      if (parser_->parse(batch, place, document_) != nullptr) continue;
      const std::span<const Feature> set = features_.weighed(document_);
      if (set.empty()) continue;
      waiting_.insert(waiting_.end(), set.begin(), set.end());
      ++documents_;
      constexpr std::size_t kWaiting = std::size_t{1} << 16;  // half a megabyte a thread
      if (waiting_.size() >= kWaiting) flush();
    }
    flush();
  }

 private:
  void flush() {
    table_.add_sets(waiting_, documents_);
    waiting_.clear();
    documents_ = 0;
  }

  std::unique_ptr<io::RecordParser> parser_;
  Sketcher features_;
  FeatureFrequencies& table_;
  DocumentView document_;
  std::vector<Feature> waiting_;
  std::uint64_t documents_ = 0;
};

}  // namespace

// Half of the memory: the second pass needs some too.
Rarities::Rarities(std::span<const Collection* const> collections, const Definition& definition, const Context& context)
    : table_(std::make_shared<FeatureFrequencies>(base::memory_bytes(context) / 2)) {
  for (const Collection* collection : collections) {
    ContentHash content(*collection);
    io::run_pass<std::uint64_t>(
        *collection, io::impl_of(*collection).options, context, "counting features",
        [&] { return FeatureCounter(*collection, definition, *table_); },
        [&](const io::RecordBatch& batch, std::uint64_t batch_content) { content.add(batch, batch_content); });
    content_.insert_or_assign(&io::impl_of(*collection), std::move(content));
  }
  table_->finish(context);
}

std::string Rarities::name() const { return fmt::format("tfidf:{:016x}", table_->hash()); }

void Rarities::check_unchanged(const Collection& collection, const ContentHash& content) const {
  content_.at(&io::impl_of(collection)).check_same(content);
}

std::unique_ptr<const Rarities> count_features(std::span<const Collection* const> collections,
                                               const Definition& definition, const Context& context) {
  if (definition.weights != Weights::tfidf || definition.measure != Measure::hamming) return nullptr;
  return std::make_unique<const Rarities>(collections, definition, context);
}

}  // namespace neardup::corpus
