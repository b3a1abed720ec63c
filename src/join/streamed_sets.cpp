#include "join/streamed_sets.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>
#include <span>
#include <utility>

#include "base/parallel.h"
#include "base/random.h"
#include "base/system.h"
#include "join/stream_access.h"
#include "join/token_dictionary.h"

namespace neardup::joins {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

// Takes the tokens of sets without an id out of a partition.
void drop_others(TokenStreams& streams, std::size_t partition, std::span<const std::uint64_t> first_number,
                 std::span<const std::uint32_t> ids) {
  constexpr std::size_t kAtOnce = 64;
  std::array<std::uint32_t, kAtOnce> numbers;
  std::array<std::uint64_t, kAtOnce> rests;
  std::size_t count = 0;
  for (TokenStreams::Run& run : streams.runs()) {
    TokenStreams::Decoder decoder(streams, partition);
    Encoder encoder(streams, run.streams[partition]);
    const auto put_back = [&] {
      for (std::size_t i = 0; i < count; ++i) encoder.put(numbers[i], rests[i]);
      count = 0;
    };
    TokenStreams::for_each(run.streams[partition], [&](std::uint64_t word) {
      if (!decoder.next(word)) return;
      // No branch: whether a set was chosen cannot be foreseen.
      numbers[count] = decoder.number();
      rests[count] = decoder.rest();
      count += ids[first_number[run.side] + decoder.number()] != kNone ? 1 : 0;
      if (count == kAtOnce) put_back();
    });
    put_back();
    encoder.finish();
  }
}

}  // namespace

// Two bits for every token of a partition, which it shares with few others: seen, and seen again; for two sides: seen
// there. Those of a token stand in one line of the cache.
struct StreamedSets::Planes {
  static constexpr std::uint64_t kBitsPerToken = 8;
  std::vector<std::uint64_t> words;
  unsigned shift = 0;

  void clear(std::uint64_t tokens, unsigned rest_bits) {
    const auto bits = std::min(
        rest_bits, static_cast<unsigned>(std::bit_width(std::max(tokens, std::uint64_t{64}) * kBitsPerToken - 1)));
    shift = rest_bits - bits;
    words.assign((std::size_t{1} << bits) / 64 * 2, 0);
  }
  void add(std::uint64_t rest, unsigned side, unsigned sides) {
    const std::uint64_t at = rest >> shift, bit = std::uint64_t{1} << at % 64;
    std::uint64_t* const planes = words.data() + at / 64 * 2;
    if (sides == 1) {
      planes[1] |= planes[0] & bit;
      planes[0] |= bit;
    } else {
      planes[side] |= bit;
    }
  }
  [[nodiscard]] std::uint32_t is_shared(std::uint64_t rest, unsigned plane) const {
    const std::uint64_t at = rest >> shift;
    return static_cast<std::uint32_t>(words[at / 64 * 2 + plane] >> at % 64) & 1;
  }
};

// The table of a partition's tokens.
struct StreamedSets::Group {
  struct Entry {
    std::uint64_t key;    // 0: free
    std::uint32_t count;  // a TokenCount; later the token's place in the partition, or kNone
  };
  std::vector<Entry> table;
  std::vector<std::uint32_t> by_rarity;

  void clear(std::uint64_t tokens) { table.assign(tokens + tokens / 2 + 16, {}); }
  [[nodiscard]] std::uint64_t home(std::uint64_t key) const {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(key) * table.size()) >> 64);
  }
  std::uint32_t add(std::uint64_t key, std::uint32_t flags) {
    std::uint64_t slot = home(key);
    while (table[slot].key != key && table[slot].key != 0) slot = slot + 1 < table.size() ? slot + 1 : 0;
    table[slot].key = key;
    std::uint32_t& count = table[slot].count;
    if (TokenCount::sets(count) < TokenCount::kMost) ++count;
    count |= flags;
    return static_cast<std::uint32_t>(slot);
  }

  // Tokens whose entries are on their way from memory.
  struct Waiting {
    static constexpr std::size_t kMost = 64;
    std::array<std::uint64_t, kMost> tokens;
    std::array<std::uint32_t, kMost> ids;
    std::size_t count = 0;
  };
  // Counts them, and puts (id, slot) of each out.
  void add(Waiting& waiting, std::uint64_t seed, std::uint32_t flags, TokenStreams::Rewriter& out) {
    // Different tokens have different keys, but for the one whose key would mean "free": it shares another's.
    for (std::size_t i = 0; i < waiting.count; ++i) {
      const std::uint64_t key = base::mix64(waiting.tokens[i] ^ seed);
      waiting.tokens[i] = key != 0 ? key : 1;
      __builtin_prefetch(table.data() + home(waiting.tokens[i]), 1);
    }
    for (std::size_t i = 0; i < waiting.count; ++i)
      out.put(std::uint64_t{waiting.ids[i]} << 32 | add(waiting.tokens[i], flags));
    waiting.count = 0;
  }
  // Replaces counts by places, ordered by frequency and key; tells how many of each class there are.
  void rank(unsigned sides, ClassSizes& classes);
};

