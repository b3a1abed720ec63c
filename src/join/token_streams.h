// Where do the tokens of many sets wait until all of them have come?
//
// Whoever asks how often a token occurs needs a table of all tokens, and a table that does not fit the caches makes
// every question wait for memory. So tokens are sorted by their first bits while they come: a partition has all tokens
// that begin alike, and what is asked of its tokens later needs a table for that partition only.
//
// A token takes eight bytes. Its first bits are its partition's; in their place stands how much the number of its set
// exceeds that of the token before it in the stream. Each thread writes streams of its own, one a partition.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "base/mapped_memory.h"
#include "neardup/memory.h"

namespace neardup::joins {

class TokenStreams {
 public:
  static constexpr std::size_t kBlockWords = 1024;

  // Some words of a stream.
  struct Block {
    std::uint64_t* words;
    std::uint32_t count;
  };
  using Stream = std::vector<Block>;
  // What a thread wrote while the numbers of its sets ascended.
  struct Run {
    unsigned side = 0;
    std::uint32_t last_number = 0;
    std::vector<Stream> streams;  // by partition
  };

  // For about so many tokens of sets on one or two sides. Drops everything when they take more than `most_bytes`, or
  // the budget of `memory` has no room for them.
  TokenStreams(unsigned sides, std::uint64_t expected_tokens, std::uint64_t most_bytes, Reservation memory);

  // What so many tokens take, about.
  static std::uint64_t bytes_for(std::uint64_t tokens) { return tokens * sizeof(std::uint64_t) + kSlabBytes; }

  // Brings sets to the streams of one thread; the last ones are there when it is gone.
  class Writer {
   public:
    Writer(TokenStreams& streams, unsigned side);
    ~Writer() { end_run(); }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    // A set without repeats. Ascending tokens are written fastest.
    void add(std::uint32_t number, std::span<const std::uint64_t> set);

   private:
    // Where a stream goes on.
    struct Tail {
      std::uint64_t* at = nullptr;
      std::uint32_t left = 0;  // words of its block
      std::uint32_t last_number = 0;
    };
    void start_run(std::uint32_t number);
    void end_run();
    bool extend(std::size_t partition);
    void close(std::size_t partition);

    TokenStreams& streams_;
    unsigned side_;
    bool is_writing_ = false;
    Run run_;
    std::vector<Tail> tails_;
    std::uint64_t *free_ = nullptr, *free_end_ = nullptr;  // of a slab
  };

  // Whether all that was written is there.
  [[nodiscard]] bool is_complete() const { return !is_dropped_; }
  [[nodiscard]] std::size_t memory_bytes() const { return memory_.bytes(); }
  void clear();

  // After the last writer: for one thread a partition.
  [[nodiscard]] unsigned sides() const { return sides_; }
  [[nodiscard]] std::size_t partitions() const { return std::size_t{1} << bits_; }
  [[nodiscard]] std::vector<Run>& runs() { return runs_; }
  [[nodiscard]] std::uint64_t numbers(unsigned side) const;        // all are below
  [[nodiscard]] std::uint64_t words(std::size_t partition) const;  // at least as many as tokens

  // Tells what stands in a stream, word by word from the first on.
  class Decoder {
   public:
    Decoder(const TokenStreams& streams, std::size_t partition)
        : shift_(streams.shift_), start_(static_cast<std::uint64_t>(partition) << streams.shift_) {}
    // False when the word only says where numbers go on.
    bool next(std::uint64_t word) {
      const std::uint64_t step = word >> shift_;
      rest_ = word & ((std::uint64_t{1} << shift_) - 1);
      if (step == ~std::uint64_t{0} >> shift_) [[unlikely]] {
        number_ = static_cast<std::uint32_t>(word);
        return false;
      }
      number_ += static_cast<std::uint32_t>(step);
      return true;
    }
    [[nodiscard]] std::uint32_t number() const { return number_; }
    [[nodiscard]] std::uint64_t token() const { return start_ | rest_; }
    [[nodiscard]] std::uint64_t rest() const { return rest_; }  // without the partition's bits

   private:
    unsigned shift_;
    std::uint64_t start_, rest_ = 0;
    std::uint32_t number_ = 0;
  };
  [[nodiscard]] unsigned rest_bits() const { return shift_; }

  // Calls read(word) with every word of a stream, in order.
  template <class Read>
  static void for_each(const Stream& stream, Read&& read) {
    for (std::size_t block = 0; block < stream.size(); ++block)
      for (const std::uint64_t *at = stream[block].words, *end = at + stream[block].count; at != end; ++at) read(*at);
  }

  // Puts other words in place of those of a stream, no more than were read so far. In the end all blocks but the last
  // are full.
  class Rewriter {
   public:
    explicit Rewriter(Stream& stream) : stream_(stream) {}
    void put(std::uint64_t word) {
      if (place_ == kBlockWords) {
        ++block_;
        place_ = 0;
      }
      stream_[block_].words[place_++] = word;
    }
    void finish() {
      if (stream_.empty()) return;
      stream_.resize(place_ > 0 ? block_ + 1 : 0);
      for (Block& block : stream_) block.count = kBlockWords;
      if (!stream_.empty()) stream_.back().count = static_cast<std::uint32_t>(place_);
    }

   private:
    Stream& stream_;
    std::size_t block_ = 0, place_ = 0;
  };

 private:
  static constexpr std::size_t kSlabBytes = std::size_t{4} << 20;

  // Null when there is no room.
  std::uint64_t* add_slab();

  unsigned sides_, bits_, shift_;
  std::uint64_t most_bytes_;
  std::mutex mutex_;
  std::vector<base::MappedMemory> slabs_;
  std::vector<Run> runs_;
  Reservation memory_;
  std::atomic<bool> is_dropped_ = false;
};

}  // namespace neardup::joins
