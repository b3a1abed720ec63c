#include "authority/names.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <string>
#include <tuple>

#include "authority/urls.h"

namespace neardup::authority {
namespace {

constexpr std::size_t kEntriesPerBucket = 4;

}  // namespace

std::uint64_t name_hash(std::string_view name) { return XXH3_64bits(name.data(), name.size()); }

NameTable::Entry NameTable::name(DocumentNumber row, std::string_view name) {
  return {.hash = name_hash(name), .row = row, .is_url = false};
}

std::optional<NameTable::Entry> NameTable::url(DocumentNumber row, std::string_view url) {
  const std::string canonical = canonical_url(url);
  if (canonical.empty()) return std::nullopt;
  return Entry{.hash = name_hash(canonical), .row = row, .is_url = true};
}

void NameTable::finish() {
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.hash, a.is_url, a.row) < std::tie(b.hash, b.is_url, b.row);
  });
  const auto same = [](const Entry& a, const Entry& b) { return a.hash == b.hash; };
  entries_.erase(std::unique(entries_.begin(), entries_.end(), same), entries_.end());
  entries_.shrink_to_fit();

  const std::size_t buckets = std::bit_ceil(std::max<std::size_t>(2, entries_.size() / kEntriesPerBucket));
  shift_ = 64 - std::countr_zero(buckets);
  begin_.assign(buckets + 1, 0);
  for (const Entry& entry : entries_) ++begin_[(entry.hash >> shift_) + 1];
  for (std::size_t i = 0; i < buckets; ++i) begin_[i + 1] += begin_[i];
}

std::optional<DocumentNumber> NameTable::find_hash(std::uint64_t hash) const {
  if (begin_.empty()) return std::nullopt;
  const std::size_t bucket = hash >> shift_;
  const auto first = entries_.begin() + static_cast<std::ptrdiff_t>(begin_[bucket]);
  const auto last = entries_.begin() + static_cast<std::ptrdiff_t>(begin_[bucket + 1]);
  const auto at =
      std::lower_bound(first, last, hash, [](const Entry& entry, std::uint64_t wanted) { return entry.hash < wanted; });
  return at != last && at->hash == hash ? std::optional(at->row) : std::nullopt;
}

std::optional<DocumentNumber> NameTable::find(std::string_view name_or_url) const {
  if (const auto row = find_hash(name_hash(name_or_url))) return row;
  const std::string canonical = canonical_url(name_or_url);
  return canonical.empty() ? std::nullopt : find_hash(name_hash(canonical));
}

}  // namespace neardup::authority
