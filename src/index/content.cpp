#include "index/content.h"

#include <algorithm>
#include <bit>

namespace neardup::indexing {
namespace {

// High bits of n features fill about n places.
unsigned low_bits(std::uint64_t features) { return 64u - static_cast<unsigned>(std::bit_width(features)); }
std::uint64_t low_bytes(std::uint64_t features) { return (features * low_bits(features) + 7) / 8; }
std::uint64_t high_bytes(std::uint64_t features) {
  return (features + (std::uint64_t{1} << (64 - low_bits(features))) + 7) / 8;
}

// The `width` bits at a bit offset; `bytes` has eight more bytes behind.
std::uint64_t bits_at(const char* bytes, std::uint64_t offset, unsigned width) {
  std::uint64_t low = 0;
  std::memcpy(&low, bytes + offset / 8, sizeof(low));
  const unsigned shift = offset % 8;
  std::uint64_t value = low >> shift;
  if (shift + width > 64) {
    value |= std::uint64_t{static_cast<unsigned char>(bytes[offset / 8 + 8])} << (64 - shift);
  }
  return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

}  // namespace

void append_set(std::string& out, std::span<const Feature> ascending) {
  const std::uint64_t count = ascending.size();
  append_varint(out, count);
  if (count == 0) return;
  const unsigned low = low_bits(count);
  const std::size_t begin = out.size();
  out.resize(begin + low_bytes(count) + high_bytes(count) + 9);  // room for whole words
  char* const lows = out.data() + begin;
  char* const highs = lows + low_bytes(count);
  const std::uint64_t mask = (std::uint64_t{1} << low) - 1;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t place = (ascending[i] >> low) + i;
    highs[place / 8] = static_cast<char>(static_cast<unsigned char>(highs[place / 8]) | 1u << (place % 8));
  }
  // The packed bits may spill into the high part, which is therefore kept aside.
  std::string packed(low_bytes(count) + 16, '\0');
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t offset = i * low;
    std::uint64_t word = 0;
    std::memcpy(&word, packed.data() + offset / 8, sizeof(word));
    const unsigned shift = offset % 8;
    word |= (ascending[i] & mask) << shift;
    std::memcpy(packed.data() + offset / 8, &word, sizeof(word));
    if (shift + low > 64) packed[offset / 8 + 8] = static_cast<char>((ascending[i] & mask) >> (64 - shift));
  }
  std::memcpy(lows, packed.data(), low_bytes(count));
  out.resize(begin + low_bytes(count) + high_bytes(count));
}

void read_set(RowReader& row, std::vector<Feature>& out) {
  const std::uint64_t count = row.varint();
  out.clear();
  if (count == 0) return;
  if (count > row.rest().size()) row.fail();  // a feature takes more than a byte
  const unsigned low = low_bits(count);
  // Whole words are read at the end too, so the bytes are copied where the row ends soon behind them.
  const std::string_view lows = row.take(low_bytes(count));
  const std::string_view highs = row.take(high_bytes(count));
  std::string padded;
  const char* packed = lows.data();
  if (highs.size() < 9) {
    padded.assign(lows);
    padded.append(9, '\0');
    packed = padded.data();
  }
  out.resize(count);
  std::uint64_t found = 0;
  for (std::size_t byte = 0; byte < highs.size(); ++byte) {
    for (auto bits = static_cast<unsigned>(static_cast<unsigned char>(highs[byte])); bits != 0; bits &= bits - 1) {
      const std::uint64_t place = byte * 8 + static_cast<unsigned>(std::countr_zero(bits));
      if (found == count || place - found >= std::uint64_t{1} << (64 - low)) row.fail();
      out[found] = (place - found) << low | bits_at(packed, found * low, low);
      if (found > 0 && out[found] <= out[found - 1]) row.fail();
      ++found;
    }
  }
  if (found != count) row.fail();
}

std::uint64_t set_size(std::string_view row) { return RowReader(row, "units").varint(); }

std::optional<double> ContentRules::score(const Content& a, const Content& b) const {
  if (compares_sets()) return verifier_.verify(a.set, b.set);
  if (!definition_.lengths_agree(a.length, b.length)) return std::nullopt;
  return verifier_.verify(a.bits, b.bits);
}

void ContentRules::append(std::string& out, const Content& content) const {
  if (compares_sets()) return append_set(out, content.set);
  append_fixed(out, content.bits);
  if (definition_.length_ratio.num != 0) append_varint(out, content.length);
}

Content ContentRules::read(RowReader& row) const {
  Content content;
  if (compares_sets()) {
    read_set(row, content.set);
  } else {
    content.bits = row.fixed();
    if (definition_.length_ratio.num != 0) content.length = row.varint();
  }
  return content;
}

}  // namespace neardup::indexing