std::size_t StreamedSets::class_of(std::uint32_t count) {
  constexpr std::uint32_t kExact = 32;
  if (count < kExact) return count < 2 ? 0 : count - 2;
  const auto log = static_cast<unsigned>(std::bit_width(count)) - 1;
  return 30 + 4 * (log - 5) + (count >> (log - 2) & 3);
}

void StreamedSets::Group::rank(unsigned sides, ClassSizes& classes) {
  const auto is_visible = [&](std::uint32_t count) {
    return sides == 1 ? count > 1 : TokenCount::is_on_both_sides(count);
  };
  const auto class_of = [](const Entry& entry) { return StreamedSets::class_of(TokenCount::sets(entry.count)); };
  classes.fill(0);
  std::uint32_t visible = 0;
  for (const Entry& entry : table) {
    if (!is_visible(entry.count)) continue;
    ++classes[class_of(entry)];
    ++visible;
  }
  ClassSizes next{};
  for (std::size_t c = 1; c < kClasses; ++c) next[c] = next[c - 1] + classes[c - 1];
  by_rarity.resize(visible);
  for (std::size_t slot = 0; slot < table.size(); ++slot) {
    if (is_visible(table[slot].count)) by_rarity[next[class_of(table[slot])]++] = static_cast<std::uint32_t>(slot);
  }
  // Keys are almost in order within a class: where they crowd, slots depend on who came first.
  std::uint32_t begin = 0;
  for (const std::uint32_t size : classes) {
    for (std::uint32_t i = begin + 1; i < begin + size; ++i) {
      const std::uint32_t moved = by_rarity[i];
      std::uint32_t at = i;
      for (; at > begin && table[moved].key < table[by_rarity[at - 1]].key; --at) by_rarity[at] = by_rarity[at - 1];
      by_rarity[at] = moved;
    }
    begin += size;
  }
  for (Entry& entry : table) entry.count = kNone;
  for (std::uint32_t place = 0; place < visible; ++place) table[by_rarity[place]].count = place;
}

StreamedSets::StreamedSets(TokenStreams& streams,
                           const std::function<SetFacts(unsigned side, std::uint32_t number)>& facts,
                           const Context& context)
    : streams_(streams), context_(context) {
  for (unsigned side = 0; side < streams.sides(); ++side) {
    first_number_[side] = numbers_;
    numbers_ += streams.numbers(side);
  }
  std::uint64_t shared = 0;
  {
    const std::vector<std::uint32_t> counts = count_shared();
    shared = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    choose(counts, facts);
  }
  // Where many sets are left out, others may have nobody left to share their tokens with.
  if (tokens_ < shared - shared / 8) choose(count_shared(), facts);
}

