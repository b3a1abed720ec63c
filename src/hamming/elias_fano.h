// How small can ascending numbers be kept so that they can still be searched?
//
// Elias-Fano: each number is cut in two. The low halves are packed side by side. The high halves, which ascend in
// small steps, are counted out in bits: a one for each number, a zero for each step up. That is within half a bit of
// what a random set of numbers must take.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace neardup::hamming {

// Memory: 64 - log2(n) + 2 bits a number when they are spread evenly, never more, and 1/16 of the 2 for the directory.
// Threads: const members may run concurrently.
class EliasFano {
 public:
  static constexpr std::string_view kName = "elias-fano";

  EliasFano() = default;
  // Precondition: ascending without repeats, fewer than 2^32.
  explicit EliasFano(std::span<const std::uint64_t> numbers);

  // One number after the other.
  class Reader {
   public:
    // False at the end.
    bool next(std::uint64_t& number) {
      if (place_ == all_->size_) return false;
      number = step();
      return true;
    }
    // Fills `out` and returns how many there were.
    std::size_t read(std::span<std::uint64_t> out) {
      const std::size_t count = out.size() < all_->size_ - place_ ? out.size() : all_->size_ - place_;
      Reader mine = *this;  // so that the compiler keeps it in registers
      for (std::size_t i = 0; i < count; ++i) out[i] = mine.step();
      *this = mine;
      return count;
    }
    [[nodiscard]] std::size_t place() const { return place_; }  // of the next one

   private:
    friend class EliasFano;
    Reader(const EliasFano& all, std::size_t place, std::uint64_t bit)
        : all_(&all), place_(place), word_(bit / 64), ones_(all.high_[word_] & (~std::uint64_t{0} << bit % 64)) {}

    std::uint64_t step() {
      while (ones_ == 0) ones_ = all_->high_[++word_];
      const std::uint64_t bit = word_ * 64 + static_cast<std::uint64_t>(std::countr_zero(ones_));
      ones_ &= ones_ - 1;
      const std::uint64_t high = bit - place_;
      return high << all_->low_bits_ | all_->low(place_++);
    }

    const EliasFano* all_;
    std::size_t place_;
    std::size_t word_;    // of the high halves
    std::uint64_t ones_;  // those of the word that were not read yet
  };

  [[nodiscard]] Reader begin() const { return {*this, 0, 0}; }
  // Begins with the first number that is not below `least`.
  [[nodiscard]] Reader from(std::uint64_t least) const;
  // The place of a number that is there.
  [[nodiscard]] std::size_t place_of(std::uint64_t number) const { return from(number).place(); }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::uint64_t memory_bytes() const;
  // What any `count` numbers take at most.
  static std::uint64_t most_bytes(std::size_t count);

 private:
  // The directory has the ones before every group of words.
  static constexpr std::size_t kWords = 8;

  [[nodiscard]] std::uint64_t low(std::size_t place) const {
    const std::uint64_t bit = place * low_bits_;
    const std::uint64_t* word = &low_[bit / 64];
    return (word[0] >> bit % 64 | word[1] << 1 << (63 - bit % 64)) & low_mask_;
  }
  // The bit of zero number `rank`, counted from 0.
  [[nodiscard]] std::uint64_t select_zero(std::uint64_t rank) const;
  // The same when it is known to be the first one from `bit` on, and so close to it as a rule.
  [[nodiscard]] std::uint64_t zero_from(std::uint64_t bit, std::uint64_t rank) const;

  std::size_t size_ = 0;
  unsigned low_bits_ = 0;
  std::uint64_t low_mask_ = 0;
  std::uint64_t largest_ = 0;
  std::vector<std::uint64_t> low_;      // two words more than needed
  std::vector<std::uint64_t> high_{0};  // ends in a zero
  std::vector<std::uint32_t> ones_;     // the directory
};

}  // namespace neardup::hamming
