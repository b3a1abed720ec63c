// Two collections read as if they were one: the rows of the second follow those of the first.
#include "corpus/joined.h"

#include <utility>

#include "io/collection.h"

namespace neardup::corpus {
namespace {

struct JoinedImpl final : Collection::Impl {
  Collection first, second;

  JoinedImpl(Collection a, Collection b) : first(std::move(a)), second(std::move(b)) {}

  class Reader final : public io::BatchReader {
   public:
    Reader(const JoinedImpl& joined, const Context& context)
        : joined_(joined),
          context_(context),
          first_(joined.first.impl().batches(context)),
          first_sources_(joined.first.impl().sources.size()) {}

    bool next(io::RecordBatch& out) override {
      if (first_ != nullptr) {
        if (first_->next(out)) {
          rows_ = out.first_row + out.records.size();
          move_source(out, joined_.first.impl(), 0);
          return true;
        }
        first_.reset();
        second_ = joined_.second.impl().batches(context_);
      }
      if (!second_->next(out)) return false;
      out.first_row += rows_;
      move_source(out, joined_.second.impl(), first_sources_);
      return true;
    }

   private:
    // Batches point to the sources of the joined collection.
    void move_source(io::RecordBatch& out, const Collection::Impl& from, std::size_t before) const {
      out.source = &joined_.sources[before + static_cast<std::size_t>(out.source - from.sources.data())];
    }

    const JoinedImpl& joined_;
    const Context& context_;
    std::unique_ptr<io::BatchReader> first_, second_;
    std::size_t first_sources_;
    DocId rows_ = 0;
  };

  class Parser final : public io::RecordParser {
   public:
    Parser(const JoinedImpl& joined, const ReadOptions& reading)
        : border_(joined.sources.data() + joined.first.impl().sources.size()) {
      const auto make = [&](const Collection& collection) {
        ReadOptions own = collection.impl().options;
        own.extra_fields = reading.extra_fields;
        return collection.impl().parser(own);
      };
      first_ = make(joined.first);
      second_ = make(joined.second);
    }
    const char* parse(const io::RecordBatch& batch, const io::RawRecord& record, Document& out) override {
      last_ = batch.source < border_ ? first_.get() : second_.get();
      return last_->parse(batch, record, out);
    }
    [[nodiscard]] io::Decoding decoding() const noexcept override { return last_->decoding(); }

   private:
    const io::Source* border_;
    std::unique_ptr<io::RecordParser> first_, second_;
    io::RecordParser* last_ = nullptr;
  };

  [[nodiscard]] std::unique_ptr<io::BatchReader> batches(const Context& context) const override {
    return std::make_unique<Reader>(*this, context);
  }
  [[nodiscard]] std::unique_ptr<io::RecordParser> parser(const ReadOptions& reading) const override {
    return std::make_unique<Parser>(*this, reading);
  }
  [[nodiscard]] std::uint64_t input_bytes() const override {
    return first.impl().input_bytes() + second.impl().input_bytes();
  }
};

}  // namespace

Collection join_collections(const Collection& first, const Collection& second) {
  auto joined = std::make_shared<JoinedImpl>(first, second);
  joined->options = first.impl().options;
  joined->files = first.impl().files;
  joined->single_input = false;
  for (const Collection* part : {&first, &second}) {
    const Collection::Impl& impl = part->impl();
    joined->sources.insert(joined->sources.end(), impl.sources.begin(), impl.sources.end());
    joined->folders.insert(joined->folders.end(), impl.folders.begin(), impl.folders.end());
  }
  return Collection(std::move(joined));
}

}  // namespace neardup::corpus
