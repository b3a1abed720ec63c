// Where do the records of a web archive end? WARC and ARC share everything but what a header looks like.
//
// A header says how long its record is, and may be wrong. A record is believed when another one, a line end or the end
// of the file follows it; otherwise it is one bad record, and reading goes on at the next header. Time is linear.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/formats/companions.h"
#include "io/formats/formats.h"

namespace neardup::io {

// RecordBatch::shared: the record that describes the archive (warcinfo, filedesc), when it begins with one.
struct ArchiveHeader {
  std::string raw;
  std::string terminator;  // the line ends behind it
};

class WebArchiveCutter : public Cutter {
 public:
  explicit WebArchiveCutter(const ReadOptions&, std::string_view record_end);

  std::size_t scan(std::string_view bytes) final;
  bool take(std::string_view unit, RawRecord& out) final;
  bool take_last(std::string_view unit, RawRecord& out) final;
  [[nodiscard]] std::uint64_t number() const final { return number_; }
  void next_unit() final;
  [[nodiscard]] std::size_t look_back() const final { return look_back_; }
  [[nodiscard]] std::size_t given_back() const final { return given_back_; }
  [[nodiscard]] bool may_be_record() const final;
  [[nodiscard]] std::shared_ptr<const void> shared() const final { return header_; }
  std::vector<Companion> take_companions() final { return companions_.take(); }

 protected:
  enum class Match { no, yes, more };
  struct Header {
    std::uint64_t length = 0;  // of what follows it
    bool is_document = false;
    bool describes_archive = false;
    const char* problem = nullptr;
    ArchiveRecord record{};  // what tells which records belong together
  };
  // Whether a record begins with these bytes; at most kPeek of them are looked at.
  [[nodiscard]] virtual Match starts_record(std::string_view bytes) const = 0;
  // Where the header that begins here ends; npos when it goes on. `from`: what lies before was searched.
  [[nodiscard]] virtual std::size_t end_of_header(std::string_view bytes, std::size_t from) const = 0;
  [[nodiscard]] virtual Header read_header(std::string_view header) const = 0;
  // The first line that begins a record, but not the one at 0; npos when there is none. `shown_again` becomes how many
  // of the last bytes may be the beginning of one.
  [[nodiscard]] virtual std::size_t find_start(std::string_view bytes, std::size_t& shown_again) const = 0;

  static constexpr std::size_t kPeek = 20;

 private:
  enum class State { start, blank, junk, header, block, oversize, trailer, whole };

  std::size_t scan_start(std::string_view bytes);
  std::size_t scan_header(std::string_view bytes);
  std::size_t scan_trailer(std::string_view bytes);
  bool take_whole_or_cut(std::string_view unit, RawRecord& out);
  bool take_record(std::string_view unit, RawRecord& out);
  bool take_bad(std::string_view unit, RawRecord& out, const char* problem);

  std::size_t most_header_, max_record_;
  std::string_view record_end_;

  State state_ = State::start;
  std::size_t at_ = 0;         // of the bytes shown, where the state looks
  std::size_t look_back_ = 0;  // bytes to show again
  Header found_;
  std::size_t header_size_ = 0, searched_ = 0;
  std::size_t search_from_ = 0;   // of the bytes shown, where to look for the next header
  std::uint64_t left_ = 0;        // of the block
  std::size_t trailer_size_ = 0;  // of the line ends behind the block
  std::size_t overshot_ = 0;      // bytes of the unit behind that
  bool lies_ = false;             // something else follows the block than may
  bool after_bad_ = false;        // what follows up to the next header belongs to a bad record that was handed out
  std::size_t given_back_ = 0;
  int long_rewinds_ = 0;
  std::uint64_t number_ = 1;
  std::shared_ptr<const ArchiveHeader> header_;
  CompanionTracker companions_;
};

// The row of an archive's format, but for its name, its endings and how it is recognised.
template <class Cutting, class Parsing>
Format archive_format(std::string_view record_end) {
  return {.name = {},
          .summary = {},
          .extensions = {},
          .sniff = nullptr,
          .cutter = [](const Source&, const ReadOptions& options) -> std::unique_ptr<Cutter> {
            return std::make_unique<Cutting>(options);
          },
          .parser = [](const ReadOptions& options) -> std::unique_ptr<RecordParser> {
            return std::make_unique<Parsing>(options);
          },
          .decodes_itself = true,
          .named_fields = true,
          .framing = Format::Framing::archive,
          .record_end = record_end};
}

}  // namespace neardup::io
