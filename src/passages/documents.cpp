#include "passages/documents.h"

#include <algorithm>
#include <cassert>

#include "neardup/error.h"
#include "passages/window_hash.h"

namespace neardup::passages {

void DocumentStore::add(std::string_view name, std::string_view items, std::uint32_t item_count, std::uint32_t group) {
  constexpr std::string_view kEnd(&kDocumentEnd, 1);
  // A name is cut rather than allowed to take 4 GiB.
  name = name.substr(0, std::size_t{1} << 20);
  if (documents_.size() == documents_.capacity()) {
    const std::size_t more = std::max<std::size_t>(1024, documents_.size() * 2);
    if (!base::try_hold(memory_, more * sizeof(StoredDocument)))
      throw Error(ErrorCode::limit, "the table of documents does not fit in `memory`: allow more, or read a part",
                  "memory");
    documents_.reserve(more);
  }
  store_.append(name);
  store_.append(kEnd);
  const std::uint64_t begin = store_.append(items);
  store_.append(kEnd);
  documents_.push_back({.begin = begin,
                        .bytes = static_cast<std::uint32_t>(items.size()),
                        .items = item_count,
                        .name_bytes = static_cast<std::uint32_t>(name.size()),
                        .group = group});
  items_ += item_count;
}

std::string DocumentStore::name(std::size_t document) const {
  const StoredDocument& entry = documents_[document];
  std::string buffer;
  return std::string(store_.read_whole(entry.begin - 1 - entry.name_bytes, entry.name_bytes, buffer));
}

std::size_t DocumentStore::document_at(std::uint64_t place) const {
  const auto behind = std::upper_bound(documents_.begin(), documents_.end(), place,
                                       [](std::uint64_t at, const StoredDocument& entry) { return at < entry.begin; });
  assert(behind != documents_.begin());
  return static_cast<std::size_t>(behind - documents_.begin()) - 1;
}

std::uint32_t PieceStream::after_separators(const StoredDocument& document, std::uint32_t from, std::uint32_t count) {
  constexpr std::uint32_t kStep = std::uint32_t{1} << 14;
  while (from < document.bytes) {
    const std::string_view bytes =
        documents_.store().read(document.begin + from, std::min(kStep, document.bytes - from), buffer_);
    for (std::size_t at = 0;;) {
      const std::size_t found = bytes.find(separator_, at);
      if (found == std::string_view::npos) break;
      at = found + 1;
      if (--count == 0) return from + static_cast<std::uint32_t>(at);
    }
    from += static_cast<std::uint32_t>(bytes.size());
  }
  return document.bytes;
}

bool PieceStream::next(Piece& out) {
  for (;; ++at_, begin_ = 0) {
    if (at_ >= documents_.size()) return false;
    const auto number = order_.empty() ? static_cast<std::uint32_t>(at_) : order_[at_];
    const StoredDocument& document = documents_[number];
    if (document.items < window_ || begin_ >= document.bytes) continue;
    const bool is_last = document.bytes - begin_ <= piece_bytes_ + piece_bytes_ / 4;
    const std::uint32_t end = is_last ? document.bytes : after_separators(document, begin_ + piece_bytes_, 1);
    // A window that begins with the last item of the piece reaches window - 1 items further.
    std::uint32_t visible = end;
    if (end < document.bytes) {
      visible = window_ > 1 ? after_separators(document, end, window_ - 1) : end;
      if (visible < document.bytes || window_ == 1) visible -= 1;
    }
    out = {.document = number, .begin = begin_, .end = end, .visible = visible};
    begin_ = end;
    return true;
  }
}

}  // namespace neardup::passages
