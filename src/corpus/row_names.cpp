#include "corpus/row_names.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <vector>

#include "base/random.h"
#include "io/formats/formats.h"
#include "neardup/error.h"

namespace neardup::corpus {

std::string name_of(const io::Source& source, std::uint64_t number, std::string_view key, std::uint32_t occurrence) {
  return repeated_name(io::record_name(source, number, key), occurrence);
}

std::string repeated_name(std::string name, std::uint32_t occurrence) {
  return occurrence <= 1 ? name : (name += '#') += std::to_string(occurrence);
}

NameHasher::NameHasher(const Collection& collection) : places_repeat_(false) {
  std::vector<std::string_view> paths;
  for (const io::Source& source : io::impl_of(collection).sources) {
    places_repeat_ |= source.format->framing == io::Format::Framing::json_array;
    paths.push_back(source.path);
  }
  std::sort(paths.begin(), paths.end());
  places_repeat_ |= std::adjacent_find(paths.begin(), paths.end()) != paths.end();
}

std::uint64_t NameHasher::hash(const io::Source& source, std::uint64_t number, std::string_view key) const {
  if (!key.empty()) return XXH3_64bits(key.data(), key.size()) | 1;
  if (!places_repeat_) return 0;
  return base::mix64(XXH3_64bits(source.path.data(), source.path.size()) + number) | 1;
}

std::string repeated_ids_warning(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " record repeats" : " records repeat") +
         " an id; such records are called id#2, id#3, ... in all outputs";
}

void RepeatedIds::add(std::uint64_t name_hash) {
  if (name_hash == 0 && hashes_.empty()) {
    ++first_row_;
  } else {
    hashes_.push_back(name_hash);
  }
}

void RepeatedIds::finish() {
  std::vector<std::uint32_t> order;
  {
    // Most collections repeat no id: sorting the bare hashes tells, in half the memory.
    std::vector<std::uint64_t> sorted = hashes_;
    std::sort(sorted.begin(), sorted.end());
    const auto first_key = std::upper_bound(sorted.begin(), sorted.end(), 0u);
    if (std::adjacent_find(first_key, sorted.end()) == sorted.end()) {
      std::vector<std::uint64_t>().swap(hashes_);
      return;
    }
  }
  for (std::uint32_t row = 0; row < hashes_.size(); ++row) {
    if (hashes_[row] != 0) order.push_back(row);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return hashes_[a] < hashes_[b]; });
  for (std::size_t i = 1, start = 0; i < order.size(); ++i) {
    if (hashes_[order[i]] != hashes_[order[start]]) start = i;
    if (i > start) repeats_.push_back({Row{first_row_ + order[i]}, static_cast<std::uint32_t>(i - start + 1)});
  }
  std::sort(repeats_.begin(), repeats_.end());
  std::vector<std::uint64_t>().swap(hashes_);
}

std::uint32_t RepeatedIds::occurrence(Row row) const {
  const auto at = std::lower_bound(repeats_.begin(), repeats_.end(), Repeat{row, 0});
  return at != repeats_.end() && at->row == row ? at->occurrence : 1;
}

void RepeatedIds::save(base::StateWriter& out) const { out.array(repeats_); }
void RepeatedIds::load(base::StateReader& in) { repeats_ = in.array<Repeat>(); }

void RowTexts::add(Row row, std::string_view text) {
  if (index(row) / 64 >= has_.size()) {
    has_.resize(index(row) / 64 + std::size_t{1});
    before_.resize(has_.size(), ends_.size());
  }
  has_[index(row) / 64] |= std::uint64_t{1} << index(row) % 64;
  text_ += text;
  ends_.push_back(text_.size());
  memory_.hold((has_.capacity() + before_.capacity() + ends_.capacity()) * sizeof(std::uint64_t) + text_.capacity());
}

std::string_view RowTexts::operator[](Row row) const {
  assert(has(row));
  const std::uint64_t earlier_here = has_[index(row) / 64] & ((std::uint64_t{1} << index(row) % 64) - 1);
  const std::size_t place = before_[index(row) / 64] + static_cast<std::size_t>(std::popcount(earlier_here));
  const std::uint64_t begin = place == 0 ? 0 : ends_[place - 1];
  return std::string_view(text_).substr(begin, ends_[place] - begin);
}

void RowTexts::save(base::StateWriter& out) const {
  out.array(has_);
  out.array(ends_);
  out.text(text_);
}

void RowTexts::load(base::StateReader& in) {
  has_ = in.array<std::uint64_t>();
  ends_ = in.array<std::uint64_t>();
  text_ = in.text();
  before_.clear();
  std::uint64_t names = 0;
  for (const std::uint64_t word : has_) {
    before_.push_back(names);
    names += static_cast<std::uint64_t>(std::popcount(word));
  }
  const std::uint64_t end = ends_.empty() ? 0 : ends_.back();
  if (names != ends_.size() || end != text_.size() || !std::ranges::is_sorted(ends_)) in.fail();
}

}  // namespace neardup::corpus
