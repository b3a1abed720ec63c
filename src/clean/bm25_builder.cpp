#include "clean/bm25_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "neardup/error.h"

namespace neardup::clean {

namespace {

constexpr unsigned kTopBits = 8;
constexpr std::size_t kTopLevels = 1 << kTopBits;

// Postings of one term in one segment.
struct Piece {
  const std::byte* at;
  std::uint32_t term;  // within the group
  std::uint32_t count;
  DocumentNumber first;  // of the segment
};

// All pieces of a group, by term, in row order within each.
std::vector<Piece> pieces_of(const ByteArena& arena, std::uint32_t terms) {
  std::vector<Piece> pieces;
  std::vector<std::size_t> places(terms + 1);
  for (const ByteArena::Chunk& chunk : arena.chunks()) {
    const std::byte* at = chunk.bytes.get();
    for (const std::byte* const chunk_end = at + chunk.used; at != chunk_end;) {
      const auto first = static_cast<DocumentNumber>(read_varint(at));
      const std::uint64_t bytes = read_varint(at);
      std::uint32_t term = 0;
      for (const std::byte* const end = at + bytes; at != end;) {
        term += static_cast<std::uint32_t>(read_varint(at));
        const auto count = static_cast<std::uint32_t>(read_varint(at));
        const std::uint64_t size = read_varint(at);
        pieces.push_back({at, term, count, first});
        ++places[term + 1];
        at += size;
      }
    }
  }
  for (std::uint32_t term = 0; term < terms; ++term) places[term + 1] += places[term];
  std::vector<Piece> sorted(pieces.size());
  for (const Piece& piece : pieces) sorted[places[piece.term]++] = piece;
  return sorted;
}

float no_less_than(Units value) {
  const auto near = static_cast<float>(value);
  return static_cast<Units>(near) >= value ? near : std::nextafter(near, std::numeric_limits<float>::infinity());
}

// Writes the lists of the terms of one group. Keeps its buffers from term to term.
class GroupWriter {
 public:
  GroupWriter(Bm25State& index, Bm25State::Group& group, double documents)
      : index_(index), group_(group), documents_(documents) {}

  void write(std::span<const Piece> pieces, TermList& list) {
    for (const Piece& piece : pieces) list.count += piece.count;
    const double rows = list.count;
    const double idf = std::log(1 + (documents_ - rows + 0.5) / (rows + 0.5));
    list.weight = idf * (index_.options.k1 + 1) * kUnitsPerOne;
    // No posting adds more than the weight, rounded, or 1 where that is less.
    const auto width = static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(list.weight) + 1));
    list.top_shift = width > kTopBits ? width - kTopBits : 0;
    levels_.fill(0);
    data_.clear();
    before_ = ~DocumentNumber{0};
    unsigned filled = 0;
    const std::size_t first_block = group_.blocks.size();
    for (const Piece& piece : pieces) {
      const std::byte* at = piece.at;
      DocumentNumber next = piece.first;
      for (std::uint32_t i = 0; i < piece.count; ++i) {
        const GapAndCount posting = read_posting(at);
        rows_[filled] = next + posting.gap;
        counts_[filled] = posting.count;
        next = rows_[filled] + 1;
        if (++filled == kBlock) {
          end_block(filled, list);
          filled = 0;
        }
      }
    }
    if (filled != 0) end_block(filled, list);
    list.block_count = static_cast<std::uint32_t>(group_.blocks.size() - first_block);
    list.data = group_.data.add(data_);
    add_tops(list.count);
  }

 private:
  void end_block(unsigned count, TermList& list) {
    Block block = write_block(std::span(rows_).first(count), std::span(counts_).first(count), before_, data_);
    contributions(list.weight, rows_, counts_, index_.norms.data(), 0, count, added_);
    block.bound = no_less_than(*std::max_element(added_.begin(), added_.begin() + count));
    list.bound = std::max(list.bound, static_cast<Units>(block.bound));
    for (unsigned i = 0; i < count; ++i) ++levels_[static_cast<std::size_t>(added_[i] >> list.top_shift)];
    group_.blocks.push_back(block);
    before_ = block.last;
  }

  void add_tops(DocumentNumber count) {
    std::size_t level = kTopLevels - 1;
    DocumentNumber above = levels_[level];
    for (std::uint64_t rank = 1; rank <= count; rank *= 2) {
      while (above < rank) above += levels_[--level];
      group_.tops.push_back(static_cast<std::uint8_t>(level));
    }
  }

  Bm25State& index_;
  Bm25State::Group& group_;
  const double documents_;
  std::vector<std::byte> data_;
  BlockValues rows_{}, counts_{};
  std::array<Units, kBlock> added_{};
  std::array<DocumentNumber, kTopLevels> levels_{};  // how many postings add about so much
  DocumentNumber before_ = 0;
};

