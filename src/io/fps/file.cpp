#include "io/fps/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <utility>

#include "io/fps/layout.h"
#include "neardup/error.h"

namespace neardup::io {
namespace {

using namespace fps;

struct BadHeader {
  std::string problem;
};

// Reads the lines of a header's text, each of which is wanted once.
class HeaderLines {
 public:
  explicit HeaderLines(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      const std::size_t equals = line.find('=');
      if (line.empty()) continue;
      if (equals == line.npos) throw BadHeader{"has a line without a value"};
      lines_.emplace_back(line.substr(0, equals), line.substr(equals + 1));
    }
  }

  [[nodiscard]] bool has(std::string_view key) const {
    return std::ranges::find(lines_, key, &Line::first) != lines_.end();
  }
  std::string text(std::string_view key) {
    const auto found = std::ranges::find(lines_, key, &Line::first);
    if (found == lines_.end()) throw BadHeader{fmt::format("does not say \"{}\"", key)};
    std::string value(found->second);
    lines_.erase(found);
    return value;
  }
  std::uint64_t number(std::string_view key, std::uint64_t most) {
    const std::string value = text(key);
    std::uint64_t parsed = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), parsed);
    if (error != std::errc{} || end != value.data() + value.size() || parsed > most)
      throw BadHeader{fmt::format("says \"{}={}\"", key, value)};
    return parsed;
  }
  void end() const {
    if (!lines_.empty())
      throw BadHeader{fmt::format("says \"{}\", which this version does not know", lines_.front().first)};
  }

 private:
  using Line = std::pair<std::string_view, std::string_view>;
  std::vector<Line> lines_;
};

FingerprintHeader parse_header(std::string_view text) {
  HeaderLines lines(text);
  FingerprintHeader header;
  if (lines.has("features")) {
    header.making = FingerprintMaking{.features = lines.text("features"),
                                      .weights = lines.text("weights"),
                                      .projection = lines.text("projection"),
                                      .text = lines.has("text") ? lines.text("text") : "",
                                      .field_weights = lines.has("field_weights") ? lines.text("field_weights") : "",
                                      .hash = lines.text("hash"),
                                      .seed = lines.number("seed", std::numeric_limits<std::uint64_t>::max()),
                                      .bag = lines.number("bag", 1) == 1};
  }
  const std::string order = lines.text("order");
  if (order != "input" && order != "fingerprint") throw BadHeader{fmt::format("says \"order={}\"", order)};
  header.order = order == "input" ? FingerprintOrder::input : FingerprintOrder::fingerprint;
  header.volatility = lines.number("volatility", 1) == 1;
  header.ids = lines.number("ids", 1) == 1;
  header.block_records = static_cast<std::uint32_t>(lines.number("block", kMostBlockRecords));
  if (header.block_records == 0) throw BadHeader{"says \"block=0\""};
  header.tool = lines.text("tool");
  lines.end();
  return header;
}

}  // namespace

std::string difference(const FingerprintMaking& a, const FingerprintMaking& b) {
  const auto differ = [](std::string_view what, const auto& x, const auto& y) {
    return fmt::format("{} {} and {}", what, x, y);
  };
  const auto or_none = [](const std::string& value) { return value.empty() ? "none" : value; };
  if (a.features != b.features) return differ("`features`", a.features, b.features);
  if (a.bag != b.bag) return "features with and without `bag`";
  constexpr std::string_view kRarity = "tfidf:";
  if (a.weights != b.weights && a.weights.starts_with(kRarity) && b.weights.starts_with(kRarity))
    return "`weights=tfidf` of different documents, in which features are not equally rare";
  if (a.weights != b.weights) return differ("`weights`", a.weights, b.weights);
  if (a.text != b.text) return differ("rules for words", or_none(a.text), or_none(b.text));
  if (a.field_weights != b.field_weights)
    return differ("`field_weights`", or_none(a.field_weights), or_none(b.field_weights));
  if (a.projection != b.projection) return differ("`projection`", a.projection, b.projection);
  if (a.hash != b.hash) return differ("the feature hashes", a.hash, b.hash);
  if (a.seed != b.seed) return differ("the hash seeds", a.seed, b.seed);
  return {};
}

