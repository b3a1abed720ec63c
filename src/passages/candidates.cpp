#include "passages/candidates.h"

#include <algorithm>
#include <atomic>
#include <bit>

#include "base/memory_plan.h"
#include "base/parallel.h"
#include "base/random.h"

namespace neardup::passages {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{256} << 10;
constexpr std::size_t kMostInMemory = std::size_t{512} << 20;

// Enough partitions that the tables of those worked on at once take an eighth of the memory.
std::size_t partitions_for(std::uint64_t windows, const Context& context) {
  constexpr std::uint64_t kBytesPerWindow = 48;
  const std::uint64_t share = std::max<std::size_t>(base::memory_bytes(context) / 8, 1);
  const std::uint64_t wanted = windows * kBytesPerWindow * base::threads(context) / share + 1;
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(std::bit_ceil(wanted), 16, 256));
}

Spools make_spools(std::size_t count, const Context& context) {
  const std::size_t most = std::min(base::memory_bytes(context) / 8, kMostInMemory / 2) / count;
  Spools spools;
  for (std::size_t i = 0; i < count; ++i)
    spools.push_back(std::make_unique<Spool>(context, most, std::size_t{64} << 10));
  return spools;
}

struct CandidateBlock {
  std::vector<Piece> pieces;
  std::vector<Candidate> found;       // by partition, in keep order within each
  std::vector<std::uint32_t> begins;  // of each partition in `found`
  std::uint64_t windows = 0;
};

class BlockWorker {
 public:
  explicit BlockWorker(const CandidateSearch& search, unsigned shift) : search_(search), shift_(shift) {}

  void operator()(CandidateBlock& block, std::size_t partitions) {
    std::vector<Candidate> all;
    for (const Piece& piece : block.pieces) add(piece, all, block.windows);
    block.begins.assign(partitions + 1, 0);
    for (const Candidate& candidate : all) ++block.begins[partition(candidate) + 1];
    for (std::size_t i = 0; i < partitions; ++i) block.begins[i + 1] += block.begins[i];
    block.found.resize(all.size());
    std::vector<std::uint32_t> at(block.begins.begin(), block.begins.end() - 1);
    for (const Candidate& candidate : all) block.found[at[partition(candidate)]++] = candidate;
  }

 private:
  [[nodiscard]] std::size_t partition(const Candidate& candidate) const {
    return static_cast<std::size_t>(base::mix64(candidate.hash) >> shift_);
  }

  void add(const Piece& piece, std::vector<Candidate>& out, std::uint64_t& windows) {
    const StoredDocument& document = search_.documents[piece.document];
    const std::string_view text = text_of(search_.documents, piece, buffer_);
    find_items(text, search_.rule.separator, items_);
    search_.hasher.hash(text, items_, search_.rule.is_grouped ? group_salt(document.group) : 0, hashes_);
    if (search_.rule.protected_runs != nullptr) search_.rule.protected_runs->find(text, items_, protected_);
    const std::size_t count = windows_in(piece, items_, search_.rule.window);
    windows += count;
    constexpr std::size_t kAhead = 16;
    for (std::size_t i = 0; i < count; ++i) {
      if (search_.filter != nullptr) {
        if (i + kAhead < count) search_.filter->prefetch(hashes_[i + kAhead]);
        if (!search_.filter->may_repeat(hashes_[i])) continue;
      }
      if (search_.rule.protected_runs != nullptr && protected_[i] >= search_.rule.window) continue;
      out.push_back({hashes_[i] & search_.hash_mask, document.begin + piece.begin + items_.starts[i]});
    }
  }

  const CandidateSearch& search_;
  unsigned shift_;
  std::string buffer_;
  Items items_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> protected_;
};

// The first place of each hash and how often it occurs.
class FirstPlaces {
 public:
  struct Entry {
    std::uint64_t hash, place;
    std::uint64_t count;  // 0: free
  };
  FirstPlaces() : entries_(1024) {}

  void add(const Candidate& candidate) {
    Entry& entry = find(candidate.hash);
    if (entry.count++ != 0) return;
    entry.hash = candidate.hash;
    entry.place = candidate.place;
    if (++used_ * 2 > entries_.size()) grow();
  }
  [[nodiscard]] const Entry& get(std::uint64_t hash) { return find(hash); }

