#include "hamming/csr_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "base/parallel.h"
#include "hamming/compare_all.h"
#include "hamming/partition.h"

namespace neardup::hamming {
namespace {

constexpr std::array<unsigned, CsrTables::kParts + 1> kPartLow = {0, 10, 21, 32};

unsigned part_of(std::uint32_t one_bit) {
  const auto bit = static_cast<unsigned>(std::countr_zero(one_bit));
  return bit < kPartLow[1] ? 0 : bit < kPartLow[2] ? 1 : 2;
}

}  // namespace

CsrTables::Split::Split(unsigned table, unsigned most_key_bits)
    : shift_(table < kParts ? 32 : 0),
      low_(kPartLow[table % kParts]),
      width_(kPartLow[table % kParts + 1] - low_),
      first_(table % kParts == 0),
      key_bits_(std::min(32 - width_, most_key_bits)),
      dropped_(32 - width_ - key_bits_) {}

std::uint64_t CsrTables::Split::code(std::uint32_t key, std::uint32_t residue, std::uint32_t other) const {
  const std::uint32_t both = key << dropped_ | residue >> width_;
  const std::uint64_t above = std::uint64_t{both >> low_} << (low_ + width_);
  const std::uint64_t mine =
      above | std::uint64_t{residue & ((1u << width_) - 1)} << low_ | (both & ((1u << low_) - 1));
  return mine << shift_ | std::uint64_t{other} << (32 - shift_);
}

bool CsrTables::Split::owns(std::uint64_t different) const {
  const std::uint32_t mine = half(different);
  if ((mine & (mine - 1)) != 0) return false;
  if (shift_ == 0 && std::popcount(other(different)) <= 1) return false;
  return mine == 0 ? first_ : kPartLow[part_of(mine)] == low_;
}

CsrTables::CsrTables(std::span<const std::uint64_t> codes, unsigned most_key_bits, const Context& context)
    : most_key_bits_(most_key_bits), size_(codes.size()) {
  base::ZeroedArray<std::uint64_t> scratch(codes.size());
  tables_.reserve(kTables);
  for (unsigned table = 0; table < kTables; ++table) {
    const Split split(table, most_key_bits);
    tables_.push_back({split, base::ZeroedArray<std::uint32_t>((std::size_t{1} << split.key_bits()) + 1),
                       base::ZeroedArray<std::uint32_t>(codes.size() + kPastList),
                       base::ZeroedArray<std::uint16_t>(codes.size())});
    fill(table == kNumbering, codes, {scratch.data(), scratch.size()}, context);
  }
}

void CsrTables::fill(bool in_order, std::span<const std::uint64_t> codes, std::span<std::uint64_t> scratch,
                     const Context& context) {
  Table& table = tables_.back();
  // Leading bits of the key first; what shares them fits the cache, where the rest of the key is a matter of counting.
  const Split& split = table.split;
  const unsigned rest = split.key_bits() - kDigitBits;
  const auto digit_of = [&](std::uint64_t code) { return split.key(code) >> rest; };
  DigitStarts starts{};
  std::span<const std::uint64_t> grouped = scratch;
  if (in_order) {
    grouped = codes;
    for (std::size_t digit = 0; digit <= kDigits; ++digit) {
      const auto from =
          std::partition_point(codes.begin(), codes.end(), [&](std::uint64_t code) { return digit_of(code) < digit; });
      starts[digit] = static_cast<std::uint32_t>(from - codes.begin());
    }
  } else {
    starts = partition(
        context, codes.size(), [&](std::size_t i) { return digit_of(codes[i]); },
        [&](std::uint32_t place) { __builtin_prefetch(scratch.data() + place, 1); },
        [&](std::size_t i, std::uint32_t place) { scratch[place] = codes[i]; });
  }
  each_digit(context, [&](std::size_t digit) {
    const auto mine = grouped.subspan(starts[digit], starts[digit + 1] - starts[digit]);
    // While filling, ends[key + 1] is where the next entry of `key` goes.
    std::uint32_t* next = table.ends.data() + (digit << rest) + 1;
    const std::uint32_t mask = (1u << rest) - 1;
    for (const std::uint64_t code : mine) ++next[split.key(code) & mask];
    std::uint32_t sum = starts[digit];
    for (std::uint32_t key = 0; key <= mask; ++key) sum += std::exchange(next[key], sum);
    for (const std::uint64_t code : mine) {
      const std::uint32_t at = next[split.key(code) & mask]++;
      table.others[at] = split.other(code);
      table.residues[at] = static_cast<std::uint16_t>(split.residue(code));
    }
  });
}

std::array<std::uint8_t, 64> CsrTables::preferred_bits() {
  std::array<std::uint8_t, 64> order{};
  std::size_t count = 0;
  for (unsigned depth = 1; count < order.size(); ++depth) {
    for (unsigned part = 0; part < kParts; ++part) {
      if (kPartLow[part] + depth > kPartLow[part + 1]) continue;
      const unsigned bit = kPartLow[part + 1] - depth;
      order[count++] = static_cast<std::uint8_t>(bit + 32);
      order[count++] = static_cast<std::uint8_t>(bit);
    }
  }
  return order;
}

unsigned CsrTables::suitable_key_bits(std::uint64_t entries) {
  const unsigned bits = static_cast<unsigned>(std::bit_width(entries / 8));  // 8 to 16 entries a list
  return std::clamp(bits, kLeastKeyBits, kMostKeyBits);
}

std::uint64_t CsrTables::expected_bytes(unsigned most_key_bits, std::uint64_t entries) {
  std::uint64_t bytes = kTables * (entries * 6 + kPastList * 4);
  for (unsigned table = 0; table < kTables; ++table) {
    bytes += std::uint64_t{4} << Split(table, most_key_bits).key_bits();
  }
  return bytes;
}

std::uint64_t CsrTables::memory_bytes() const {
  return expected_bytes(most_key_bits_, size_) + long_lists_.capacity() * sizeof(LongList) +
         by_code_.capacity() * sizeof(std::uint32_t);
}

double CsrTables::expected_compared() const {
  if (size_ == 0) return 0;
  double squares = 0;
  for (const Table& table : tables_) {
    for (std::size_t key = 0; key + 1 < table.ends.size(); ++key) {
      const double length = table.ends[key + 1] - table.ends[key];
      squares += length * length;
    }
  }
  return squares / static_cast<double>(size_);
}

double CsrTables::even_compared() const {
  double compared = 0;
  for (const Table& table : tables_) {
    compared += 1 + static_cast<double>(size_) / static_cast<double>(table.ends.size() - 1);
  }
  return compared;
}

std::string CsrTables::describe() const {
  return fmt::format("{} tables of lists, addressed by {} to {} bits", kTables, tables_[1].split.key_bits(),
                     tables_[0].split.key_bits());
}

void CsrTables::each_block(const std::function<bool(std::span<const std::uint64_t>, Entry)>& visit) const {
  const Table& table = tables_[kNumbering];
  std::array<std::uint64_t, kBlock<std::uint64_t>> block;
  std::uint32_t key = 0;
  for (std::uint64_t first = 0; first < size_; first += block.size()) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), size_ - first));
    for (std::size_t i = 0; i < count; ++i) {
      const auto at = static_cast<std::uint32_t>(first + i);
      while (table.ends[key + 1] <= at) ++key;
      block[i] = table.split.code(key, table.residues[at], table.others[at]);
    }
    if (!visit(std::span(block).first(count), static_cast<Entry>(first))) return;
  }
}