FingerprintFile::FingerprintFile(std::unique_ptr<InputFile> file, std::string name)
    : file_(std::move(file)), name_(std::move(name)) {
  file_->expect(Access::mixed);  // blocks follow each other, ids are looked up one by one
  read_header();
  read_index();
}

void FingerprintFile::fail(const std::string& what) const {
  throw Error(ErrorCode::corrupt,
              fmt::format("{}: {} (copy the file again, or write it again with neardup fingerprint)", name_, what));
}

void FingerprintFile::read_header() {
  const std::uint64_t size = file_->size();
  Opening opening{};
  file_->read_at(
      0, {reinterpret_cast<char*>(&opening), static_cast<std::size_t>(std::min<std::uint64_t>(size, sizeof opening))});
  const std::string_view start(opening.magic,
                               static_cast<std::size_t>(std::min<std::uint64_t>(size, sizeof opening.magic)));
  if (start.empty() || !kFpsMagic.starts_with(start))
    fail("this is not a fingerprint file: it does not begin like one");
  if (size < sizeof opening) fail("the file is cut short");
  if (opening.version != kVersion) {
    throw Error(ErrorCode::corrupt,
                fmt::format("{}: version {} of the .fps format; this program reads version {} (write the file again "
                            "with this neardup fingerprint, or read it with the neardup that wrote it)",
                            name_, opening.version, kVersion));
  }
  std::uint64_t checksum = 0;
  if (opening.text_bytes > kMostHeaderText || opening.text_bytes % 8 != 0) fail("its header is damaged");
  first_block_ = sizeof opening + opening.text_bytes + sizeof checksum;
  if (size < first_block_) fail("the file is cut short");
  std::string text(opening.text_bytes, '\0');
  file_->read_at(sizeof opening, text);
  file_->read_at(sizeof opening + text.size(), {reinterpret_cast<char*>(&checksum), sizeof checksum});
  if (checksum != checksum_of(bytes_of(opening), text, 0)) fail("its header is damaged");
  try {
    header_ = parse_header(text);
  } catch (const BadHeader& bad) {
    fail("its header " + bad.problem);
  }
}

void FingerprintFile::read_index() {
  const std::uint64_t size = file_->size();
  Closing closing{};
  if (size < first_block_ + sizeof closing) fail("the file is cut short");
  file_->read_at(size - sizeof closing, {reinterpret_cast<char*>(&closing), sizeof closing});
  if (std::string_view(closing.magic, sizeof closing.magic) != kEndMagic)
    fail("the file is cut short, or something foreign follows it");
  const std::uint64_t room = size - first_block_ - sizeof closing;
  const std::uint64_t blocks =
      closing.records / header_.block_records + (closing.records % header_.block_records != 0 ? 1 : 0);
  if (closing.blocks != blocks || blocks > room / sizeof(std::uint64_t)) fail("its index is damaged");
  offsets_.resize(static_cast<std::size_t>(blocks));
  index_offset_ = size - sizeof closing - blocks * sizeof(std::uint64_t);
  file_->read_at(index_offset_, space_of(offsets_));
  if (closing.checksum != checksum_of(bytes_of(offsets_), bytes_of(closing).substr(0, offsetof(Closing, checksum)), 0))
    fail("its index is damaged");
  records_ = closing.records;
  missing_ = closing.missing;
  if (missing_ > records_) fail("its index contradicts itself");
  // From here on a block's place and length can be trusted to lie within the file.
  std::uint64_t expected = first_block_;
  for (std::size_t block = 0; block < offsets_.size(); ++block) {
    const std::uint64_t next = block + 1 < offsets_.size() ? offsets_[block + 1] : index_offset_;
    if (offsets_[block] != expected || next < expected || next > index_offset_ || next - expected < block_bytes(block))
      fail("its index contradicts itself");
    expected = next;
  }
  if (expected != index_offset_) fail("its index contradicts itself");
}

