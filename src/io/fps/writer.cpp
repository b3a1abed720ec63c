#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "io/fps/file.h"
#include "io/fps/layout.h"
#include "neardup/error.h"

namespace neardup::io {

namespace fps {

std::uint64_t checksum_of(std::string_view bytes, std::uint64_t block) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), block);
}

std::uint64_t checksum_of(std::string_view first, std::string_view second, std::uint64_t block) {
  XXH3_state_t state;
  XXH3_INITSTATE(&state);
  XXH3_64bits_reset_withSeed(&state, block);
  XXH3_64bits_update(&state, first.data(), first.size());
  XXH3_64bits_update(&state, second.data(), second.size());
  return XXH3_64bits_digest(&state);
}

}  // namespace fps

namespace {

using namespace fps;

std::string header_text(const FingerprintHeader& header) {
  std::string text;
  const auto line = [&](std::string_view key, const auto& value) { text += fmt::format("{}={}\n", key, value); };
  if (header.making) {
    line("features", header.making->features);
    line("bag", header.making->bag ? 1 : 0);
    line("weights", header.making->weights);
    if (!header.making->text.empty()) line("text", header.making->text);
    if (!header.making->field_weights.empty()) line("field_weights", header.making->field_weights);
    line("projection", header.making->projection);
    line("hash", header.making->hash);
    line("seed", header.making->seed);
  }
  line("order", header.order == FingerprintOrder::input ? "input" : "fingerprint");
  line("volatility", header.volatility ? 1 : 0);
  line("ids", header.ids ? 1 : 0);
  line("block", header.block_records);
  line("tool", header.tool);
  text.append(padded(text.size()) - text.size(), '\n');
  return text;
}

}  // namespace

bool FingerprintBlock::has_missing() const {
  return std::any_of(missing.begin(), missing.end(), [](std::uint64_t word) { return word != 0; });
}

void FingerprintBlock::clear() {
  bits.clear();
  missing.clear();
  volatility.clear();
  id_ends.clear();
  id_bytes.clear();
}

void FingerprintBlock::add(const FingerprintRecord& record) {
  const std::size_t place = bits.size();
  if (id_bytes.size() + record.id.size() > std::numeric_limits<std::uint32_t>::max())
    throw Error(ErrorCode::limit, "the ids of neighbouring documents take more than 4 GiB: give shorter ones",
                "id_field");
  if (place % 64 == 0) missing.push_back(0);
  bits.push_back(record.fingerprint ? record.fingerprint->bits : 0);
  if (!record.fingerprint) missing.back() |= std::uint64_t{1} << (place % 64);
  if (record.volatility != nullptr) volatility.push_back(*record.volatility);
  id_bytes += record.id;
  id_ends.push_back(static_cast<std::uint32_t>(id_bytes.size()));
}

FingerprintFileWriter::FingerprintFileWriter(std::unique_ptr<ByteSink> sink, FingerprintHeader header)
    : sink_(std::move(sink)), header_(std::move(header)) {
  assert(header_.block_records >= 1 && header_.block_records <= kMostBlockRecords);
  const std::string text = header_text(header_);
  if (text.size() > kMostHeaderText)
    throw Error(ErrorCode::usage, "the description of the features is too long for a .fps file");
  Opening opening{.magic = {}, .version = kVersion, .text_bytes = static_cast<std::uint32_t>(text.size())};
  std::ranges::copy(kFpsMagic, opening.magic);
  const std::uint64_t checksum = checksum_of(bytes_of(opening), text, 0);
  write(bytes_of(opening));
  write(text);
  write(bytes_of(checksum));
}

void FingerprintFileWriter::write(std::string_view bytes) {
  sink_->write(bytes);
  written_ += bytes.size();
}

void FingerprintFileWriter::add(const FingerprintRecord& record) {
  assert(!header_.volatility || record.volatility != nullptr);
  block_.add({.fingerprint = record.fingerprint,
              .volatility = header_.volatility ? record.volatility : nullptr,
              .id = header_.ids ? record.id : std::string_view()});
  ++records_;
  missing_ += record.fingerprint ? 0 : 1;
  if (block_.size() == header_.block_records) write_block();
}

void FingerprintFileWriter::write_block() {
  const std::uint64_t number = offsets_.size();
  offsets_.push_back(written_);
  const std::uint64_t id_bytes = header_.ids ? block_.id_bytes.size() : 0;
  if (header_.ids) {
    const std::uint64_t used = block_.id_ends.size() * sizeof(std::uint32_t) + id_bytes;
    block_.id_bytes.append(padded(used) - used, '\0');
  } else {
    block_.id_ends.clear();
  }
  BlockHeader header{
      .records = static_cast<std::uint32_t>(block_.size()),
      .reserved = 0,
      .id_bytes = id_bytes,
      .fingerprints_checksum = checksum_of(bytes_of(block_.bits), bytes_of(block_.missing), number),
      .volatility_checksum = checksum_of(bytes_of(block_.volatility), number),
      .ids_checksum = checksum_of(bytes_of(block_.id_ends), block_.id_bytes, number),
      .checksum = 0,
  };
  header.checksum = checksum_of(bytes_of(header).substr(0, offsetof(BlockHeader, checksum)), number);
  write(bytes_of(header));
  write(bytes_of(block_.bits));
  write(bytes_of(block_.missing));
  write(bytes_of(block_.volatility));
  write(bytes_of(block_.id_ends));
  write(block_.id_bytes);
  block_.clear();
}

void FingerprintFileWriter::close() {
  if (block_.size() > 0) write_block();
  Closing closing{.blocks = offsets_.size(), .records = records_, .missing = missing_, .checksum = 0, .magic = {}};
  closing.checksum = checksum_of(bytes_of(offsets_), bytes_of(closing).substr(0, offsetof(Closing, checksum)), 0);
  std::ranges::copy(kEndMagic, closing.magic);
  write(bytes_of(offsets_));
  write(bytes_of(closing));
  sink_->close();
}

}  // namespace neardup::io