void CsrTables::prepare(std::uint64_t code, Probe& probe) const {
  probe.code = code;
  for (unsigned table = 0; table < kTables; ++table) {
    probe.keys[table] = tables_[table].split.key(code);
    __builtin_prefetch(tables_[table].ends.data() + probe.keys[table], 0, 2);
  }
}

void CsrTables::fetch(Probe& probe) const {
  constexpr std::uint32_t kMostFetched = 96;  // of long lists the processor fetches the rest by itself
  for (unsigned table = 0; table < kTables; ++table) {
    const std::uint32_t* ends = tables_[table].ends.data() + probe.keys[table];
    probe.first[table] = ends[0];
    probe.count[table] = ends[1] - ends[0];
    const std::uint32_t* values = tables_[table].others.data() + ends[0];
    const std::uint32_t count = std::min(probe.count[table], kMostFetched);
    for (std::uint32_t i = 0; i < count; i += 16) __builtin_prefetch(values + i, 0, 2);
    if (count != 0) __builtin_prefetch(values + count - 1, 0, 2);
  }
}

void CsrTables::prepare_find(std::uint64_t code) const {
  const Table& table = tables_[kNumbering];
  __builtin_prefetch(table.ends.data() + table.split.key(code), 0, 2);
}

void CsrTables::fetch_find(std::uint64_t code) const {
  const Table& table = tables_[kNumbering];
  const std::uint32_t* ends = table.ends.data() + table.split.key(code);
  __builtin_prefetch(table.others.data() + ends[0], 0, 2);
  __builtin_prefetch(table.others.data() + ends[1] - 1, 0, 2);
  __builtin_prefetch(table.residues.data() + ends[0], 0, 2);
}

