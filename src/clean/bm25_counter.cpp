#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "clean/bm25_builder.h"

namespace neardup::clean {

TermTable::TermTable(const QueryTerms& queries) {
  std::vector<Feature> features;
  for (const auto& query : queries) features.insert(features.end(), query.begin(), query.end());
  std::ranges::sort(features);
  features.erase(std::unique(features.begin(), features.end()), features.end());

  const auto filter_bits = static_cast<unsigned>(std::bit_width(std::max<std::size_t>(64, features.size() * 16) - 1));
  filter_shift_ = 64 - filter_bits;
  filter_.resize((std::size_t{1} << filter_bits) / 64);
  for (const Feature feature : features) {
    terms_.number(feature);
    const std::uint64_t place = spread(feature) >> filter_shift_;
    filter_[place >> 6] |= std::uint64_t{1} << (place & 63);
  }
}

PostingsCounter::PostingsCounter(const TermTable& table, const Bm25Options& options)
    : table_(table),
      boost_(options.title_boost),
      occurrences_(table.size()),
      terms_here_(table.size() + 1),
      postings_(table.size()) {}

void PostingsCounter::add(std::span<const Feature> text, std::span<const Feature> title) {
  count(text, 1);
  if (boost_ != 0) count(title, boost_);
  const std::uint64_t length = text.size() + std::uint64_t{boost_} * title.size();
  constexpr std::uint64_t kMostLength = std::numeric_limits<std::uint32_t>::max();
  part_.lengths.push_back(static_cast<std::uint32_t>(std::min(length, kMostLength)));
  for (const std::uint32_t term : std::span(terms_here_).first(terms_here_count_)) {
    const std::uint64_t times = std::exchange(occurrences_[term], 0);
    if (postings_[term]++ == 0) terms_.push_back(term);
    pending_.push_back({term, static_cast<std::uint32_t>(std::min<std::uint64_t>(times, kMostCount))});
  }
  terms_here_count_ = 0;
  pending_ends_.push_back(pending_.size());
  constexpr std::size_t kSegmentPostings = std::size_t{1} << 17;  // bounds what is not yet compressed
  if (pending_.size() >= kSegmentPostings) end_segment();
}

PostingsPart PostingsCounter::take() {
  end_segment();
  part_.lengths.shrink_to_fit();
  return std::exchange(part_, {});
}

void PostingsCounter::count(std::span<const Feature> words, std::uint64_t each) {
  table_.for_each(words, scratch_, [&](std::uint32_t term) {
    terms_here_[terms_here_count_] = term;  // no branch: whether a word is new is hard to guess
    terms_here_count_ += occurrences_[term] == 0;
    occurrences_[term] += each;
  });
}

void PostingsCounter::end_segment() {
  const auto rows = static_cast<DocumentNumber>(pending_ends_.size());
  if (!pending_.empty()) {
    sort_by_term();
    part_.segments.push_back(write_segment(static_cast<DocumentNumber>(part_.lengths.size()) - rows));
  }
  for (const std::uint32_t term : terms_) postings_[term] = 0;
  terms_.clear();
  pending_.clear();
  pending_ends_.clear();
}

// Leaves in postings_ where the postings of each of terms_ end in sorted_; rows ascend within each.
void PostingsCounter::sort_by_term() {
  std::sort(terms_.begin(), terms_.end());
  std::uint32_t place = 0;
  for (const std::uint32_t term : terms_) place += std::exchange(postings_[term], place);
  sorted_.resize(pending_.size());
  std::size_t i = 0;
  for (DocumentNumber row = 0; row < pending_ends_.size(); ++row) {
    for (; i < pending_ends_[row]; ++i) sorted_[postings_[pending_[i].term]++] = {row, pending_[i].count};
  }
}

PostingsPart::Segment PostingsCounter::write_segment(DocumentNumber first) {
  PostingsPart::Segment segment{first, {}, {}};
  std::vector<std::byte>& out = encoded_;
  out.clear();
  const std::uint32_t group_size = terms_per_group(table_.size());
  std::uint32_t group = 0, before = 0;
  std::size_t posting = 0;
  for (const std::uint32_t term : terms_) {
    for (; group != term / group_size; ++group) {
      segment.group_ends[group] = static_cast<std::uint32_t>(out.size());
      before = (group + 1) * group_size;
    }
    const std::size_t end = postings_[term];
    list_.clear();
    append_varint(out, term - before);
    append_varint(out, end - posting);
    DocumentNumber next = 0;
    for (; posting < end; ++posting) {
      append_posting(list_, sorted_[posting].row - next, sorted_[posting].count);
      next = sorted_[posting].row + 1;
    }
    append_varint(out, list_.size());
    out.insert(out.end(), list_.begin(), list_.end());
    before = term;
  }
  for (; group < kTermGroups; ++group) segment.group_ends[group] = static_cast<std::uint32_t>(out.size());
  segment.bytes.assign(out.begin(), out.end());
  return segment;
}

}  // namespace neardup::clean
