#include "io/formats/web_archive.h"

#include <algorithm>
#include <utility>

namespace neardup::io {
namespace {

constexpr std::size_t kMostHeader = 64u << 10;
// Going back far costs copies of what is shown again, so a file that makes it necessary again and again is not
// humoured.
constexpr std::size_t kFarBack = 1u << 20;
constexpr int kMostLongRewinds = 100;

constexpr const char* kWrongLength = "the record is not as long as its header says";
constexpr const char* kCutOff = "the record is cut off by the end of the file";

}  // namespace

WebArchiveCutter::WebArchiveCutter(const ReadOptions& options, std::string_view record_end)
    : most_header_(static_cast<std::size_t>(std::min<std::uint64_t>(kMostHeader, options.max_record_bytes))),
      max_record_(options.max_record_bytes),
      record_end_(record_end) {}

std::size_t WebArchiveCutter::scan(std::string_view bytes) {
  for (look_back_ = 0;;) {
    switch (state_) {
      case State::start:
        if (const std::size_t size = scan_start(bytes); size == kOpen) return kOpen;
        break;
      case State::blank: {
        const std::size_t end = bytes.find_first_not_of("\r\n");
        return end == std::string_view::npos ? kOpen : end;
      }
      case State::junk:
      case State::oversize: {
        const std::size_t from = std::exchange(search_from_, 0);
        std::size_t start = find_start(bytes.substr(from), look_back_);
        if (start != std::string_view::npos) start += from;
        if (state_ == State::junk) return start == std::string_view::npos ? kOpen : start;
        if (start != std::string_view::npos && start < at_ + left_) {
          lies_ = true;
          return start;
        }
        if (bytes.size() - at_ < left_) {
          left_ -= bytes.size() - at_;
          at_ = look_back_;
          return kOpen;
        }
        look_back_ = 0;
        at_ += static_cast<std::size_t>(left_);
        state_ = State::trailer;
        break;
      }
      case State::header:
        if (const std::size_t size = scan_header(bytes); size != 0) return size;
        break;
      case State::block: {
        const std::size_t fresh = bytes.size() - at_;
        if (fresh < left_) {
          left_ -= fresh;
          at_ = 0;
          return kOpen;
        }
        at_ += static_cast<std::size_t>(left_);
        state_ = State::trailer;
        break;
      }
      case State::trailer:
      case State::whole:
        return scan_trailer(bytes);
    }
  }
}

// Decides what the unit is. 0 when that is known.
std::size_t WebArchiveCutter::scan_start(std::string_view bytes) {
  if (bytes.front() == '\r' || bytes.front() == '\n') {
    state_ = State::blank;
    return 0;
  }
  switch (starts_record(bytes)) {
    case Match::more:
      look_back_ = bytes.size();
      return kOpen;
    case Match::yes:
      state_ = State::header;
      break;
    case Match::no:
      state_ = State::junk;
      break;
  }
  searched_ = search_from_ = 0;
  return 0;
}

// The unit's size when it ends with its header, kOpen, or 0 when a block follows.
std::size_t WebArchiveCutter::scan_header(std::string_view bytes) {
  header_size_ = end_of_header(bytes, searched_);
  if (std::min(header_size_, bytes.size()) > most_header_) {
    found_ = {.is_document = true, .problem = "the header of the record is too long"};
    header_size_ = most_header_;
  } else if (header_size_ == std::string_view::npos) {
    searched_ = bytes.size() - std::min<std::size_t>(bytes.size(), 2);
    look_back_ = bytes.size();
    return kOpen;
  } else {
    found_ = read_header(bytes.substr(0, header_size_));
  }
  if (found_.problem != nullptr) {
    state_ = State::whole;
    lies_ = true;
    trailer_size_ = 0;
    return header_size_;
  }
  at_ = header_size_;
  search_from_ = header_size_ - 1;  // the line end before the block
  left_ = found_.length;
  state_ = left_ + header_size_ > max_record_ ? State::oversize : State::block;
  return 0;
}

// The line ends after the block, and a check of what follows them.
std::size_t WebArchiveCutter::scan_trailer(std::string_view bytes) {
  std::string_view rest = bytes.substr(at_);
  auto newlines = std::count(record_end_.begin(), record_end_.end(), '\n');
  std::size_t size = 0;
  for (; newlines != 0; --newlines) {
    const std::size_t end = rest.substr(size).starts_with("\r\n") ? 2 : rest.substr(size).starts_with('\n') ? 1 : 0;
    if (end == 0) break;
    size += end;
  }
  const std::string_view next = rest.substr(size);
  Match match = Match::more;
  if (!next.empty()) match = next.front() == '\r' || next.front() == '\n' ? Match::yes : starts_record(next);
  if (next == "\r") match = Match::more;
  trailer_size_ = size;
  // Where the length is wrong, it may end within the line that starts the next record.
  if (match == Match::no && next.size() < kPeek) match = Match::more;
  if (match == Match::more) {
    look_back_ = rest.size();
    at_ = 0;
    return kOpen;
  }
  lies_ = match == Match::no;
  given_back_ = overshot_ = lies_ ? kPeek : 0;
  state_ = State::whole;
  return at_ + size + overshot_;
}

bool WebArchiveCutter::may_be_record() const {
  switch (state_) {
    case State::start:
    case State::header:
      return true;
    case State::blank:
      return false;
    case State::junk:
      return !after_bad_;
    default:
      return found_.is_document;
  }
}

bool WebArchiveCutter::take(std::string_view unit, RawRecord& out) {
  if (state_ == State::blank) return false;
  if (state_ == State::junk) {
    return !after_bad_ && take_bad(unit, out, "data between two records");
  }
  return take_record(unit, out);
}

bool WebArchiveCutter::take_last(std::string_view unit, RawRecord& out) {
  const bool is_record = !unit.empty() && take_whole_or_cut(unit, out);
  if (given_back_ == 0) companions_.end();
  return is_record;
}

bool WebArchiveCutter::take_whole_or_cut(std::string_view unit, RawRecord& out) {
  switch (state_) {
    case State::blank:
      return false;
    case State::start:  // too short to tell
    case State::junk:
      state_ = State::junk;
      return take(unit, out);
    case State::header:
      return take_bad(unit, out, kCutOff);
    case State::block:
    case State::oversize:
      found_.problem = kCutOff;
      lies_ = true;
      return take_record(unit, out);
    default:
      break;
  }
  overshot_ = unit.size() - (header_size_ + static_cast<std::size_t>(found_.length) + trailer_size_);
  lies_ = overshot_ != 0 && starts_record(unit.substr(unit.size() - overshot_)) == Match::no;
  return take_record(unit, out);
}

// A record that lies is bad, and where another one begins inside it, that one is not lost.
bool WebArchiveCutter::take_record(std::string_view unit, RawRecord& out) {
  out.terminator = static_cast<std::uint32_t>(trailer_size_);
  out.size = static_cast<std::uint32_t>(unit.size() - trailer_size_ - overshot_);
  given_back_ = overshot_;
  if (out.size > max_record_) return found_.is_document;  // the caller knows that it is too long
  if (lies_) {
    if (found_.length + header_size_ <= max_record_) {
      std::size_t ignored = 0;
      const std::size_t start = find_start(unit.substr(header_size_ - 1), ignored);
      const std::size_t back = start == std::string_view::npos ? overshot_ : unit.size() - (start + header_size_ - 1);
      if (back <= kFarBack || ++long_rewinds_ <= kMostLongRewinds) given_back_ = back;
    }
    return take_bad(unit.substr(0, unit.size() - given_back_), out,
                    found_.problem != nullptr ? found_.problem : kWrongLength);
  }
  if (found_.describes_archive && number_ == 1) {
    auto header = std::make_shared<ArchiveHeader>();
    header->raw = unit.substr(0, out.size);
    header->terminator = unit.substr(out.size, out.terminator);
    header_ = std::move(header);
    return false;
  }
  found_.record.number = number_;
  if (found_.is_document) {
    companions_.add_document(std::move(found_.record));
  } else {
    companions_.add_other(std::move(found_.record), unit.substr(0, out.size), unit.substr(out.size, out.terminator));
  }
  return found_.is_document;
}

bool WebArchiveCutter::take_bad(std::string_view unit, RawRecord& out, const char* problem) {
  out.size = static_cast<std::uint32_t>(unit.size());
  out.terminator = 0;
  out.problem = problem;
  return true;
}

void WebArchiveCutter::next_unit() {
  if (state_ == State::junk) {
    after_bad_ = true;
  } else if (state_ != State::blank) {
    after_bad_ = lies_;
    ++number_;
  }
  state_ = State::start;
  at_ = look_back_ = given_back_ = trailer_size_ = overshot_ = 0;
  lies_ = false;
}

}  // namespace neardup::io
