// Which document is meant by an id or a URL?
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace neardup::authority {

using DocumentNumber = std::uint32_t;  // a row, as the engines of this module count

// corpus::Names are distinguished by 64-bit hashes: 16 bytes each. A name that several documents have means the first
// of them; the name of a document goes before a URL of another.
class NameTable {
 public:
  struct Entry {
    std::uint64_t hash;
    DocumentNumber row;
    bool is_url;  // a canonical URL, not what outputs call the document
  };
  static Entry name(DocumentNumber, std::string_view name);
  // Nothing for what is not a URL (canonical_url()).
  static std::optional<Entry> url(DocumentNumber, std::string_view url);

  void add(std::span<const Entry> entries) { entries_.insert(entries_.end(), entries.begin(), entries.end()); }
  void finish();  // after the last add
  [[nodiscard]] std::size_t memory_bytes() const {
    return entries_.capacity() * sizeof(Entry) + begin_.capacity() * sizeof(std::uint64_t);
  }

  // By exact name, else by canonical URL.
  [[nodiscard]] std::optional<DocumentNumber> find(std::string_view name_or_url) const;
  [[nodiscard]] std::optional<DocumentNumber> find_hash(std::uint64_t hash) const;

 private:
  std::vector<Entry> entries_;  // by hash; one each
  // Where the entries begin whose hashes have the same first bits; one more at the end.
  std::vector<std::uint64_t> begin_;
  int shift_ = 0;
};

std::uint64_t name_hash(std::string_view);

}  // namespace neardup::authority
