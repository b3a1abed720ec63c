// Which items does a document hit, and where?
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "decontaminate/items.h"
#include "passages/scanner.h"
#include "passages/units.h"

namespace neardup::contamination {

struct DocumentHit {
  std::uint32_t item = 0;
  std::uint32_t windows = 0;
  std::vector<ContaminatedSpan> spans{};  // at most kMostSpans, the longest first
  std::string longest{};
};
inline constexpr std::size_t kMostSpans = 20;

struct DocumentHits {
  std::uint64_t row = 0;
  std::string name{};
  std::vector<DocumentHit> hits{};
  std::vector<passages::CutPiece> words{};  // all words of the document that are words of an item it hits
};

// Threads: one per thread.
class DocumentJudge {
 public:
  explicit DocumentJudge(const ItemIndex& index)
      : index_(index), folder_(passages::ItemKind::words), stamps_(index.windows()), seen_(index.items().size()) {}

  // The distinct windows of items in the text, ascending. The view is valid until the next call.
  const std::vector<std::uint32_t>& windows_of(std::string_view text);
  bool judge(std::string_view text, DocumentHits& out);

 private:
  void locate(std::string_view text, const EvalItem&, DocumentHit&,
              std::vector<std::pair<std::uint32_t, std::uint32_t>>& words) const;

  const ItemIndex& index_;
  passages::ItemFolder folder_;
  ItemIndex::Scratch scratch_;
  std::vector<FoundWindow> found_;
  std::vector<std::uint32_t> distinct_;
  std::vector<std::uint32_t> stamps_, seen_;  // of windows and items: the document that had them last
  std::uint32_t stamp_ = 0;
};

}  // namespace neardup::contamination
