#include "io/fps/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <future>
#include <limits>
#include <utility>

#include "base/ascii.h"
#include "base/system.h"
#include "base/tsv.h"
#include "io/codecs/codecs.h"
#include "io/inputs.h"
#include "neardup/error.h"

namespace neardup::io {
namespace {

constexpr std::uint64_t kCheckedAtOnce = 64u << 20;  // bytes of a .fps file that take no time to look through
constexpr std::size_t kTextRows = 1u << 14, kTextBytes = 1u << 20;  // of a block made of lines
constexpr std::size_t kMostLine = 64u << 20;

std::string place_name(const std::string& path, std::uint64_t row) { return fmt::format("{}:{}", path, row + 1); }

class FpsReader final : public FingerprintReader {
 public:
  FpsReader(const io::FingerprintFile& file, const std::string& name, std::size_t from)
      : file_(file), name_(name), next_(from) {}

  bool next() override { return next_++ < file_.blocks(); }
  [[nodiscard]] std::uint64_t first_row() const override { return file_.first_row(next_ - 1); }
  [[nodiscard]] std::size_t rows() const override { return file_.rows(next_ - 1); }

  void load(io::FingerprintSections sections, io::FingerprintBlock& out) override {
    file_.load(next_ - 1, sections, out);
    if (!sections.ids || file_.header().ids) return;
    for (std::size_t i = 0; i < out.size(); ++i) {
      out.id_bytes += place_name(name_, out.first_row + i);
      out.id_ends.push_back(static_cast<std::uint32_t>(out.id_bytes.size()));
    }
  }

 private:
  const io::FingerprintFile& file_;
  const std::string& name_;
  std::size_t next_;
};

class FpsSource final : public FingerprintSource {
 public:
  FpsSource(std::unique_ptr<InputFile> file, std::string name, std::shared_ptr<base::TempFolder> spool)
      : FingerprintSource(std::move(name)),
        spool_(std::move(spool)),
        bytes_(file->size()),
        file_(std::move(file), name_) {
    if (bytes_ <= kCheckedAtOnce) file_.check();
  }
  [[nodiscard]] const std::optional<io::FingerprintMaking>& making() const override { return file_.header().making; }
  [[nodiscard]] FingerprintOrder order() const override { return file_.header().order; }
  [[nodiscard]] bool has_volatility() const override { return file_.header().volatility; }
  [[nodiscard]] std::uint64_t rows() const override { return file_.records(); }
  [[nodiscard]] std::uint64_t missing() const override { return file_.missing(); }
  [[nodiscard]] std::unique_ptr<FingerprintReader> read(std::uint64_t from) const override {
    return std::make_unique<FpsReader>(file_, name_, static_cast<std::size_t>(from / file_.header().block_records));
  }

 private:
  std::shared_ptr<base::TempFolder> spool_;
  std::uint64_t bytes_;
  io::FingerprintFile file_;
};

class TextReader final : public FingerprintReader {
 public:
  TextReader(std::unique_ptr<io::ByteSource> bytes, const std::string& name) : bytes_(std::move(bytes)), name_(name) {}

  bool next() override {
    block_.clear();
    block_.first_row = lines_;
    std::string_view text;
    while (block_.size() < kTextRows && block_.id_bytes.size() < kTextBytes && line(text)) {
      ++lines_;
      parse(text);
    }
    return block_.size() > 0;
  }
  [[nodiscard]] std::uint64_t first_row() const override { return block_.first_row; }
  [[nodiscard]] std::size_t rows() const override { return block_.size(); }
  void load(io::FingerprintSections, io::FingerprintBlock& out) override { out = block_; }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorCode::corrupt, fmt::format("{}: {}", name_, what));
  }

  // The next line without its end, valid until the next call.
  bool line(std::string_view& out) {
    for (;;) {
      const std::size_t end = buffer_.find('\n', scanned_);
      if (end != buffer_.npos || (ended_ && begin_ < buffer_.size())) {
        const std::size_t stop = std::min(end, buffer_.size());
        out = std::string_view(buffer_).substr(begin_, stop - begin_);
        if (out.ends_with('\r')) out.remove_suffix(1);
        begin_ = scanned_ = std::min(stop + 1, buffer_.size());
        return true;
      }
      if (ended_) return false;
      more();
    }
  }

  void more() {
    buffer_.erase(0, begin_);
    begin_ = 0;
    const std::size_t filled = buffer_.size();
    scanned_ = filled;
    if (filled > kMostLine) fail(fmt::format("line {} is longer than {} MiB", lines_ + 1, kMostLine >> 20));
    buffer_.resize(filled + io::kCodecBuffer);
    const std::size_t got = bytes_->read(std::span(buffer_).subspan(filled));
    buffer_.resize(filled + got);
    if (got > 0) return;
    ended_ = true;
    if (!bytes_->problem().empty()) fail(bytes_->problem());
  }

