// How is damage of a large file noticed without reading all of it?
//
// The body is cut into blocks of 64 KiB. Behind it there is a checksum for every block, and then a footer. A block is
// compared with its checksum when it is first used.
//
//   body, padded with zeros to a multiple of 8 | u64 checksum of each block | u64 body bytes | u64 checksum of the
//   checksums and of the body's size | 8 bytes "NDFOOT01"
//
// Checksums are XXH3 with 64 bits.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/files.h"

namespace neardup::indexing {

std::uint64_t checksum(std::string_view bytes);

// Threads: const members may run concurrently.
class CheckedBytes {
 public:
  // A file; throws Error{corrupt} when the footer does not fit.
  static CheckedBytes open(FileSystem&, const std::filesystem::path&);
  // Bytes in memory, which need no checks.
  static CheckedBytes hold(std::string body, std::string name);

  [[nodiscard]] std::uint64_t size() const { return body_.size(); }
  [[nodiscard]] bool is_file() const { return file_ != nullptr; }
  [[nodiscard]] const std::string& name() const { return name_; }
  // Bytes that were compared with their checksums. Throws Error{corrupt} when they differ, or are not there.
  [[nodiscard]] const char* at(std::uint64_t offset, std::uint64_t bytes) const {
    const std::uint64_t last = offset + bytes - (bytes > 0 ? 1 : 0);
    if (checksums_.empty()) return body_.data() + offset;
    for (std::uint64_t block = offset >> kBlockBits; block <= last >> kBlockBits; ++block) {
      if (checked_[block].load(std::memory_order_acquire) == 0) check(block);
    }
    return body_.data() + offset;
  }
  // Brings bytes into the cache; they need not be checked yet.
  void prefetch(std::uint64_t offset) const { __builtin_prefetch(body_.data() + offset); }
  // Compares everything.
  void check_all() const;
  [[noreturn]] void fail(std::string_view why) const;

 private:
  static constexpr unsigned kBlockBits = 16;
  void check(std::uint64_t block) const;

  std::string name_;
  std::unique_ptr<MappedFile> file_;
  std::unique_ptr<std::string> held_;
  std::string_view body_;
  std::vector<std::uint64_t> checksums_;                  // empty: nothing to check
  std::unique_ptr<std::atomic<std::uint8_t>[]> checked_;  // by block
};

// Appends checksums and footer to a body whose size is a multiple of 8, and writes all under a temporary name; the file
// has its final name, and is on disk, when this returns.
void write_checked_file(FileSystem&, const std::filesystem::path&, std::string_view body);
// The same for a small file as it is: whoever reads sees the old bytes or the new ones.
void replace_file(FileSystem&, const std::filesystem::path&, std::string_view bytes);

}  // namespace neardup::indexing