// By number: how many tokens of the set are shared, a few more perhaps. Of all sets, or of those that were chosen.
std::vector<std::uint32_t> StreamedSets::count_shared() const {
  struct Local {
    Planes planes;
    std::vector<std::uint32_t> counts;
  };
  const unsigned sides = streams_.sides();
  // Every thread counts for itself, unless that would take much memory.
  const bool is_apart = base::threads(context_) * numbers_ * sizeof(std::uint32_t) <= streams_.memory_bytes() / 4;
  std::vector<std::uint32_t> counts(numbers_);
  tbb::enumerable_thread_specific<Local> locals;
  const auto count = [&](std::size_t partition, Planes& planes, const auto& add) {
    planes.clear(streams_.words(partition), streams_.rest_bits());
    for (const TokenStreams::Run& run : streams_.runs()) {
      TokenStreams::Decoder decoder(streams_, partition);
      TokenStreams::for_each(run.streams[partition], [&](std::uint64_t word) {
        if (decoder.next(word)) planes.add(decoder.rest(), run.side, sides);
      });
    }
    for (const TokenStreams::Run& run : streams_.runs()) {
      TokenStreams::Decoder decoder(streams_, partition);
      const unsigned plane = sides == 1 ? 1 : 1 - run.side;
      TokenStreams::for_each(run.streams[partition], [&](std::uint64_t word) {
        if (decoder.next(word))
          add(first_number_[run.side] + decoder.number(), planes.is_shared(decoder.rest(), plane));
      });
    }
  };
  base::parallel_for(context_, streams_.partitions(), [&](std::size_t first, std::size_t last) {
    Local& local = locals.local();
    if (is_apart) local.counts.resize(numbers_);
    for (std::size_t partition = first; partition < last; ++partition) {
      base::check_stop(context_);
      if (!id_.empty()) drop_others(streams_, partition, first_number_, id_);
      if (is_apart) {
        count(partition, local.planes, [&](std::uint64_t at, std::uint32_t more) { local.counts[at] += more; });
      } else {
        count(partition, local.planes, [&](std::uint64_t at, std::uint32_t more) {
          if (more != 0) std::atomic_ref(counts[at]).fetch_add(more, std::memory_order_relaxed);
        });
      }
    }
  });
  for (const Local& local : locals)
    for (std::size_t i = 0; i < local.counts.size(); ++i) counts[i] += local.counts[i];
  return counts;
}

// Chooses sets that share enough, among all or among those that were chosen before.
void StreamedSets::choose(std::span<const std::uint32_t> shared,
                          const std::function<SetFacts(unsigned side, std::uint32_t number)>& facts) {
  const bool is_first = id_.empty();
  if (is_first) id_.assign(numbers_, 0);
  sets_.clear();
  tokens_ = 0;
  for (std::uint64_t at = 0; at < numbers_; ++at) {
    const bool was_chosen = std::exchange(id_[at], kNone) != kNone;
    if (!was_chosen || shared[at] == 0) continue;
    const unsigned side = streams_.sides() == 2 && at >= first_number_[1] ? 1 : 0;
    const SetFacts set = facts(side, static_cast<std::uint32_t>(at - first_number_[side]));
    if (shared[at] < set.least) continue;
    id_[at] = static_cast<std::uint32_t>(sets_.size());
    sets_.push_back({.begin = tokens_, .full_size = set.full_size, .visible = 0, .number = set.number, .side = side});
    tokens_ += shared[at];
  }
}

std::uint64_t StreamedSets::bytes_needed() const {
  constexpr std::uint64_t kBytesPerSet = 64, kBytesPerToken = sizeof(Rank) + 3;  // a join's index included
  return tokens_ * kBytesPerToken + sets_.size() * kBytesPerSet + numbers_ * sizeof(std::uint32_t);
}

// Counts the tokens of a partition, and puts in place of each its set and its place among those of the partition.
void StreamedSets::group(std::size_t partition, std::uint64_t seed, Group& group) {
  std::uint64_t wanted = 0;
  const auto id_of = [&](unsigned side, std::uint32_t number) { return id_[first_number_[side] + number]; };
  for (const TokenStreams::Run& run : streams_.runs()) {
    TokenStreams::Decoder decoder(streams_, partition);
    TokenStreams::for_each(run.streams[partition], [&](std::uint64_t word) {
      if (decoder.next(word)) wanted += id_of(run.side, decoder.number()) != kNone ? 1 : 0;
    });
  }
  group.clear(wanted);
  for (TokenStreams::Run& run : streams_.runs()) {
    TokenStreams::Decoder decoder(streams_, partition);
    TokenStreams::Rewriter out(run.streams[partition]);
    const std::uint32_t flag = streams_.sides() == 1 ? 0 : TokenCount::kSideFlag << run.side;
    Group::Waiting waiting;
    TokenStreams::for_each(run.streams[partition], [&](std::uint64_t word) {
      if (!decoder.next(word)) return;
      // No branch: whether a set was chosen cannot be foreseen.
      waiting.tokens[waiting.count] = decoder.token();
      waiting.ids[waiting.count] = id_of(run.side, decoder.number());
      waiting.count += waiting.ids[waiting.count] != kNone ? 1 : 0;
      if (waiting.count == Group::Waiting::kMost) group.add(waiting, seed, flag, out);
    });
    group.add(waiting, seed, flag, out);
    out.finish();
  }
  group.rank(streams_.sides(), classes_[partition]);
  for (TokenStreams::Run& run : streams_.runs()) {
    TokenStreams::Rewriter out(run.streams[partition]);
    TokenStreams::for_each(run.streams[partition], [&](std::uint64_t word) {
      const std::uint32_t place = group.table[static_cast<std::uint32_t>(word)].count;
      if (place != kNone) out.put((word >> 32) << 32 | place);
    });
    out.finish();
  }
}