  void parse(std::string_view text) {
    const std::size_t tab = text.find('\t');
    const std::string_view code = text.substr(0, tab);
    std::optional<Fingerprint> fingerprint;
    if (code != "-") {
      std::uint64_t bits = 0;
      bool good = code.size() == 16;
      for (std::size_t i = 0; good && i < 16; ++i) {
        const int digit = base::hex_value(code[i]);
        good = digit >= 0;
        bits = bits << 4 | static_cast<std::uint64_t>(digit);
      }
      if (!good) {
        throw Error(
            ErrorCode::corrupt,
            fmt::format("{}:{}: expected 16 hex digits, alone or before a TAB and an id, or - for a document "
                        "without features ({})",
                        name_, lines_,
                        lines_ == 1 ? "this is not a file of fingerprints; if it holds documents, compute their "
                                      "fingerprints first"
                                    : "a damaged line, or not a file of fingerprints"));
      }
      fingerprint = Fingerprint{bits};
    }
    const std::string id = tab == text.npos ? place_name(name_, lines_ - 1) : base::unescape_tsv(text.substr(tab + 1));
    block_.add({.fingerprint = fingerprint, .id = id});
  }

  std::unique_ptr<io::ByteSource> bytes_;
  const std::string& name_;
  io::FingerprintBlock block_;
  std::string buffer_;
  std::size_t begin_ = 0, scanned_ = 0;  // where the next line starts; up to where there is no line end
  std::uint64_t lines_ = 0;
  bool ended_ = false;
};

class TextSource final : public FingerprintSource {
 public:
  TextSource(const io::Source& source, std::shared_ptr<base::TempFolder> spool, const io::Codec& codec,
             const Context& context)
      : FingerprintSource(source.path),
        spool_(std::move(spool)),
        path_(source.file()),
        codec_(codec),
        files_(base::files(context)) {
    io::FingerprintBlock block;
    for (const auto reader = read(0); reader->next();) {
      base::check_stop(context);
      reader->load({}, block);
      rows_ += block.size();
      for (std::size_t i = 0; i < block.size(); ++i) missing_ += block.is_missing(i) ? 1 : 0;
    }
  }
  [[nodiscard]] const std::optional<io::FingerprintMaking>& making() const override { return making_; }
  [[nodiscard]] FingerprintOrder order() const override { return FingerprintOrder::input; }
  [[nodiscard]] bool has_volatility() const override { return false; }
  [[nodiscard]] std::uint64_t rows() const override { return rows_; }
  [[nodiscard]] std::uint64_t missing() const override { return missing_; }
  [[nodiscard]] std::unique_ptr<FingerprintReader> read(std::uint64_t) const override {
    return std::make_unique<TextReader>(codec_.decoder(files_.open(path_)), name_);
  }

 private:
  std::shared_ptr<base::TempFolder> spool_;
  std::filesystem::path path_;
  const io::Codec& codec_;
  FileSystem& files_;
  std::optional<io::FingerprintMaking> making_;
  std::uint64_t rows_ = 0, missing_ = 0;
};

// Up to as many bytes as a magic number has.
std::string first_bytes(io::ByteSource& bytes) {
  std::string start(io::kFpsMagic.size(), '\0');
  std::size_t filled = 0;
  while (filled < start.size()) {
    const std::size_t got = bytes.read(std::span(start).subspan(filled));
    if (got == 0) break;
    filled += got;
  }
  start.resize(filled);
  return start;
}

}  // namespace

std::unique_ptr<FingerprintSource> open_fingerprints(const std::string& path, const Context& context) {
  io::Inputs inputs = io::find_inputs({.inputs = {path}}, context);
  if (!inputs.single) throw Error(ErrorCode::usage, fmt::format("{}: expected one file of fingerprints", path));
  const io::Source& source = inputs.sources.front();
  FileSystem& files = base::files(context);
  const std::string start = first_bytes(*io::plain_codec().decoder(files.open(source.file())));
  std::unique_ptr<FingerprintSource> opened;
  if (start == io::kFpsMagic || io::ends_in(path, io::kFpsExtension)) {
    opened = std::make_unique<FpsSource>(files.open(source.file()), path, inputs.spool);
  } else {
    const io::Codec& codec = io::sniff_codec(start, path);
    if (first_bytes(*codec.decoder(files.open(source.file()))) == io::kFpsMagic)
      throw Error(ErrorCode::usage, fmt::format("{}: .fps files are not read compressed: unpack it first", path));
    opened = std::make_unique<TextSource>(source, inputs.spool, codec, context);
  }
  if (opened->rows() > std::numeric_limits<std::uint32_t>::max())
    throw Error(ErrorCode::limit, fmt::format("{} contains {} fingerprints; more than 2^32 - 1 need several files",
                                              path, opened->rows()));
  return opened;
}

