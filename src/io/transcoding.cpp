#include "io/transcoding.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "io/collection.h"
#include "io/formats/formats.h"

namespace neardup::io {
namespace {

class TranscodingSource final : public ByteSource {
 public:
  TranscodingSource(std::unique_ptr<ByteSource> from, const text::Encoding& encoding)
      : from_(std::move(from)), decoder_(encoding), raw_(kCodecBuffer) {}

  std::size_t read(std::span<char> buffer) override {
    while (at_ == text_.size() && !ended_) {
      text_.clear();
      at_ = 0;
      const std::size_t got = from_->read(raw_);
      ended_ = got == 0;
      consumed_ = from_->consumed();
      problem_ = from_->problem();
      decoder_.append(text_, {raw_.data(), got}, ended_);
    }
    const std::size_t size = std::min(buffer.size(), text_.size() - at_);
    std::memcpy(buffer.data(), text_.data() + at_, size);
    at_ += size;
    return size;
  }

 private:
  std::unique_ptr<ByteSource> from_;
  text::StreamDecoder decoder_;
  std::vector<char> raw_;
  std::string text_;
  std::size_t at_ = 0;
  bool ended_ = false;
};

class TranscodingSink final : public ByteSink {
 public:
  TranscodingSink(std::unique_ptr<ByteSink> to, const text::Encoding& encoding)
      : to_(std::move(to)), encoder_(encoding) {}

  void write(std::string_view bytes) override { put(bytes, false); }
  void close() override {
    put({}, true);
    to_->close();
  }

 private:
  void put(std::string_view bytes, bool last) {
    encoded_.clear();
    encoder_.append(encoded_, bytes, last);
    to_->write(encoded_);
  }

  std::unique_ptr<ByteSink> to_;
  text::StreamEncoder encoder_;
  std::string encoded_;
};

}  // namespace

bool is_transcoded(const Source& source) {
  if (source.encoding == nullptr || source.format->decodes_itself) return false;
  // The cutter of arrays looks for backslashes, which may be half a character.
  return source.encoding->wide ||
         (source.encoding->ascii_trails && source.format->framing == Format::Framing::json_array);
}

std::unique_ptr<ByteSource> transcoded(std::unique_ptr<ByteSource> from, const text::Encoding& encoding) {
  return std::make_unique<TranscodingSource>(std::move(from), encoding);
}

std::unique_ptr<ByteSink> transcoded(std::unique_ptr<ByteSink> to, const text::Encoding& encoding) {
  return std::make_unique<TranscodingSink>(std::move(to), encoding);
}

DecodedRecords::View DecodedRecords::decode(const RecordBatch& batch, std::size_t place) {
  decoding_ = {};
  const Source& source = *batch.source;
  if (source.encoding == nullptr || source.format->decodes_itself || source.encoding == &text::utf8())
    return {batch, place};
  decoding_.encoding = source.encoding->name;
  if (is_transcoded(source)) return {batch, place};
  batch_.source = batch.source;
  batch_.shared = batch.shared;
  batch_.bytes.clear();
  decoding_.repaired = decoder_.append(batch_.bytes, batch.raw(place), *source.encoding);
  batch_.records.assign(1, {.size = static_cast<std::uint32_t>(batch_.bytes.size()), .number = batch.number(place)});
  batch_.bytes.reserve(batch_.bytes.size() + kPadding);
  return {batch_, 0};
}

}  // namespace neardup::io