Entry CsrTables::find(std::uint64_t code) const {
  const Table& table = tables_[kNumbering];
  const std::uint32_t* ends = table.ends.data() + table.split.key(code);
  const std::uint32_t residue = table.split.residue(code), other = table.split.other(code);
  // The k-th code of the list in ascending order: by residue, then by the other half.
  const auto search = [&](auto place_of) {
    std::uint32_t first = 0, last = ends[1] - ends[0];
    while (last - first > 1) {
      const std::uint32_t middle = first + (last - first) / 2, at = place_of(middle);
      const bool above = table.residues[at] != residue ? table.residues[at] > residue : table.others[at] > other;
      (above ? last : first) = middle;
    }
    return place_of(first);
  };
  if (!long_lists_.empty() && ends[1] - ends[0] > kLong) {
    const auto list = std::lower_bound(long_lists_.begin(), long_lists_.end(), ends[0],
                                       [](const LongList& at, std::uint32_t first) { return at.first < first; });
    return search([&](std::uint32_t k) { return by_code_[list->by_code + k]; });
  }
  return search([&](std::uint32_t k) { return ends[0] + k; });
}

std::vector<Entry> CsrTables::order_long_lists(const RowLists& rows) {
  // Other tables first: they find rows by the numbering one, as it is.
  std::vector<Entry> order;
  for (std::size_t number = tables_.size(); number-- > 0;) {
    Table& table = tables_[number];
    for (std::uint32_t key = 0; key + 1 < table.ends.size(); ++key) {
      const std::uint32_t first = table.ends[key], size = table.ends[key + 1] - first;
      if (size <= kLong) continue;
      std::vector<Row> lowest(size);
      for (std::uint32_t i = 0; i < size; ++i) {
        const std::uint32_t at = first + i;
        const bool numbered = number == kNumbering;
        lowest[i] = rows.first(numbered ? at : find(table.split.code(key, table.residues[at], table.others[at])));
      }
      std::vector<std::uint32_t> by_row(size);
      std::iota(by_row.begin(), by_row.end(), 0);
      std::sort(by_row.begin(), by_row.end(), [&](std::uint32_t a, std::uint32_t b) { return lowest[a] < lowest[b]; });
      move_list(table, first, by_row);
      if (number != kNumbering) continue;
      if (order.empty()) {
        order.resize(size_);
        std::iota(order.begin(), order.end(), 0);
      }
      long_lists_.push_back({first, static_cast<std::uint32_t>(by_code_.size())});
      by_code_.resize(by_code_.size() + size);
      for (std::uint32_t i = 0; i < size; ++i) {
        order[first + i] = first + by_row[i];
        by_code_[long_lists_.back().by_code + by_row[i]] = first + i;
      }
    }
  }
  return order;
}

void CsrTables::move_list(Table& table, std::uint32_t first, std::span<const std::uint32_t> order) {
  std::vector<std::uint32_t> others(order.size());
  std::vector<std::uint16_t> residues(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    others[i] = table.others[first + order[i]];
    residues[i] = table.residues[first + order[i]];
  }
  std::copy(others.begin(), others.end(), table.others.data() + first);
  std::copy(residues.begin(), residues.end(), table.residues.data() + first);
}

}  // namespace neardup::hamming