 private:
  Entry& find(std::uint64_t hash) {
    const std::size_t mask = entries_.size() - 1;
    std::size_t at = static_cast<std::size_t>(hash) & mask;
    while (entries_[at].count != 0 && entries_[at].hash != hash) at = (at + 1) & mask;
    return entries_[at];
  }
  void grow() {
    std::vector<Entry> old(entries_.size() * 2);
    old.swap(entries_);
    for (const Entry& entry : old)
      if (entry.count != 0) find(entry.hash) = entry;
  }
  std::vector<Entry> entries_;
  std::size_t used_ = 0;
};

std::unique_ptr<Spool> refer(const Spool& candidates, std::unique_ptr<Spool> out, const PassageRule& rule) {
  FirstPlaces first;
  for (RecordReader<Candidate> reader(candidates); !reader.done(); reader.advance()) first.add(reader.head());
  std::vector<Reference> buffer;
  const auto flush = [&] {
    out->append({reinterpret_cast<const char*>(buffer.data()), buffer.size() * sizeof(Reference)});
    buffer.clear();
  };
  for (RecordReader<Candidate> reader(candidates); !reader.done(); reader.advance()) {
    const Candidate& candidate = reader.head();
    const FirstPlaces::Entry& entry = first.get(candidate.hash);
    if (entry.count < rule.min_copies) continue;
    // Where only repeated windows count, the first place is noted as referring to itself.
    if (rule.keep_one && !rule.cut_edges && entry.place == candidate.place) continue;
    buffer.push_back({candidate.place, entry.place});
    if (buffer.size() == 1024) flush();
  }
  flush();
  out->finish();
  return out;
}

}  // namespace

std::string_view text_of(const DocumentStore& documents, const Piece& piece, std::string& buffer) {
  return documents.store().read_whole(documents[piece.document].begin + piece.begin, piece.visible - piece.begin,
                                      buffer);
}

std::size_t windows_in(const Piece& piece, const Items& items, unsigned window) {
  if (items.count() < window) return 0;
  const std::size_t all = items.count() - window + 1;
  const auto behind = std::lower_bound(items.starts.begin(), items.starts.end() - 1, piece.end - piece.begin);
  return std::min(all, static_cast<std::size_t>(behind - items.starts.begin()));
}

Spools collect_candidates(const CandidateSearch& search, SearchFacts& facts, const Context& context) {
  Spools spools = make_spools(partitions_for(search.documents.items(), context), context);
  const std::size_t partitions = spools.size();
  const auto shift = static_cast<unsigned>(64 - std::countr_zero(partitions));
  PieceStream stream(search.documents, search.order, search.rule.window, search.rule.separator);
  const std::size_t most_blocks = 8 * std::size_t{base::threads(context)};
  Piece piece;
  for (bool more = stream.next(piece); more;) {
    std::vector<CandidateBlock> blocks;
    std::size_t bytes = kBlockBytes;
    for (; more; more = stream.next(piece)) {
      if (bytes >= kBlockBytes) {
        if (blocks.size() == most_blocks) break;
        blocks.emplace_back();
        bytes = 0;
      }
      blocks.back().pieces.push_back(piece);
      bytes += piece.end - piece.begin;
    }
    base::parallel_for(context, blocks.size(), [&](std::size_t first, std::size_t last) {
      BlockWorker work(search, shift);
      for (std::size_t i = first; i < last; ++i) work(blocks[i], partitions);
    });
    for (const CandidateBlock& block : blocks) {
      facts.windows += block.windows;
      facts.candidates += block.found.size();
      for (std::size_t i = 0; i < partitions; ++i) {
        const std::size_t count = block.begins[i + 1] - block.begins[i];
        spools[i]->append(
            {reinterpret_cast<const char*>(block.found.data() + block.begins[i]), count * sizeof(Candidate)});
      }
    }
  }
  for (const auto& spool : spools) spool->finish();
  return spools;
}

Spools refer_to_first_places(Spools candidates, const PassageRule& rule, const Context& context) {
  Spools references = make_spools(candidates.size(), context);
  base::parallel_for(context, candidates.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      references[i] = refer(*candidates[i], std::move(references[i]), rule);
      candidates[i].reset();
    }
  });
  return references;
}

}  // namespace neardup::passages
