#include "hamming/line_table.h"

#include <cassert>
#include <cmath>

namespace neardup::hamming {
namespace {

constexpr unsigned kMostSlots = 11;

}  // namespace

LineStore::LineStore(unsigned line_bits)
    : line_bits_(line_bits),
      residue_bits_(32 - line_bits),
      slots_(slots_at(line_bits)),
      lines_(std::size_t{1} << line_bits) {
  assert(line_bits >= kLeastBits && line_bits <= kMostBits);
}

unsigned LineStore::slots_at(unsigned line_bits) { return std::min(kMostSlots, kResidueRoom / (32 - line_bits)); }

void LineStore::finish() {
  // Entries came in some order; those of one line keep it.
  std::stable_sort(spilled_.begin(), spilled_.end(),
                   [](const Spilled& a, const Spilled& b) { return a.place.line < b.place.line; });
  std::size_t lists = 0;
  for (std::size_t i = 0; i < spilled_.size(); ++i)
    lists += i == 0 || spilled_[i].place.line != spilled_[i - 1].place.line;
  const std::size_t room = spilled_.size() + 2 * lists + (lists == 0 ? 0 : kPastList);
  overflow_others_.reserve(room);
  overflow_residues_.reserve(room);
  const auto add = [&](std::uint32_t residue, std::uint32_t other_half) {
    overflow_residues_.push_back(static_cast<std::uint16_t>(residue));
    overflow_others_.push_back(other_half);
  };

  std::size_t next = 0;
  Entry start = 0;
  for (std::uint32_t number = 0; number < lines_.size(); ++number) {
    Line& line = lines_[number];
    line.start = start;
    start += line.rest[3] >> kCountShift;
    if (next == spilled_.size() || spilled_[next].place.line != number) continue;
    std::size_t last = next;
    while (last < spilled_.size() && spilled_[last].place.line == number) ++last;
    start += static_cast<Entry>(last - next);
    const std::uint32_t last_slot = slots_ - 1;
    const auto list = static_cast<std::uint32_t>(overflow_others_.size());
    const auto length = static_cast<std::uint32_t>(last - next + 1);
    add(0, length);
    add(residue(number, last_slot), line.others[last_slot]);  // makes way for the pointer
    for (; next < last; ++next) add(spilled_[next].place.residue, spilled_[next].other_half);
    line.others[last_slot] = list;
    line.rest[3] -= 1u << kCountShift;
    line.rest[3] |= 1u << kFlagShift;
    overflowing_ += length;
  }
  size_ = start;
  for (std::size_t number = 0; number < lines_.size(); ++number) {
    const Entry end = number + 1 < lines_.size() ? lines_[number + 1].start : start;
    const double length = end - lines_[number].start;
    sum_of_squares_ += length * length;
  }
  if (lists != 0) {
    overflow_others_.insert(overflow_others_.end(), kPastList, 0);
  }
  spilled_ = {};
}

LineStore::Overflow LineStore::overflow(std::uint32_t line) const {
  const std::uint32_t list = lines_[line].others[slots_ - 1], length = overflow_others_[list];
  return {std::span(overflow_others_).subspan(list + 1, length),
          std::span(overflow_residues_).subspan(list + 1, length), lines_[line].start + slots_ - 1};
}

std::uint64_t LineStore::memory_bytes() const {
  return lines_.size() * sizeof(Line) + overflow_others_.capacity() * sizeof(std::uint32_t) +
         overflow_residues_.capacity() * sizeof(std::uint16_t);
}

std::uint64_t LineStore::expected_bytes(unsigned line_bits, std::uint64_t entries) {
  // The number of entries a line gets is then a Poisson variable.
  const double lines = static_cast<double>(std::uint64_t{1} << line_bits), mean = static_cast<double>(entries) / lines;
  const unsigned slots = slots_at(line_bits);
  constexpr double kCrowded = 1.5;  // near-duplicates like to share lines
  double probability = std::exp(-mean), listed = 0;
  for (unsigned count = 0; count < 16 * kMostSlots; ++count) {
    if (count > slots) listed += probability * (count - slots + 2);  // one made way, and the list has a length
    probability *= mean / (count + 1);
  }
  return (std::uint64_t{64} << line_bits) + static_cast<std::uint64_t>(listed * lines * 6 * kCrowded) + 6 * kPastList;
}

unsigned LineStore::suitable_bits(std::uint64_t entries) {
  constexpr double kFull = 0.68;  // of the slots; more and too many lines overflow
  unsigned bits = kLeastBits;
  const auto room = [&] { return kFull * slots_at(bits) * static_cast<double>(std::uint64_t{1} << bits); };
  while (bits<kMostBits&& static_cast<double>(entries)> room()) ++bits;
  return bits;
}

}  // namespace neardup::hamming
