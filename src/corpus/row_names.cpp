#include "corpus/row_names.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <charconv>
#include <vector>

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

std::uint64_t hash_name(std::string_view name) { return XXH3_64bits(name.data(), name.size()) | 1; }

namespace {

// The number behind the last # of a name, written as repeated_name() writes it; 0 when there is none.
std::uint32_t trailing_number(std::string_view name) {
  const std::size_t mark = name.rfind('#');
  if (mark == name.npos || mark + 1 == name.size() || name[mark + 1] == '0') return 0;
  std::uint32_t number = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, problem] = std::from_chars(name.data() + mark + 1, end, number);
  return problem == std::errc{} && stop == end && number >= 2 ? number : 0;
}

}  // namespace

NameHash NameHasher::hash(const io::Source& source, std::uint64_t number, std::string_view key) const {
  if (key.empty()) return {.name = places_repeat_ ? hash_name(io::record_name(source, number, key)) : 0};
  NameHash out{.name = hash_name(key)};
  if (const std::uint32_t n = trailing_number(key))
    out.taken = NameHash::numbered(hash_name(key.substr(0, key.rfind('#'))), n);
  return out;
}

std::string NamesInOrder::unique(std::string name, std::uint64_t hash) {
  if (hash == 0) return name;
  std::uint32_t& count = counts_[hash];
  if (++count == 1) return name;
  ++repeats_;
  std::string unique = repeated_name(name, count);
  while (!counts_.emplace(hash_name(unique), 1).second) unique = repeated_name(name, ++counts_[hash]);
  return unique;
}

void NamesInOrder::hold_memory() {
  constexpr std::size_t kNodeBytes = 32;
  memory_.hold(counts_.size() * kNodeBytes + counts_.bucket_count() * sizeof(void*));
}

std::string repeated_ids_warning(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " record repeats" : " records repeat") +
         " an id; such records are called id#2, id#3, ... in all outputs";
}

void RepeatedIds::add(const NameHash& hash) {
  if (hash.taken != 0) taken_.push_back(hash.taken);
  if (hash.name == 0 && hashes_.empty()) {
    ++first_row_;
  } else {
    hashes_.push_back(hash.name);
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
      std::vector<std::uint64_t>().swap(taken_);
      return;
    }
  }
  for (std::uint32_t row = 0; row < hashes_.size(); ++row) {
    if (hashes_[row] != 0) order.push_back(row);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return hashes_[a] < hashes_[b]; });
  std::sort(taken_.begin(), taken_.end());
  std::uint32_t number = 1;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const std::uint64_t name = hashes_[order[i]];
    if (name != hashes_[order[i - 1]]) {
      number = 1;
      continue;
    }
    do ++number;
    while (std::ranges::binary_search(taken_, NameHash::numbered(name, number)));
    repeats_.push_back({Row{first_row_ + order[i]}, number});
  }
  std::sort(repeats_.begin(), repeats_.end());
  std::vector<std::uint64_t>().swap(hashes_);
  std::vector<std::uint64_t>().swap(taken_);
}

std::uint32_t RepeatedIds::occurrence(Row row) const {
  const auto at = std::lower_bound(repeats_.begin(), repeats_.end(), Repeat{row, 0});
  return at != repeats_.end() && at->row == row ? at->occurrence : 1;
}

void RepeatedIds::save(base::StateWriter& out) const { out.array(repeats_); }
void RepeatedIds::load(base::StateReader& in, std::size_t rows) {
  repeats_ = in.array<Repeat>();
  const auto not_after = [](const Repeat& a, const Repeat& b) { return a.row >= b.row; };
  const bool is_sound = std::ranges::adjacent_find(repeats_, not_after) == repeats_.end() &&
                        std::ranges::all_of(repeats_, [](const Repeat& each) { return each.occurrence >= 2; }) &&
                        (repeats_.empty() || index(repeats_.back().row) < rows);
  if (!is_sound) in.fail();
}

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
