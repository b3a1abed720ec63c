#include <gtest/gtest.h>

#include "base/random.h"
#include "hamming/kinds.h"
#include "neardup/error.h"

namespace neardup::test {
namespace {

std::vector<std::uint64_t> random_codes(std::size_t count) {
  base::Random random(3);
  std::vector<std::uint64_t> codes(count);
  for (std::uint64_t& code : codes) code = random.next();
  return codes;
}

// An index of random fingerprints can be built with what is said to be needed, and takes no more.
void expect_to_suffice(HammingOptions options) {
  for (const std::size_t rows : {0u, 1u, 1000u, 5000u, 70'000u, 400'000u}) {
    options.memory_bytes = hamming::memory_need(options).bytes(rows) + 1;  // 0 would mean anything
    const auto index = build_hamming_index(random_codes(rows), options, {});
    EXPECT_LE(index->memory_bytes(), options.memory_bytes)
        << options.kind << " " << options.design << " " << options.code << " of " << rows;
  }
}

TEST(MemoryNeed, SufficesForEveryKind) {
  for (const HammingKind& kind : hamming_kinds()) expect_to_suffice({.kind = std::string(kind.name)});
}

TEST(MemoryNeed, SufficesForEveryDesignOfTables) {
  for (const char* design : {"4", "10", "16", "20"}) {
    expect_to_suffice({.kind = "block-tables", .design = design});
    for (const char* code : {"huffman", "elias-fano"})
      expect_to_suffice({.kind = "compressed-tables", .design = design, .code = code});
  }
}

TEST(MemoryNeed, SufficesForHeadersOfAnyWidth) {
  for (const unsigned bits : {16u, 20u, 26u}) expect_to_suffice({.kind = "volatile-bits", .header_bits = bits});
}

TEST(MemoryNeed, GrowsWithTheRows) {
  for (const HammingKind& kind : hamming_kinds()) {
    const hamming::MemoryNeed need = hamming::memory_need({.kind = std::string(kind.name)});
    EXPECT_EQ(need.bytes(1000) - need.bytes(0), 1000 * need.row) << kind.name;
  }
}

TEST(MemoryNeed, OfAKindThatDoesNotExistIsRefused) { EXPECT_THROW(hamming::memory_need({.kind = "none"}), Error); }

}  // namespace
}  // namespace neardup::test
