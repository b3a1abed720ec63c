// Two collections read as if they were one: the rows of the second follow those of the first.
#include <utility>

#include "corpus/corpus.h"

namespace neardup::corpus {
namespace {

// Each collection is read by its own options, but for the fields.
ReadOptions own_reading(const Collection& collection, const ReadOptions& reading) {
  return io::impl_of(collection).with_fields(reading.extra_fields);
}

struct JoinedImpl final : io::CollectionImpl {
  Collection first, second;

  JoinedImpl(Collection a, Collection b) : first(std::move(a)), second(std::move(b)) {}

  class Reader final : public io::BatchReader {
   public:
    Reader(const JoinedImpl& joined, const ReadOptions& reading, const Context& context)
        : joined_(joined),
          context_(context),
          second_reading_(own_reading(joined.second, reading)),
          first_(io::impl_of(joined.first).batches(own_reading(joined.first, reading), context)),
          first_sources_(io::impl_of(joined.first).sources.size()) {}

    bool next(io::RecordBatch& out) override {
      if (first_ != nullptr) {
        if (first_->next(out)) {
          rows_ = out.first_row + out.size();
          move_source(out, io::impl_of(joined_.first), 0);
          return true;
        }
        first_.reset();
        second_ = io::impl_of(joined_.second).batches(second_reading_, context_);
      }
      if (!second_->next(out)) return false;
      out.first_row += rows_;
      move_source(out, io::impl_of(joined_.second), first_sources_);
      return true;
    }

   private:
    // Batches point to the sources of the joined collection.
    void move_source(io::RecordBatch& out, const io::CollectionImpl& from, std::size_t before) const {
      out.source = &joined_.sources[before + static_cast<std::size_t>(out.source - from.sources.data())];
    }

    const JoinedImpl& joined_;
    const Context& context_;
    ReadOptions second_reading_;
    std::unique_ptr<io::BatchReader> first_, second_;
    std::size_t first_sources_;
    DocId rows_ = 0;
  };

  class Parser final : public io::RecordParser {
   public:
    Parser(const JoinedImpl& joined, const ReadOptions& reading)
        : border_(joined.sources.data() + io::impl_of(joined.first).sources.size()),
          first_(io::impl_of(joined.first).parser(own_reading(joined.first, reading))),
          second_(io::impl_of(joined.second).parser(own_reading(joined.second, reading))) {}
    const char* parse(const io::RecordBatch& batch, std::size_t place, DocumentView& out) override {
      last_ = batch.source < border_ ? first_.get() : second_.get();
      return last_->parse(batch, place, out);
    }
    [[nodiscard]] io::Decoding decoding() const noexcept override { return last_->decoding(); }

   private:
    const io::Source* border_;
    std::unique_ptr<io::RecordParser> first_, second_;
    io::RecordParser* last_ = nullptr;
  };

  [[nodiscard]] std::unique_ptr<io::BatchReader> batches(const ReadOptions& reading,
                                                         const Context& context) const override {
    return std::make_unique<Reader>(*this, reading, context);
  }
  [[nodiscard]] std::unique_ptr<io::RecordParser> parser(const ReadOptions& reading) const override {
    return std::make_unique<Parser>(*this, reading);
  }
};

}  // namespace

Collection join_collections(const Collection& first, const Collection& second) {
  auto joined = std::make_shared<JoinedImpl>(first, second);
  joined->options = io::impl_of(first).options;
  joined->files = io::impl_of(first).files;
  joined->single_input = false;
  joined->second_side = io::impl_of(first).sources.size();
  for (const Collection* part : {&first, &second}) {
    const io::CollectionImpl& impl = io::impl_of(*part);
    joined->sources.insert(joined->sources.end(), impl.sources.begin(), impl.sources.end());
    joined->folders.insert(joined->folders.end(), impl.folders.begin(), impl.folders.end());
  }
  return io::collection_of(std::move(joined));
}

}  // namespace neardup::corpus
