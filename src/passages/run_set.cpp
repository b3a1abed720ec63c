#include "passages/run_set.h"

#include <algorithm>

namespace neardup::passages {

void RunSet::add(std::string_view text) {
  Items items;
  find_items(text, separator_, items);
  if (items.count() == 0) return;
  const auto length = static_cast<unsigned>(std::min<std::size_t>(window_, items.count()));
  std::vector<std::uint64_t> hashes;
  hasher_.hash(text, items, length, 0, hashes);
  texts_.emplace_back(text);
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    const std::uint32_t begin = items.starts[i], size = items.end(i + length - 1) - begin;
    if (contains(hashes[i], text.substr(begin, size))) continue;
    std::uint32_t& first = first_[hashes[i]];
    runs_.push_back(
        {.text = static_cast<std::uint32_t>(texts_.size() - 1), .begin = begin, .size = size, .next = first});
    first = static_cast<std::uint32_t>(runs_.size());
  }
  if (std::ranges::find(lengths_, length) == lengths_.end()) {
    lengths_.push_back(length);
    std::ranges::sort(lengths_);
  }
}

bool RunSet::contains(std::uint64_t hash, std::string_view bytes) const {
  const auto found = first_.find(hash);
  if (found == first_.end()) return false;
  for (std::uint32_t run = found->second; run != 0; run = runs_[run - 1].next) {
    const Run& known = runs_[run - 1];
    if (std::string_view(texts_[known.text]).substr(known.begin, known.size) == bytes) return true;
  }
  return false;
}

void RunSet::find(std::string_view text, const Items& items, std::vector<std::uint32_t>& out) const {
  out.assign(items.count(), 0);
  std::vector<std::uint64_t> hashes;
  for (const unsigned length : lengths_) {
    hasher_.hash(text, items, length, 0, hashes);
    for (std::size_t i = 0; i < hashes.size(); ++i) {
      const std::uint32_t begin = items.starts[i];
      if (contains(hashes[i], text.substr(begin, items.end(i + length - 1) - begin))) out[i] = length;
    }
  }
}

}  // namespace neardup::passages
