// Where are bytes kept that may not fit in memory, and how is any of them read again?
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/system.h"
#include "neardup/context.h"
#include "neardup/files.h"

namespace neardup::passages {

// Bytes that are appended and then read at any place. They stay in memory up to a limit; beyond it all of them are in a
// temporary file. Threads: append() one at a time; after finish() the const members may run concurrently.
class Spool {
 public:
  // The context must outlive it.
  Spool(const Context&, std::size_t most_in_memory, std::size_t chunk_bytes = std::size_t{1} << 20);
  ~Spool();
  Spool(Spool&&) noexcept;

  [[nodiscard]] std::uint64_t size() const { return size_; }
  // Returns where the bytes begin.
  std::uint64_t append(std::string_view bytes);
  // There are no more bytes.
  void finish();

  // The bytes from `at` on, as many as lie together but at most `most`; at least one. Uses `buffer` only for a file.
  [[nodiscard]] std::string_view read(std::uint64_t at, std::size_t most, std::string& buffer) const;
  // All of these bytes, in `buffer` unless they lie together.
  [[nodiscard]] std::string_view read_whole(std::uint64_t at, std::size_t size, std::string& buffer) const;
  [[nodiscard]] bool is_in_memory() const { return file_path_.empty(); }

 private:
  void spill();
  void flush_chunk();

  const Context* context_;
  std::size_t most_in_memory_, chunk_bytes_;
  std::uint64_t size_ = 0, written_ = 0;
  std::vector<std::string> chunks_;  // each full but the last
  std::unique_ptr<base::TempFolder> folder_;
  std::filesystem::path file_path_;
  std::unique_ptr<OutputFile> out_;
  std::unique_ptr<InputFile> in_;
  Reservation memory_;
};

// Compares bytes with those of a spool, which it reads in blocks. Threads: one per thread.
class SpoolComparer {
 public:
  explicit SpoolComparer(const Spool& spool) : spool_(spool) {}
  // Whether the bytes from `at` on are these. Places outside of the spool are not.
  bool equal(std::uint64_t at, std::string_view bytes);

 private:
  static constexpr std::size_t kBlock = std::size_t{16} << 10, kBlocks = 256;
  std::string_view from(std::uint64_t at);

  struct Block {
    std::uint64_t number = ~std::uint64_t{0};
    std::string bytes;
  };
  const Spool& spool_;
  std::vector<Block> blocks_;  // none while the spool is in memory
};

}  // namespace neardup::passages
