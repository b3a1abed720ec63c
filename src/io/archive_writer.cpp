#include "io/archive_writer.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "io/formats/formats.h"
#include "io/formats/web_archive.h"

namespace neardup::io {
namespace {

// Records of web archives, each a member of its own where there is compression, behind the record that describes the
// archive they come from. Records that belong to a document go with it.
class ArchiveWriter final : public RecordWriter {
 public:
  explicit ArchiveWriter(std::unique_ptr<ByteSink> sink) : sink_(std::move(sink)) {}

  void write(const RecordBatch& batch, std::span<const std::uint8_t> chosen) override {
    auto companion = batch.companions.begin();
    const auto copy_up_to = [&](std::uint64_t number) {
      for (; companion != batch.companions.end() && companion->number < number; ++companion) {
        if (!is_written(companion->owner, batch, chosen)) continue;
        put_member(companion->bytes, companion->terminator, batch.source->format->record_end);
        ++companions_;
      }
    };
    for (std::size_t place = 0; place < batch.size(); ++place) {
      if (chosen[place] != 0) {
        put_header(batch);
        copy_up_to(batch.number(place));
        put_member(batch.raw(place), batch.terminator(place), batch.source->format->record_end);
        last_ = {batch.source, batch.number(place)};
      } else {
        copy_up_to(batch.number(place));
      }
    }
    copy_up_to(std::numeric_limits<std::uint64_t>::max());
  }

  // Web archives have no place for annotations, and check_writable() refuses them.
  void write_annotated(const RecordBatch& batch, std::span<const std::uint8_t> chosen,
                       std::span<const Annotation>) override {
    write(batch, chosen);
  }
  void close() override { sink_->close(); }

  [[nodiscard]] std::uint64_t companions() const override { return companions_; }

 private:
  // Whether the document of that number goes out, or has gone out last.
  bool is_written(std::uint64_t number, const RecordBatch& batch, std::span<const std::uint8_t> chosen) const {
    if (number == 0) return false;
    const auto found = std::ranges::lower_bound(batch.records, number, {}, &RawRecord::number);
    if (found != batch.records.end() && found->number == number)
      return chosen[static_cast<std::size_t>(found - batch.records.begin())] != 0;
    return last_ == std::pair(batch.source, number);
  }

  void put_header(const RecordBatch& batch) {
    if (batch.shared == nullptr || batch.shared == header_) return;
    header_ = batch.shared;
    const auto& header = *static_cast<const ArchiveHeader*>(header_.get());
    put_member(header.raw, header.terminator, batch.source->format->record_end);
  }

  // The last record of a file may lack line ends, which it needs where others follow.
  void put_member(std::string_view record, std::string_view terminator, std::string_view whole) {
    const auto lines = [](std::string_view text) { return std::count(text.begin(), text.end(), '\n'); };
    const auto missing = std::max<std::ptrdiff_t>(0, lines(whole) - lines(terminator));
    sink_->write(record);
    sink_->write(terminator);
    sink_->write(whole.substr(whole.size() - whole.size() / lines(whole) * missing));
    sink_->end_member();
  }

  std::unique_ptr<ByteSink> sink_;
  std::shared_ptr<const void> header_;
  std::pair<const Source*, std::uint64_t> last_{};  // document that was written
  std::uint64_t companions_ = 0;
};

}  // namespace

std::unique_ptr<RecordWriter> make_archive_writer(std::unique_ptr<ByteSink> sink) {
  return std::make_unique<ArchiveWriter>(std::move(sink));
}

}  // namespace neardup::io
