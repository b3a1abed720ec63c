// Which records are equal, and how do pairs of distinct ones become pairs of all?
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "neardup/join.h"
#include "neardup/pair.h"

namespace neardup::joins {

// Equal records in groups.
class Copies {
 public:
  // `group_of` tells each record's group; a record whose group is not below `groups` is in none.
  Copies(std::span<const std::uint32_t> group_of, std::uint32_t groups);

  [[nodiscard]] std::uint32_t groups() const { return static_cast<std::uint32_t>(begins_.size() - 1); }
  [[nodiscard]] std::span<const std::uint32_t> members(std::uint32_t group) const {  // ascending
    return std::span(members_).subspan(begins_[group], begins_[group + 1] - begins_[group]);
  }

 private:
  std::vector<std::uint32_t> members_;
  std::vector<std::uint32_t> begins_{0};
};

// Groups of equal records, numbered in the order of their first members. `hashes` are equal where records are; `equal`
// decides. Records that `is_empty` are in no group.
Copies find_copies(std::span<const std::uint64_t> hashes, const std::function<bool(std::uint32_t)>& is_empty,
                   const std::function<bool(std::uint32_t, std::uint32_t)>& equal);

// Receives pairs of groups and passes on the pairs of their members.
class ExpandingSink final : public PairSink {
 public:
  // `copies` has one entry for a join of a collection with itself, two for a join of two. Of `options` count max_pairs
  // and skip.
  ExpandingSink(std::span<const Copies> copies, const JoinOptions& options, PairSink& sink)
      : copies_(copies), options_(options), sink_(sink) {}

  // The pairs within each group, where equal records have a score.
  void add_copies(const std::function<std::optional<double>(std::uint32_t group)>& identity_score);
  bool accept(std::span<const Pair>) override;
  void finish();

  [[nodiscard]] bool stopped() const { return stopped_; }
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  void add(DocId a, DocId b, double score) {
    if (options_.skip && options_.skip(a, b)) return;
    if (options_.max_pairs != 0 && count_ == options_.max_pairs) {
      stopped_ = true;
      return;
    }
    ++count_;
    batch_[in_batch_++] = {.left = a, .right = b, .score = score};
    if (in_batch_ == batch_.size()) flush();
  }
  void flush();

  std::span<const Copies> copies_;
  const JoinOptions& options_;
  PairSink& sink_;
  std::array<Pair, 1024> batch_;  // stays in the first-level cache
  std::size_t in_batch_ = 0;
  std::uint64_t count_ = 0;
  bool stopped_ = false;
};

}  // namespace neardup::joins
