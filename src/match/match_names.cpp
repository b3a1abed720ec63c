#include "match/match_names.h"

#include <algorithm>
#include <utility>

#include "base/system.h"
#include "base/tsv.h"
#include "corpus/corpus.h"

namespace neardup::matching {
namespace {

// corpus::Names of a few rows, ready to be written.
class RowNames {
 public:
  explicit RowNames(std::vector<std::uint32_t> rows) : rows_(std::move(rows)) {}

  // Reads them; false when they take more than `most_bytes`.
  bool load(const io::FingerprintSource& source, std::size_t most_bytes, const Context& context) {
    io::FingerprintBlock block;
    auto row = rows_.begin();
    if (rows_.empty()) return true;
    for (const auto reader = source.read(rows_.front()); row != rows_.end() && reader->next();) {
      base::check_stop(context);
      const std::uint64_t end = reader->first_row() + reader->rows();
      if (*row >= end) continue;
      reader->load({.ids = true}, block);
      for (; row != rows_.end() && *row < end; ++row) {
        text_ += base::escape_tsv(block.id(static_cast<std::size_t>(*row - block.first_row)));
        ends_.push_back(text_.size());
        if (text_.size() > most_bytes) return false;
      }
    }
    if (row != rows_.end()) corpus::throw_changed(source.name());
    return true;
  }

  [[nodiscard]] std::string_view operator[](std::uint32_t row) const {
    const auto at = static_cast<std::size_t>(std::ranges::lower_bound(rows_, row) - rows_.begin());
    const std::size_t begin = at == 0 ? 0 : ends_[at - 1];
    return std::string_view(text_).substr(begin, ends_[at] - begin);
  }

 private:
  std::vector<std::uint32_t> rows_;  // ascending
  std::vector<std::size_t> ends_;
  std::string text_;
};

}  // namespace

MatchWriter::MatchWriter(const MatchSides& sides, std::size_t memory_bytes, std::function<void(std::string_view)> write,
                         const Context& context)
    : queries_(sides.queries),
      base_(sides.base),
      write_(std::move(write)),
      context_(context),
      most_matches_(std::max<std::size_t>(1024, memory_bytes / 2 / (sizeof(Match) + 12))),
      most_name_bytes_(memory_bytes / 4),  // a growing string holds up to twice what it needs
      query_reader_(queries_.read(0)),
      memory_(base::reservation(context)) {}

void MatchWriter::add(const Pair& pair) {
  matches_.push_back({.query = static_cast<std::uint32_t>(pair.left),
                      .row = static_cast<std::uint32_t>(pair.right),
                      .distance = static_cast<std::uint8_t>(pair.score)});
  if (matches_.size() < most_matches_) return;
  write(matches_);
  matches_.clear();
}

void MatchWriter::finish() {
  write(matches_);
  matches_.clear();
}

void MatchWriter::write(std::span<const Match> matches) {
  memory_.hold(matches_.capacity() * sizeof(Match) + matches.size() * sizeof(std::uint32_t) + most_name_bytes_);
  std::vector<std::uint32_t> rows;
  rows.reserve(matches.size());
  for (const Match& match : matches) rows.push_back(match.row);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  const std::size_t most = matches.size() > 1 ? most_name_bytes_ : static_cast<std::size_t>(-1);
  {
    RowNames names(std::move(rows));
    if (names.load(base_, most, context_)) {
      for (const Match& match : matches) {
        line_ = query_name(match.query);
        line_ += names[match.row];
        line_ += '\t';
        line_ += std::to_string(match.distance);
        line_ += '\n';
        write_(line_);
      }
      return;
    }
  }
  const std::size_t half = matches.size() / 2;
  write(matches.first(half));
  write(matches.subspan(half));
}

// With the TAB behind it.
const std::string& MatchWriter::query_name(std::uint32_t row) {
  if (row == named_query_) return query_name_;
  if (query_block_.first_row + query_block_.size() <= row) {
    bool found = false;
    while (!found && query_reader_->next()) found = row < query_reader_->first_row() + query_reader_->rows();
    if (!found) corpus::throw_changed(queries_.name());
    query_reader_->load({.ids = true}, query_block_);
  }
  query_name_ = base::escape_tsv(query_block_.id(static_cast<std::size_t>(row - query_block_.first_row))) + '\t';
  named_query_ = row;
  return query_name_;
}

}  // namespace neardup::matching