void write_group(const ByteArena& arena, std::uint32_t first_term, std::uint32_t terms, double documents,
                 Bm25State& index, Bm25State::Group& group) {
  const std::vector<Piece> pieces = pieces_of(arena, terms);
  GroupWriter writer(index, group, documents);
  for (auto piece = pieces.begin(); piece != pieces.end();) {
    const auto end = std::find_if(piece, pieces.end(), [&](const Piece& each) { return each.term != piece->term; });
    writer.write(std::span(piece, end), index.terms[first_term + piece->term]);
    piece = end;
  }
  group.blocks.shrink_to_fit();
  group.tops.shrink_to_fit();
  const Block* block = group.blocks.data();
  const std::uint8_t* top = group.tops.data();
  for (TermList& list : std::span(index.terms).subspan(first_term, terms)) {
    list.blocks = block;
    list.tops = top;
    block += list.block_count;
    top += std::bit_width(list.count);
  }
}

// k1 (1 - b + b dl / avgdl) for every row. Documents without words have no postings, so theirs is not asked for.
std::vector<double> norms_of(const std::vector<std::uint32_t>& lengths, const Bm25Options& options, double average) {
  std::vector<double> norms(lengths.size());
  for (std::size_t row = 0; row < lengths.size(); ++row) {
    norms[row] = options.k1 * (1 - options.b + options.b * lengths[row] / average);
  }
  return norms;
}

}  // namespace

Bm25Builder::Bm25Builder(const QueryTerms& terms, const Bm25Options& options) : options_(options), table_(terms) {
  options.validate();
  for (const auto& query : terms) {
    std::vector<std::uint32_t> numbers;
    for (const Feature feature : query) numbers.push_back(table_.number(feature));
    std::sort(numbers.begin(), numbers.end());
    const std::size_t begin = query_terms_.size();
    for (const std::uint32_t term : numbers) {
      if (query_terms_.size() == begin || query_terms_.back().term != term) query_terms_.push_back({term, 0});
      ++query_terms_.back().times;
    }
    query_ends_.push_back(query_terms_.size());
  }
}

void Bm25Builder::append(const PostingsPart& part) {
  const std::size_t first = lengths_.size();
  if (part.lengths.size() >= std::numeric_limits<DocumentNumber>::max() - first) {
    throw Error(ErrorCode::limit, "the built-in search takes fewer than 2^32 - 1 records", "limit");
  }
  lengths_.insert(lengths_.end(), part.lengths.begin(), part.lengths.end());
  std::vector<std::byte>& slice = scratch_;
  for (const PostingsPart::Segment& segment : part.segments) {
    std::uint32_t begin = 0;
    for (std::uint32_t group = 0; group < kTermGroups; ++group) {
      const std::uint32_t end = segment.group_ends[group];
      if (begin == end) continue;
      slice.clear();
      append_varint(slice, first + segment.first);
      append_varint(slice, end - begin);
      slice.insert(slice.end(), segment.bytes.begin() + begin, segment.bytes.begin() + end);
      groups_[group].add(slice);
      bytes_ += slice.size();
      begin = end;
    }
  }
}

std::uint64_t Bm25Builder::memory_bytes() const {
  return bytes_ + lengths_.size() * (sizeof(std::uint32_t) + sizeof(double));
}

std::unique_ptr<Bm25Index> Bm25Builder::finish(const Context& context) {
  Bm25State index;
  index.options = options_;
  double documents = 0, words = 0;
  for (const std::uint32_t length : lengths_) {
    documents += length != 0;
    words += length;
  }
  index.norms = norms_of(lengths_, options_, words / documents);
  lengths_ = {};
  const std::uint32_t terms = table_.size(), group_size = terms_per_group(terms);
  index.terms.resize(terms);
  index.groups.resize(kTermGroups);
  base::parallel_for(context, kTermGroups, [&](std::size_t first, std::size_t last) {
    for (std::size_t group = first; group < last; ++group) {
      const auto first_term = std::min(static_cast<std::uint32_t>(group) * group_size, terms);
      write_group(groups_[group], first_term, std::min(group_size, terms - first_term), documents, index,
                  index.groups[group]);
      groups_[group] = {};
    }
  });
  for (const TermList& list : index.terms) {
    index.postings += list.count;
    index.terms_used += list.count != 0;
  }
  std::size_t term = 0;
  for (const std::uint64_t end : query_ends_) {
    for (; term < end; ++term) {
      if (index.terms[query_terms_[term].term].count != 0) index.query_terms.push_back(query_terms_[term]);
    }
    index.query_ends.push_back(index.query_terms.size());
  }
  return std::make_unique<Bm25Index>(std::move(index));
}

std::string Bm25Index::describe() const {
  const Bm25Options& options = state_.options;
  return fmt::format("BM25 with k1 {}, b {}, title words weighted {}x", options.k1, options.b, options.title_boost);
}

std::uint64_t Bm25Index::memory_bytes() const {
  std::uint64_t bytes = state_.terms.capacity() * sizeof(TermList) + state_.norms.capacity() * sizeof(double) +
                        state_.query_ends.capacity() * sizeof(std::uint64_t) +
                        state_.query_terms.capacity() * sizeof(QueryTerm);
  for (const Bm25State::Group& group : state_.groups) {
    bytes += group.data.memory_bytes() + group.blocks.capacity() * sizeof(Block) + group.tops.capacity();
  }
  return bytes;
}

}  // namespace neardup::clean
