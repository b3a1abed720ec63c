#include "decontaminate/items.h"

#include <algorithm>
#include <bit>

namespace neardup::contamination {

std::uint32_t ItemIndex::find_window(std::uint64_t hash, unsigned length, std::string_view bytes) const {
  if (slots_.empty()) return kNone;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = static_cast<std::size_t>(hash) & mask; slots_[at] != 0; at = (at + 1) & mask) {
    const WindowText& text = texts_[slots_[at] - 1];
    if (text.hash == hash && text.length == length && text_of(text) == bytes) return slots_[at] - 1;
  }
  return kNone;
}

void ItemIndex::add(EvalItem item) {
  const auto number = static_cast<std::uint32_t>(items_.size());
  items_.push_back(std::move(item));
  EvalItem& added = items_.back();
  passages::Items places;
  passages::find_items(added.words, ' ', places);
  const auto length = static_cast<unsigned>(std::min<std::size_t>(window_, places.count()));
  std::vector<std::uint64_t> hashes;
  hasher_.hash(added.words, places, length, 0, hashes);
  if (!std::ranges::binary_search(lengths_, length))
    lengths_.insert(std::ranges::upper_bound(lengths_, length), length);
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    const std::uint32_t begin = places.starts[i], size = places.end(i + length - 1) - begin;
    std::uint32_t window = find_window(hashes[i], length, std::string_view(added.words).substr(begin, size));
    if (window == kNone) {
      window = static_cast<std::uint32_t>(texts_.size());
      texts_.push_back({.item = number, .begin = begin, .size = size, .length = length, .hash = hashes[i]});
      if (texts_.size() * 2 > slots_.size()) {
        slots_.assign(std::bit_ceil(texts_.size() * 4 + 64), 0);
        for (std::uint32_t w = 0; w < texts_.size(); ++w) {
          std::size_t at = static_cast<std::size_t>(texts_[w].hash) & (slots_.size() - 1);
          while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
          slots_[at] = w + 1;
        }
      } else {
        std::size_t at = static_cast<std::size_t>(hashes[i]) & (slots_.size() - 1);
        while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
        slots_[at] = window + 1;
      }
    }
    added.windows.push_back(window);
  }
  added.distinct = added.windows;
  std::ranges::sort(added.distinct);
  added.distinct.erase(std::unique(added.distinct.begin(), added.distinct.end()), added.distinct.end());
}

void ItemIndex::seal() {
  bits_.assign(std::bit_ceil(texts_.size() / 4 + 16), 0);  // 16 bits or more per window
  for (const WindowText& text : texts_)
    bits_[(text.hash >> 32) & (bits_.size() - 1)] |= std::uint64_t{1} << (text.hash >> 58);
}

void ItemIndex::finish(const DecontaminateOptions& options, std::vector<std::uint64_t>* documents_of_window,
                       std::uint64_t documents, DecontaminateReport& report) {
  std::vector<bool> ignored(texts_.size());
  if (documents_of_window != nullptr) {
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      ignored[i] = options.ignore_common->exceeded((*documents_of_window)[i], documents);
      report.ignored_windows += ignored[i] ? 1 : 0;
    }
  }
  std::vector<std::uint32_t> frequency(texts_.size());
  for (EvalItem& item : items_) {
    std::erase_if(item.distinct, [&](std::uint32_t window) { return ignored[window]; });
    if (item.distinct.empty()) {
      report.all_common += item.windows.empty() ? 0 : 1;
      continue;
    }
    const auto [num, den] = options.min_share;
    const auto size = static_cast<unsigned __int128>(item.distinct.size());
    item.needed = static_cast<std::uint32_t>(std::max<unsigned __int128>(1, (size * num + den - 1) / den));
    for (const std::uint32_t window : item.distinct) ++frequency[window];
  }
  // Of n windows of which k are needed, any n - k + 1 have one that is in the document: the rarest are indexed.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t number = 0; number < items_.size(); ++number) {
    std::vector<std::uint32_t> rarest = items_[number].distinct;
    if (rarest.empty()) continue;
    std::ranges::sort(rarest, [&](std::uint32_t a, std::uint32_t b) {
      return frequency[a] != frequency[b] ? frequency[a] < frequency[b] : a < b;
    });
    rarest.resize(rarest.size() - items_[number].needed + 1);
    for (const std::uint32_t window : rarest) pairs.emplace_back(window, number);
  }
  std::ranges::sort(pairs);
  posting_begins_.assign(texts_.size() + 1, 0);
  for (const auto& [window, item] : pairs) ++posting_begins_[window + 1];
  for (std::size_t i = 0; i < texts_.size(); ++i) posting_begins_[i + 1] += posting_begins_[i];
  postings_.clear();
  for (const auto& [window, item] : pairs) postings_.push_back(item);
}

std::vector<std::uint32_t> ItemIndex::items_of(std::uint32_t window) const {
  return {postings_.begin() + posting_begins_[window], postings_.begin() + posting_begins_[window + 1]};
}

void ItemIndex::find(std::string_view words, Scratch& scratch, std::vector<FoundWindow>& out) const {
  out.clear();
  if (texts_.empty()) return;
  passages::find_items(words, ' ', scratch.items);
  for (const unsigned length : lengths_) {
    hasher_.hash(words, scratch.items, length, 0, scratch.hashes);
    for (std::size_t i = 0; i < scratch.hashes.size(); ++i) {
      const std::uint64_t hash = scratch.hashes[i];
      if ((bits_[(hash >> 32) & (bits_.size() - 1)] >> (hash >> 58) & 1) == 0) continue;
      const std::uint32_t begin = scratch.items.starts[i], size = scratch.items.end(i + length - 1) - begin;
      const std::uint32_t window = find_window(hash, length, words.substr(begin, size));
      if (window != kNone) out.push_back({static_cast<std::uint32_t>(i), window});
    }
  }
  if (lengths_.size() > 1)
    std::ranges::sort(out, [](const FoundWindow& a, const FoundWindow& b) {
      return a.position != b.position ? a.position < b.position : a.window < b.window;
    });
}

}  // namespace neardup::contamination
