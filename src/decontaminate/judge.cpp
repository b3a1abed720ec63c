#include "decontaminate/judge.h"

#include <algorithm>
#include <unordered_map>

#include "base/utf8.h"
#include "text/word_spans.h"

namespace neardup::contamination {

const std::vector<std::uint32_t>& DocumentJudge::windows_of(std::string_view text) {
  std::uint32_t words = 0;
  index_.find(folder_.fold(text, words), scratch_, found_);
  distinct_.clear();
  for (const FoundWindow& found : found_) distinct_.push_back(found.window);
  std::ranges::sort(distinct_);
  distinct_.erase(std::unique(distinct_.begin(), distinct_.end()), distinct_.end());
  return distinct_;
}

bool DocumentJudge::judge(std::string_view text, DocumentHits& out) {
  if (windows_of(text).empty()) return false;
  if (++stamp_ == 0) {  // after four billion documents
    std::ranges::fill(stamps_, 0u);
    std::ranges::fill(seen_, 0u);
    stamp_ = 1;
  }
  for (const std::uint32_t window : distinct_) stamps_[window] = stamp_;
  for (const std::uint32_t window : distinct_) {
    for (const std::uint32_t number : index_.items_of(window)) {
      if (seen_[number] == stamp_) continue;
      seen_[number] = stamp_;
      const EvalItem& item = index_.items()[number];
      const auto shared =
          std::ranges::count_if(item.distinct, [&](std::uint32_t own) { return stamps_[own] == stamp_; });
      if (shared >= item.needed) out.hits.push_back({.item = number, .windows = static_cast<std::uint32_t>(shared)});
    }
  }
  if (out.hits.empty()) return false;
  std::ranges::sort(out.hits, {}, &DocumentHit::item);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> words;
  for (DocumentHit& hit : out.hits) locate(text, index_.items()[hit.item], hit, words);
  std::ranges::sort(words);
  for (const auto& [first, last] : words) {
    if (!out.words.empty() && first <= out.words.back().first + out.words.back().items) {
      passages::CutPiece& piece = out.words.back();
      piece.items = std::max(piece.items, last - piece.first);
    } else {
      out.words.push_back({.first = first, .items = last - first});
    }
  }
  return true;
}

void DocumentJudge::locate(std::string_view text, const EvalItem& item, DocumentHit& hit,
                           std::vector<std::pair<std::uint32_t, std::uint32_t>>& words) const {
  std::vector<text::WordSpan> places;
  text::word_spans(text, places);
  std::unordered_map<std::uint32_t, std::uint32_t> position;  // of a window in the item
  for (std::uint32_t i = 0; i < item.windows.size(); ++i) position.try_emplace(item.windows[i], i);
  const auto length = static_cast<std::uint32_t>(item.count - item.windows.size() + 1);
  struct Run {
    std::uint32_t first, last, own;
  };
  std::vector<Run> runs;
  for (const FoundWindow& found : found_) {
    const auto own = position.find(found.window);
    if (own == position.end()) continue;
    // The windows of a run begin one word after the other on both sides.
    const bool continues = !runs.empty() && found.position + length == runs.back().last + 1 &&
                           own->second == runs.back().own + (found.position - runs.back().first);
    if (continues) {
      runs.back().last = found.position + length;
    } else {
      runs.push_back({found.position, found.position + length, own->second});
    }
  }
  for (const Run& run : runs) words.emplace_back(run.first, run.last);
  std::ranges::stable_sort(runs, [](const Run& a, const Run& b) { return a.last - a.first > b.last - b.first; });
  for (const Run& run : runs) {
    if (hit.spans.size() == kMostSpans) break;
    hit.spans.push_back({places[run.first].begin, places[run.last - 1].end, run.own, run.own + (run.last - run.first)});
  }
  const ContaminatedSpan& longest = hit.spans.front();
  hit.longest = base::cut_to_code_point(text.substr(longest.from, longest.to - longest.from), 300);
}

}  // namespace neardup::contamination