// Ranks by class, then by partition, then by place. Returns how many there are.
Rank StreamedSets::rank_classes() {
  rank_add_.resize(classes_.size());
  std::vector<std::uint32_t> begin(classes_.size());  // of the class in each partition
  Rank rank = 0;
  for (std::size_t c = 0; c < kClasses; ++c) {
    for (std::size_t partition = 0; partition < classes_.size(); ++partition) {
      rank_add_[partition][c] = rank - begin[partition];
      rank += classes_[partition][c];
      begin[partition] += classes_[partition][c];
      classes_[partition][c] = begin[partition];  // from now on where the class ends
    }
  }
  return rank;
}

// Brings their ranks to the sets from `first` to before `last`.
void StreamedSets::collect_ranks(std::uint32_t first, std::uint32_t last, Rank* tokens) {
  constexpr std::uint64_t kTokensAtOnce = std::uint64_t{1} << 17;  // they fit the second-level cache
  std::vector<Cursor> cursors;
  for (const TokenStreams::Run& run : streams_.runs())
    for (const TokenStreams::Stream& stream : run.streams) cursors.emplace_back(stream, first);
  std::vector<Rank> scratch;
  for (std::uint32_t end = first; first < last; first = end) {
    base::check_stop(context_);
    while (end < last && (end == first || sets_[end].begin - sets_[first].begin < kTokensAtOnce)) ++end;
    for (std::size_t at = 0; at < cursors.size(); ++at) {
      const std::size_t partition = at % streams_.partitions();
      const ClassSizes &ends = classes_[partition], &add = rank_add_[partition];
      cursors[at].read(end, [&](std::uint64_t word) {
        const auto place = static_cast<std::uint32_t>(word);
        std::size_t c = 0;
        while (place >= ends[c]) ++c;
        OrderedSets::Member& set = sets_[word >> 32];
        tokens[set.begin + set.visible++] = place + add[c];
      });
    }
    for (std::uint32_t set = first; set < end; ++set)
      sort_ranks({tokens + sets_[set].begin, sets_[set].visible}, scratch);
  }
}

OrderedSets StreamedSets::order(std::uint64_t seed) {
  classes_.resize(streams_.partitions());
  tbb::enumerable_thread_specific<Group> groups;
  base::parallel_for(context_, streams_.partitions(), [&](std::size_t first, std::size_t last) {
    for (std::size_t partition = first; partition < last; ++partition) {
      base::check_stop(context_);
      group(partition, seed, groups.local());
    }
  });
  groups.clear();
  std::vector<std::uint32_t>().swap(id_);
  const Rank universe = rank_classes();
  OrderedSets::Ranks tokens(tokens_ + OrderedSets::kPadding);
  // Cursors are looked up once a piece.
  constexpr std::size_t kPiecesOfAThread = 8;
  const std::size_t pieces = kPiecesOfAThread * base::threads(context_);
  const auto border = [&](std::size_t piece) { return static_cast<std::uint32_t>(sets_.size() * piece / pieces); };
  base::parallel_for(context_, pieces, [&](std::size_t first, std::size_t last) {
    collect_ranks(border(first), border(last), tokens.data());
  });
  streams_.clear();
  return OrderedSets::in_order(streams_.sides(), universe, std::move(sets_), std::move(tokens), context_);
}

}  // namespace neardup::joins
