// A collection of documents that the caller holds.
#include <utility>

#include "base/utf8.h"
#include "io/codecs/codecs.h"
#include "io/collection.h"
#include "io/formats/formats.h"
#include "io/splitter.h"

namespace neardup::io {
namespace {

// Documents that are in memory already. Batches copy their texts, which keeps one kind of batch for everybody.
struct TextsImpl final : Collection::Impl {
  std::vector<std::string> texts;

  class Reader final : public BatchReader {
   public:
    explicit Reader(const TextsImpl& collection) : collection_(collection) {}
    bool next(RecordBatch& out) override {
      if (row_ == collection_.texts.size()) return false;
      out.source = collection_.sources.data();
      out.first_row = row_;
      out.bytes.clear();
      out.records.clear();
      while (row_ < collection_.texts.size() && (out.records.empty() || out.bytes.size() < kBatchBytes)) {
        const std::string& text = collection_.texts[row_++];
        RawRecord record;
        record.begin = static_cast<std::uint32_t>(out.bytes.size());
        record.number = row_;
        if (text.size() > kMostRecordBytes) {
          record.problem = "record is longer than 2 GiB";
        } else {
          record.size = static_cast<std::uint32_t>(text.size());
          out.bytes += text;
        }
        out.records.push_back(record);
      }
      out.input_bytes = out.bytes.size();
      out.bytes.reserve(out.bytes.size() + kPadding);
      return true;
    }

   private:
    const TextsImpl& collection_;
    std::size_t row_ = 0;
  };

  class Parser final : public RecordParser {
   public:
    const char* parse(const RecordBatch& batch, const RawRecord& record, Document& out) override {
      out.fields.clear();
      out.tokens.clear();
      if (record.problem != nullptr) return record.problem;
      out.key = std::to_string(record.number - 1);
      repaired_ = base::assign_valid_utf8(out.text, batch.raw(record));
      return nullptr;
    }
    [[nodiscard]] Decoding decoding() const noexcept override { return {.repaired = repaired_}; }

   private:
    bool repaired_ = false;
  };

  [[nodiscard]] std::unique_ptr<BatchReader> batches(const Context&) const override {
    return std::make_unique<Reader>(*this);
  }
  [[nodiscard]] std::unique_ptr<RecordParser> parser(const ReadOptions&) const override {
    return std::make_unique<Parser>();
  }
  [[nodiscard]] std::uint64_t input_bytes() const override { return sources.front().file_bytes; }
};

}  // namespace
}  // namespace neardup::io

namespace neardup {

Collection Collection::from_texts(std::vector<std::string> texts) {
  auto impl = std::make_shared<io::TextsImpl>();
  impl->texts = std::move(texts);
  io::Source source;
  source.path = source.relative = "memory";
  source.format = &io::format_named("text");
  source.codec = &io::plain_codec();
  for (const std::string& text : impl->texts) source.file_bytes += text.size();
  impl->sources.push_back(std::move(source));
  return Collection(std::move(impl));
}

}  // namespace neardup