void check_same_making(const FingerprintSource& a, const FingerprintSource& b) {
  if (!a.making() || !b.making()) return;
  const std::string differs = io::difference(*a.making(), *b.making());
  if (differs.empty()) return;
  throw Error(ErrorCode::usage, fmt::format("{} and {} were made in different ways and do not compare: {} (fingerprint "
                                            "both with the same settings)",
                                            a.name(), b.name(), differs));
}

struct ChunkReader::State {
  State(const FingerprintSource& source, std::uint64_t first, std::uint64_t last, std::size_t rows,
        io::FingerprintSections what, Ahead how)
      : reader(source.read(first)), begin(first), end(last), chunk_rows(rows), sections(what), ahead(how) {}

  std::unique_ptr<FingerprintReader> reader;
  std::uint64_t begin, end;
  std::size_t chunk_rows;
  io::FingerprintSections sections;
  Ahead ahead;
  io::FingerprintBlock block;
  std::size_t at = 0;  // in the block
  FingerprintChunk coming;
  std::future<bool> pending;

  // Rows [begin, ...) that are left in the block, loading the next one when there are none.
  std::size_t available() {
    while (begin < end && (at == block.size() || block.first_row + at < begin)) {
      if (at < block.size()) {
        at = static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), begin - block.first_row));
        continue;
      }
      if (!reader->next()) return 0;
      if (reader->first_row() + reader->rows() <= begin) continue;
      reader->load(sections, block);
      at = 0;
    }
    return begin < end ? static_cast<std::size_t>(std::min<std::uint64_t>(block.size() - at, end - begin)) : 0;
  }

  bool fill(FingerprintChunk& out) {
    out.bits.clear();
    out.volatility.clear();
    out.rows.clear();
    out.first_row = begin;
    const std::uint64_t until = std::min<std::uint64_t>(end, begin + chunk_rows);
    out.bits.reserve(static_cast<std::size_t>(until - begin));
    if (sections.volatility) out.volatility.reserve(static_cast<std::size_t>(until - begin));
    bool any = false;
    while (begin < until) {
      const std::size_t rows = static_cast<std::size_t>(std::min<std::uint64_t>(available(), until - begin));
      if (rows == 0) break;
      any = true;
      append(out, rows);
      at += rows;
      begin += rows;
    }
    return any;
  }

  void append(FingerprintChunk& out, std::size_t rows) const {
    const bool gaps = block.has_missing();
    if (gaps && out.rows.empty()) {
      for (std::size_t i = 0; i < out.bits.size(); ++i)
        out.rows.push_back(static_cast<std::uint32_t>(out.first_row + i));
    }
    if (!gaps) {
      const auto from = static_cast<std::ptrdiff_t>(at), to = static_cast<std::ptrdiff_t>(at + rows);
      if (!out.rows.empty() || block.first_row + at != out.first_row + out.bits.size()) {
        for (std::size_t i = at; i < at + rows; ++i)
          out.rows.push_back(static_cast<std::uint32_t>(block.first_row + i));
      }
      out.bits.insert(out.bits.end(), block.bits.begin() + from, block.bits.begin() + to);
      if (sections.volatility)
        out.volatility.insert(out.volatility.end(), block.volatility.begin() + from, block.volatility.begin() + to);
      return;
    }
    for (std::size_t i = at; i < at + rows; ++i) {
      if (block.is_missing(i)) continue;
      out.rows.push_back(static_cast<std::uint32_t>(block.first_row + i));
      out.bits.push_back(block.bits[i]);
      if (sections.volatility) out.volatility.push_back(block.volatility[i]);
    }
  }
};

ChunkReader::ChunkReader(const FingerprintSource& source, std::uint64_t begin, std::uint64_t end,
                         std::size_t chunk_rows, io::FingerprintSections sections, Ahead ahead)
    : state_(std::make_unique<State>(source, begin, end, chunk_rows, sections, ahead)) {}

ChunkReader::~ChunkReader() = default;

bool ChunkReader::next(FingerprintChunk& out) {
  State& s = *state_;
  if (s.ahead == Ahead::none) return s.fill(out);
  const auto read = [&s] { return s.fill(s.coming); };
  const bool any = s.pending.valid() ? s.pending.get() : read();
  if (!any) return false;
  std::swap(out, s.coming);
  // Not one of the arena's threads: it mostly waits for the disk, while all of those search. A chunk takes so much
  // longer than a thread to start that none is kept between them.
  s.pending = std::async(std::launch::async, read);
  return true;
}

}  // namespace neardup::io
