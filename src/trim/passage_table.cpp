#include "trim/passage_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace neardup::trimming {
namespace {
constexpr std::size_t kShown = 120;
}

std::string passage_name(std::uint32_t document, std::uint32_t item, std::uint32_t items) {
  return fmt::format("p{}-{}-{}", document, item, items);
}

void PassageTable::add(PassageKey key, std::uint32_t document, std::uint32_t item, std::uint64_t cut_items,
                       std::string_view text) {
  const std::string_view shown = base::cut_to_code_point(text, kShown);
  rows_.push_back({.key = key, .document = document, .item = item, .cuts = 1, .cut_items = cut_items});
  rows_.back().text_at = texts_.append(shown);
  rows_.back().text_bytes = static_cast<std::uint32_t>(shown.size());
  constexpr std::size_t kLeast = 4096;
  if (rows_.size() > 2 * merged_ + kLeast) merge();
}

void PassageTable::merge() {
  std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.key < b.key; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (kept > 0 && rows_[kept - 1].key == rows_[i].key) {
      rows_[kept - 1].cuts += rows_[i].cuts;
      rows_[kept - 1].cut_items += rows_[i].cut_items;
    } else {
      rows_[kept++] = rows_[i];
    }
  }
  rows_.resize(kept);
  merged_ = kept;
}

void PassageTable::finish() {
  merge();
  texts_.finish();
}

std::string PassageTable::beginning(const Row& row) const {
  std::string buffer;
  return std::string(texts_.read_whole(row.text_at, row.text_bytes, buffer));
}

}  // namespace neardup::trimming
