#include "join/common_tokens.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "base/parallel.h"
#include "base/random.h"
#include "base/system.h"
#include "join/stream_access.h"

namespace neardup::joins {
namespace {

using features::Group;
using features::key_in_group;

// Counts the tokens of one partition. Reused for the next.
class PartitionCounts {
 public:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t count = 0;  // 0: free
  };
  void clear(std::uint64_t most_tokens) {
    slots_.assign(std::bit_ceil(2 * most_tokens + 2), Slot{});
    mask_ = slots_.size() - 1;
  }
  Slot& at(std::uint64_t key) {
    std::size_t place = base::mix64(key) & mask_;
    while (slots_[place].count != 0 && slots_[place].key != key) place = (place + 1) & mask_;
    return slots_[place];
  }

 private:
  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
};

class Dropping {
 public:
  Dropping(TokenStreams& streams, const CommonTokensRequest& request, const Context& context)
      : streams_(streams),
        request_(request),
        context_(context),
        most_(request.most_of_group.begin(), request.most_of_group.end()),
        has_groups_(most_.size() > 1 || (most_.size() == 1 && !most_.contains(0))) {
    for (const CountedSets& side : request.sides) out_.removed.emplace_back(side.units);
    if (most_.size() == 1) only_most_ = most_.begin()->second;
  }

  CommonTokens run() {
    tbb::enumerable_thread_specific<PartitionCounts> counts;
    base::parallel_for(context_, streams_.partitions(), [&](std::size_t first, std::size_t last) {
      for (std::size_t partition = first; partition < last; ++partition) {
        base::check_stop(context_);
        if (count(partition, counts.local())) drop(partition, counts.local());
      }
    });
    return std::move(out_);
  }

 private:
  [[nodiscard]] Unit unit_of(unsigned side, std::uint32_t number) const {
    return request_.sides[side].unit_of_number[number];
  }
  [[nodiscard]] Group group_of(unsigned side, std::uint32_t number) const {
    const auto& groups = request_.sides[side].group;
    return groups.empty() ? 0 : groups[index(unit_of(side, number))];
  }
  [[nodiscard]] std::uint64_t most_of(Group group) const {
    if (most_.empty()) return UINT64_MAX;
    if (!has_groups_) return only_most_;
    const auto found = most_.find(group);
    return found == most_.end() ? UINT64_MAX : found->second;
  }
  [[nodiscard]] bool is_listed(std::uint64_t token, Group group) const {
    return request_.listed != nullptr && request_.listed->contains(token, group);
  }

  // Whether anything has to be dropped.
  bool count(std::size_t partition, PartitionCounts& counts) const {
    counts.clear(streams_.words(partition));
    bool any = false;
    for (const TokenStreams::Run& run : streams_.runs()) {
      const auto& repeated = request_.sides[run.side].is_repeated;
      TokenStreams::Decoder decoder(streams_, partition);
      TokenStreams::for_each(run.streams[partition], [&](std::uint64_t word) {
        if (!decoder.next(word)) return;
        const Group group = group_of(run.side, decoder.number());
        if (repeated.empty() || repeated[index(unit_of(run.side, decoder.number()))] == 0) {
          PartitionCounts::Slot& slot = counts.at(key_in_group(decoder.token(), group));
          slot.key = key_in_group(decoder.token(), group);
          ++slot.count;
          any = any || slot.count > most_of(group);
        }
        any = any || is_listed(decoder.token(), group);
      });
    }
    return any;
  }

  void drop(std::size_t partition, PartitionCounts& counts) {
    std::unordered_map<std::uint64_t, CommonToken> found;  // by key
    for (TokenStreams::Run& run : streams_.runs()) {
      TokenStreams::Decoder decoder(streams_, partition);
      Encoder out(streams_, run.streams[partition]);
      TokenStreams::for_each(run.streams[partition], [&](std::uint64_t word) {
        if (!decoder.next(word)) return;
        const std::uint64_t token = decoder.token();
        const std::uint32_t number = decoder.number();
        const Group group = group_of(run.side, number);
        const std::uint64_t sets = counts.at(key_in_group(token, group)).count;
        if (sets <= most_of(group) && !is_listed(token, group)) return out.put(number, decoder.rest());
        const Unit unit = unit_of(run.side, number);
        std::atomic_ref(out_.removed[run.side][index(unit)]).fetch_add(1, std::memory_order_relaxed);
        CommonToken& common =
            found.try_emplace(key_in_group(token, group), CommonToken{token, group, sets, run.side, unit})
                .first->second;
        if (std::pair(run.side, unit) < std::pair(common.side, common.unit)) {
          common.side = run.side;
          common.unit = unit;
        }
      });
      out.finish();
    }
    const std::lock_guard lock(mutex_);
    for (const auto& [key, token] : found) out_.tokens.push_back(token);
  }

  TokenStreams& streams_;
  const CommonTokensRequest& request_;
  const Context& context_;
  std::unordered_map<Group, std::uint64_t> most_;
  bool has_groups_;
  std::uint64_t only_most_ = UINT64_MAX;
  CommonTokens out_;
  std::mutex mutex_;
};

}  // namespace

CommonTokens drop_common_tokens(TokenStreams& streams, const CommonTokensRequest& request, const Context& context) {
  return Dropping(streams, request, context).run();
}

}  // namespace neardup::joins
