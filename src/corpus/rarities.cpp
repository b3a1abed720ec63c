#include "corpus/rarities.h"

#include <fmt/format.h>

#include "base/system.h"
#include "corpus/row_names.h"
#include "io/pass.h"
#include "neardup/sketch.h"

namespace neardup::corpus {
namespace {

struct Counted final : io::BatchResult {
  std::uint64_t content = 0;
};

class CountWorker final : public io::BatchWorker {
 public:
  CountWorker(const Collection& collection, const Definition& definition, FeatureFrequencies& table)
      : parser_(collection.impl().parser()), features_(definition), table_(table) {}

  std::unique_ptr<io::BatchResult> work(const io::RecordBatch& batch) override {
    auto result = std::make_unique<Counted>();
    result->content = content_hash(batch);
    for (const io::RawRecord& record : batch.records) {
      if (record.problem != nullptr || parser_->parse(batch, record, document_) != nullptr) continue;
      const std::span<const Feature> set = features_.weighed(document_);
      if (set.empty()) continue;
      waiting_.insert(waiting_.end(), set.begin(), set.end());
      ++documents_;
      constexpr std::size_t kWaiting = std::size_t{1} << 16;  // half a megabyte a thread
      if (waiting_.size() >= kWaiting) flush();
    }
    flush();
    return result;
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
  Document document_;
  std::vector<Feature> waiting_;
  std::uint64_t documents_ = 0;
};

}  // namespace

// Half of the memory: the second pass needs some too.
Rarities::Rarities(std::span<const Collection* const> collections, const Definition& definition, const Context& context)
    : table_(std::make_shared<FeatureFrequencies>(base::memory_bytes(context) / 2)) {
  for (const Collection* collection : collections) {
    std::uint64_t& content = content_[&collection->impl()];
    content = 0;
    io::run_pass(
        *collection, context, "counting features",
        [&] { return std::make_unique<CountWorker>(*collection, definition, *table_); },
        [&](const io::RecordBatch&, io::BatchResult& result) { content += static_cast<Counted&>(result).content; });
  }
  table_->finish(context);
}

std::string Rarities::name() const { return fmt::format("tfidf:{:016x}", table_->hash()); }

void Rarities::check_unchanged(const Collection& collection, std::uint64_t content) const {
  corpus::check_unchanged(collection, content, content_.at(&collection.impl()));
}

std::unique_ptr<const Rarities> count_features(std::span<const Collection* const> collections,
                                               const Definition& definition, const Context& context) {
  if (definition.weights != Weights::tfidf || definition.measure != Measure::hamming) return nullptr;
  return std::make_unique<const Rarities>(collections, definition, context);
}

}  // namespace neardup::corpus