std::size_t FingerprintFile::rows(std::size_t block) const {
  return static_cast<std::size_t>(std::min<std::uint64_t>(header_.block_records, records_ - first_row(block)));
}

// Without the bytes of ids, which only the block itself knows.
std::uint64_t FingerprintFile::block_bytes(std::size_t block) const {
  const std::uint64_t n = rows(block);
  return sizeof(BlockHeader) + n * 8 + words_for(n) * 8 + (header_.volatility ? n * sizeof(Volatility) : 0) +
         (header_.ids ? padded(n * sizeof(std::uint32_t)) : 0);
}

void FingerprintFile::read_section(std::size_t block, std::uint64_t offset, std::uint64_t checksum, const char* what,
                                   std::span<char> to) const {
  file_->read_at(offset, to);
  if (checksum_of({to.data(), to.size()}, block) != checksum)
    fail(fmt::format("the {} of the records from {} on are damaged", what, first_row(block) + 1));
}

void FingerprintFile::load(std::size_t block, FingerprintSections sections, FingerprintBlock& out) const {
  out.clear();
  const std::size_t n = rows(block);
  const std::uint64_t begin = offsets_[block];
  const std::uint64_t end = block + 1 < offsets_.size() ? offsets_[block + 1] : index_offset_;
  out.first_row = first_row(block);

  BlockHeader header{};
  file_->read_at(begin, {reinterpret_cast<char*>(&header), sizeof header});
  const bool intact =
      header.checksum == checksum_of(bytes_of(header).substr(0, offsetof(BlockHeader, checksum)), block);
  // The bytes that ids have beyond those of an empty block are bounded by the file's own size.
  const std::uint64_t room = end - begin - block_bytes(block);
  if (!intact || header.records != n || header.reserved != 0 || header.id_bytes > room + 7)
    fail(fmt::format("the block of the records from {} on is damaged", out.first_row + 1));

  std::uint64_t offset = begin + sizeof header;
  const std::size_t words = static_cast<std::size_t>(words_for(n));
  out.bits.resize(n + words);
  read_section(block, offset, header.fingerprints_checksum, "fingerprints", space_of(out.bits));
  out.missing.assign(out.bits.begin() + static_cast<std::ptrdiff_t>(n), out.bits.end());
  out.bits.resize(n);
  if (n % 64 != 0 && (out.missing.back() >> (n % 64)) != 0)
    fail(fmt::format("the block of the records from {} on contradicts itself", out.first_row + 1));
  offset += (n + words) * sizeof(std::uint64_t);

  if (header_.volatility) {
    if (sections.volatility) {
      out.volatility.resize(n);
      read_section(block, offset, header.volatility_checksum, "volatilities", space_of(out.volatility));
    }
    offset += n * sizeof(Volatility);
  }
  const std::uint64_t ids = header_.ids ? padded(n * sizeof(std::uint32_t) + header.id_bytes) : 0;
  if (end - offset != ids)
    fail(fmt::format("the block of the records from {} on contradicts itself", out.first_row + 1));
  if (!header_.ids || !sections.ids) return;
  std::string bytes(static_cast<std::size_t>(ids), '\0');
  read_section(block, offset, header.ids_checksum, "ids", bytes);
  out.id_ends.resize(n);
  std::memcpy(out.id_ends.data(), bytes.data(), n * sizeof(std::uint32_t));
  bytes.erase(0, n * sizeof(std::uint32_t));
  bytes.resize(static_cast<std::size_t>(header.id_bytes));
  if (!std::ranges::is_sorted(out.id_ends) || out.id_ends.back() != bytes.size())
    fail(fmt::format("the ids of the records from {} on contradict each other", out.first_row + 1));
  out.id_bytes = std::move(bytes);
}

void FingerprintFile::check() const {
  FingerprintBlock block;
  for (std::size_t i = 0; i < blocks(); ++i) load(i, {.volatility = header_.volatility, .ids = header_.ids}, block);
}

}  // namespace neardup::io
