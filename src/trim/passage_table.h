// Which passages were cut how often, and what did they cost?
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/output.h"
#include "neardup/trim.h"
#include "passages/spool.h"

namespace neardup::trimming {

// A passage is where it stays: its first byte in the store and its length.
struct PassageKey {
  std::uint64_t source = 0;
  std::uint32_t items = 0;
  friend auto operator<=>(const PassageKey&, const PassageKey&) = default;
};

// Memory: 48 bytes per distinct passage and its beginning, which a file may hold. Threads: one at a time.
class PassageTable {
 public:
  explicit PassageTable(const Context& context) : texts_(context, std::size_t{16} << 20) {}

  // In input order; `text` is the place where the passage is cut, from its first item on.
  void add(PassageKey, std::uint32_t document, std::uint32_t item, std::uint64_t cut_items, std::string_view text);
  void finish();

  struct Row {
    PassageKey key;
    std::uint32_t document = 0;  // of the copy that stays
    std::uint32_t item = 0;      // where it begins there
    std::uint64_t cuts = 0, cut_items = 0;
    std::uint64_t text_at = 0;
    std::uint32_t text_bytes = 0;
  };
  // By source; after finish().
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  [[nodiscard]] std::string beginning(const Row&) const;

 private:
  void merge();
  passages::Spool texts_;
  std::vector<Row> rows_;
  std::size_t merged_ = 0;
};

// Names a passage by the document, the first item and the length.
std::string passage_name(std::uint32_t document, std::uint32_t item, std::uint32_t items);

}  // namespace neardup::trimming
