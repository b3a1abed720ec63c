// How is a sorted table of fingerprints coded by the differences of neighbours?
//
// Neighbours agree in their leading bits. So each is written as the position of the highest bit in which it differs
// from the one before, in a Huffman code made for the table, and the bits below that one. (Manku, Jain, Das Sarma 2007,
// section 3.2.) Blocks of 1024 bytes start over and are found by their keys.
//
// A block's key is its first fingerprint, which is among the keys only: a copy in the block, and the last one as
// the key, would cost 64 bits a block and tell nothing. Where a block ends shows itself: the next fingerprint was begun
// and cut off, so that a reader of its length sees that it does not fit.
//
// Two slips of the paper: two equal neighbours differ nowhere and have no code (here fingerprints are different ones);
// the fingerprint a block begins with takes f bits, not 8f.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace neardup::hamming {

// A code for 64 symbols with words of 12 bits at most, so that one look at a table of 4096 reads any of them.
class HuffmanCode {
 public:
  static constexpr unsigned kMostLength = 12;
  struct Word {
    std::uint16_t bits = 0;  // the lowest comes first
    std::uint8_t length = 0;
  };
  struct Read {
    std::uint8_t symbol = 0, length = 0;
  };

  HuffmanCode() = default;
  // The shortest code for symbols of these frequencies; those that never occur have none.
  explicit HuffmanCode(const std::array<std::uint64_t, 64>& frequencies);

  [[nodiscard]] const Word& word(unsigned symbol) const { return words_[symbol]; }
  [[nodiscard]] Read read(std::uint64_t bits) const { return reads_[bits & (reads_.size() - 1)]; }
  [[nodiscard]] std::uint64_t memory_bytes() const { return reads_.size() * sizeof(Read); }

 private:
  std::array<Word, 64> words_{};
  std::vector<Read> reads_ = std::vector<Read>(1);  // by the next bits; 2^(longest word)
};

// Memory: 64 - log2(n) + 3.7 bits a fingerprint when they are spread evenly. Threads: const members may run
// concurrently.
class HuffmanBlocks {
 public:
  static constexpr std::string_view kName = "huffman";
  static constexpr std::size_t kBlockBytes = 1024;

  HuffmanBlocks() = default;
  // Precondition: ascending without repeats, fewer than 2^32.
  explicit HuffmanBlocks(std::span<const std::uint64_t> codes);

  // One fingerprint after the other, block by block.
  class Reader {
   public:
    // False at the end.
    bool next(std::uint64_t& code) {
      if (at_end()) return false;
      code = code_;
      advance();
      return true;
    }
    // Fills `out` and returns how many there were.
    std::size_t read(std::span<std::uint64_t> out) {
      Reader mine = *this;  // so that the compiler keeps it in registers
      std::size_t count = 0;
      while (count < out.size() && mine.next(out[count])) ++count;
      *this = mine;
      return count;
    }
    [[nodiscard]] std::size_t place() const { return place_; }  // of the next one

   private:
    friend class HuffmanBlocks;
    Reader(const HuffmanBlocks& all, std::size_t block) : all_(&all), place_(all.place_of_block(block)) {
      begin_block(block);
    }

    [[nodiscard]] bool at_end() const { return block_ == all_->keys_.size(); }
    void begin_block(std::size_t block) {
      block_ = block;
      bit_ = block * kBlockBits;
      if (!at_end()) code_ = all_->keys_[block];
    }
    void advance() {
      ++place_;
      if (code_ == all_->largest_) {
        block_ = all_->keys_.size();
        return;
      }
      const std::uint64_t bits = all_->peek(bit_);
      const HuffmanCode::Read read = all_->code_.read(bits);
      const unsigned below = read.symbol, length = below + read.length;
      if (bit_ + length > (block_ + 1) * kBlockBits) {
        begin_block(block_ + 1);
        return;
      }
      const std::uint64_t rest = length <= 64 ? bits >> read.length : all_->peek(bit_ + read.length);
      bit_ += length;
      code_ = (code_ >> below | 1) << below | (rest & ((std::uint64_t{1} << below) - 1));
    }

    const HuffmanBlocks* all_;
    std::size_t place_;
    std::size_t block_ = 0;
    std::uint64_t bit_ = 0;
    std::uint64_t code_ = 0;  // the next one
  };

  [[nodiscard]] Reader begin() const { return {*this, 0}; }
  // Begins with the first code that is not below `least`.
  [[nodiscard]] Reader from(std::uint64_t least) const;
  // The place of a code that is there.
  [[nodiscard]] std::size_t place_of(std::uint64_t code) const { return from(code).place(); }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::uint64_t memory_bytes() const;
  // What any `count` codes take at most.
  static std::uint64_t most_bytes(std::size_t count);

 private:
  static constexpr std::uint64_t kBlockBits = 8 * kBlockBytes;
  // A code takes a bit at least, so that the places within so many blocks are told by 16.
  static constexpr std::size_t kBlocksTogether = 7;

  [[nodiscard]] std::uint64_t peek(std::uint64_t bit) const {
    const std::uint64_t* word = &words_[bit / 64];
    return word[0] >> bit % 64 | word[1] << 1 << (63 - bit % 64);
  }
  // Of its first code; size() for the block after the last.
  [[nodiscard]] std::size_t place_of_block(std::size_t block) const {
    return block == keys_.size() ? size_ : places_[block / kBlocksTogether] + steps_[block];
  }

  std::size_t size_ = 0;
  std::uint64_t largest_ = 0;
  HuffmanCode code_;
  std::vector<std::uint64_t> words_;   // of all blocks, and one more
  std::vector<std::uint64_t> keys_;    // by block: its first code
  std::vector<std::uint32_t> places_;  // by kBlocksTogether blocks: of the first code
  std::vector<std::uint16_t> steps_;   // by block: how far its first code is from there
};

}  // namespace neardup::hamming
