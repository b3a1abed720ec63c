#include "base/state.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "neardup/error.h"

namespace neardup::base {
namespace {

using Checksum = std::uint64_t;
constexpr std::size_t kBuffer = std::size_t{1} << 16;

}  // namespace

struct StateWriter::Hash {
  Hash() { XXH3_64bits_reset(&state); }
  XXH3_state_t state;
};

StateWriter::StateWriter(FileSystem& files, const std::filesystem::path& path)
    : files_(files), file_(files.create(path)), hash_(std::make_unique<Hash>()) {
  buffer_.reserve(kBuffer);
}

StateWriter::~StateWriter() = default;

void StateWriter::bytes(std::span<const char> bytes) {
  if (buffer_.size() + bytes.size() > kBuffer) flush();
  if (bytes.size() < kBuffer) {
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    return;
  }
  XXH3_64bits_update(&hash_->state, bytes.data(), bytes.size());
  file_->write(bytes);
}

void StateWriter::flush() {
  XXH3_64bits_update(&hash_->state, buffer_.data(), buffer_.size());
  file_->write(buffer_);
  buffer_.clear();
}

void StateWriter::file(const std::filesystem::path& path) {
  const auto input = files_.open(path);
  value<std::uint64_t>(input->size());
  std::vector<char> piece(kBuffer);
  for (std::uint64_t left = input->size(), at = 0; left > 0;) {
    const auto part = std::span(piece).first(static_cast<std::size_t>(std::min<std::uint64_t>(left, kBuffer)));
    input->read_at(at, part);
    bytes(part);
    at += part.size();
    left -= part.size();
  }
}

void StateWriter::finish() {
  flush();
  const Checksum checksum = XXH3_64bits_digest(&hash_->state);
  file_->write({reinterpret_cast<const char*>(&checksum), sizeof(checksum)});
  file_->sync();
  file_->close();
}

StateReader::StateReader(FileSystem& files, const std::filesystem::path& path)
    : path_(path.string()), file_(files.open(path)) {
  if (file_->size() < sizeof(Checksum)) fail();
  end_ = file_->size() - sizeof(Checksum);
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  std::vector<char> piece(kPiece);
  for (std::uint64_t at = 0; at < end_;) {
    const auto part = std::span(piece).first(static_cast<std::size_t>(std::min<std::uint64_t>(end_ - at, kPiece)));
    file_->read_at(at, part);
    XXH3_64bits_update(&state, part.data(), part.size());
    at += part.size();
  }
  Checksum stored = 0;
  file_->read_at(end_, {reinterpret_cast<char*>(&stored), sizeof(stored)});
  if (stored != XXH3_64bits_digest(&state)) fail();
}

void StateReader::bytes(std::span<char> out) {
  if (out.size() > end_ - at_) fail();
  if (out.size() >= kBuffer) {
    file_->read_at(at_, out);
  } else if (!out.empty()) {
    if (at_ < buffer_at_ || at_ + out.size() > buffer_at_ + buffer_.size()) {
      buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(end_ - at_, kBuffer)));
      buffer_at_ = at_;
      file_->read_at(at_, buffer_);
    }
    std::memcpy(out.data(), buffer_.data() + (at_ - buffer_at_), out.size());
  }
  at_ += out.size();
}

std::size_t StateReader::count(std::size_t entry_bytes) {
  const auto count = value<std::uint64_t>();
  if (count > (end_ - at_) / entry_bytes) fail();
  return static_cast<std::size_t>(count);
}

bool StateReader::flag() {
  const auto byte = value<std::uint8_t>();
  if (byte > 1) fail();
  return byte == 1;
}

std::string StateReader::text() {
  std::string text(count(1), '\0');
  bytes(text);
  return text;
}

void StateReader::fail() const {
  throw Error(ErrorCode::corrupt, path_ + " is damaged (remove it to start that stage over)");
}

}  // namespace neardup::base
