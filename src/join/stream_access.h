// How does StreamedSets read a stream from the middle, and write one back?
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "join/token_streams.h"

namespace neardup::joins {

// Where a stream goes on being read. All blocks but the last are full.
class Cursor {
 public:
  // At the first word of a set from `set` on: words ascend.
  Cursor(const TokenStreams::Stream& stream, std::uint32_t set) : stream_(&stream) {
    for (std::size_t last = stream.size(); block_ < last;) {
      const std::size_t middle = block_ + (last - block_) / 2;
      const TokenStreams::Block& block = stream[middle];
      if (block.words[block.count - 1] >> 32 < set) {
        block_ = middle + 1;
      } else {
        last = middle;
      }
    }
    if (block_ == stream.size()) return;
    const TokenStreams::Block& block = stream[block_];
    place_ = static_cast<std::uint32_t>(std::partition_point(block.words, block.words + block.count,
                                                             [&](std::uint64_t word) { return word >> 32 < set; }) -
                                        block.words);
  }
  // Calls take(word) with the words of sets before `end`.
  template <class Take>
  void read(std::uint32_t end, const Take& take) {
    for (; block_ < stream_->size(); ++block_, place_ = 0) {
      const TokenStreams::Block& block = (*stream_)[block_];
      for (; place_ < block.count; ++place_) {
        if (block.words[place_] >> 32 >= end) return;
        take(block.words[place_]);
      }
    }
  }

 private:
  const TokenStreams::Stream* stream_;
  std::size_t block_ = 0;
  std::uint32_t place_ = 0;
};

// Puts some of the tokens of a stream back into it, in order. Leaving tokens out makes steps longer, which takes no
// more words than were read: a step that a word cannot say stands for several words, or for one that said so before.
class Encoder {
 public:
  Encoder(const TokenStreams& streams, TokenStreams::Stream& stream) : shift_(streams.rest_bits()), out_(stream) {}
  void put(std::uint32_t number, std::uint64_t rest) {
    const std::uint64_t no_step = ~std::uint64_t{0} >> shift_;
    std::uint64_t step = number - last_number_;
    if (step >= no_step) [[unlikely]] {
      out_.put(no_step << shift_ | number);
      step = 0;
    }
    out_.put(step << shift_ | rest);
    last_number_ = number;
  }
  void finish() { out_.finish(); }

 private:
  unsigned shift_;
  std::uint32_t last_number_ = 0;
  TokenStreams::Rewriter out_;
};

}  // namespace neardup::joins
