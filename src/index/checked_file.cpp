#include "index/checked_file.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "index/bytes.h"
#include "neardup/error.h"

namespace neardup::indexing {
namespace {

constexpr std::string_view kFooterMagic = "NDFOOT01";
constexpr std::uint64_t kFooterBytes = 24;

std::string_view block_of(std::string_view body, std::uint64_t block, unsigned bits) {
  return body.substr(block << bits, std::size_t{1} << bits);
}

std::uint64_t footer_checksum(std::string_view checksums, std::uint64_t body_bytes) {
  return XXH3_64bits_withSeed(checksums.data(), checksums.size(), body_bytes);
}

}  // namespace

std::uint64_t checksum(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

CheckedBytes CheckedBytes::hold(std::string body, std::string name) {
  CheckedBytes held;
  held.name_ = std::move(name);
  held.held_ = std::make_unique<std::string>(std::move(body));
  held.body_ = *held.held_;
  return held;
}

CheckedBytes CheckedBytes::open(FileSystem& files, const std::filesystem::path& path) {
  CheckedBytes opened;
  opened.name_ = path.string();
  opened.file_ = files.map(path);
  const std::string_view all(opened.file_->bytes().data(), opened.file_->bytes().size());
  if (all.size() < kFooterBytes || !all.ends_with(kFooterMagic)) opened.fail("the footer is missing");
  RowReader footer(all.substr(all.size() - kFooterBytes), "the footer");
  const std::uint64_t body_bytes = footer.fixed(), expected = footer.fixed();
  const std::uint64_t blocks =
      body_bytes / (std::uint64_t{1} << kBlockBits) + (body_bytes % (1u << kBlockBits) ? 1 : 0);
  if (body_bytes > all.size() || blocks * sizeof(std::uint64_t) + body_bytes + kFooterBytes != all.size())
    opened.fail("the size does not fit");
  const std::string_view checksums = all.substr(body_bytes, blocks * sizeof(std::uint64_t));
  if (footer_checksum(checksums, body_bytes) != expected) opened.fail("wrong checksum of the footer");
  opened.body_ = all.substr(0, body_bytes);
  opened.checksums_.resize(blocks);
  std::memcpy(opened.checksums_.data(), checksums.data(), checksums.size());
  opened.checked_ = std::make_unique<std::atomic<std::uint8_t>[]>(blocks);
  return opened;
}

void CheckedBytes::check(std::uint64_t block) const {
  if (block >= checksums_.size()) fail("it is too short");
  if (checksum(block_of(body_, block, kBlockBits)) != checksums_[block])
    fail(fmt::format("wrong checksum of block {}", block));
  checked_[block].store(1, std::memory_order_release);
}

void CheckedBytes::check_all() const {
  for (std::uint64_t block = 0; block < checksums_.size(); ++block) check(block);
}

void CheckedBytes::fail(std::string_view why) const {
  throw Error(ErrorCode::corrupt, fmt::format("{}: damaged: {}", name_, why));
}

void replace_file(FileSystem& files, const std::filesystem::path& path, std::string_view bytes) {
  std::filesystem::path temporary = path;
  temporary += ".new";
  if (files.exists(temporary)) files.remove(temporary);
  const std::unique_ptr<OutputFile> out = files.create(temporary);
  out->write({bytes.data(), bytes.size()});
  out->sync();
  out->close();
  files.rename(temporary, path);
  files.sync(path.parent_path());
}

void write_checked_file(FileSystem& files, const std::filesystem::path& path, std::string_view body) {
  assert(body.size() % sizeof(std::uint64_t) == 0);
  std::filesystem::path temporary = path;
  temporary += ".new";
  if (files.exists(temporary)) files.remove(temporary);
  constexpr unsigned kBits = 16;
  std::string checksums;
  for (std::uint64_t at = 0; at < body.size(); at += std::uint64_t{1} << kBits)
    append_fixed(checksums, checksum(block_of(body, at >> kBits, kBits)));
  std::string footer;
  append_fixed(footer, body.size());
  append_fixed(footer, footer_checksum(checksums, body.size()));
  footer += kFooterMagic;
  const std::unique_ptr<OutputFile> out = files.create(temporary);
  for (const std::string_view part : {body, std::string_view(checksums), std::string_view(footer)})
    out->write({part.data(), part.size()});
  out->sync();
  out->close();
  files.rename(temporary, path);
  files.sync(path.parent_path());
}

}  // namespace neardup::indexing
