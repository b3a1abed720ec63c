#include <fmt/format.h>

#include <limits>
#include <utility>

#include "neardup/cluster.h"
#include "neardup/error.h"

namespace neardup {
namespace {

void check(const std::vector<Clusters::Member>& representatives, const std::vector<RowStatus>& status) {
  const std::size_t rows = representatives.size();
  if (!status.empty() && status.size() != rows)
    throw Error(ErrorCode::usage, fmt::format("{} rows in clusters, but the status of {}", rows, status.size()));
  for (std::size_t row = 0; row < rows; ++row) {
    const Clusters::Member leader = representatives[row];
    if (leader == row) continue;
    const bool fits = leader < rows && representatives[leader] == leader &&
                      (status.empty() || (status[row] == RowStatus::document && status[leader] == RowStatus::document));
    if (!fits) throw Error(ErrorCode::usage, fmt::format("row {} cannot represent row {}", leader, row));
  }
}

}  // namespace

// Members are counted at their representative; a cluster gets its place when its first member comes by.
Clusters::Clusters(std::vector<Member> representatives, std::vector<RowStatus> status)
    : representatives_(std::move(representatives)), status_(std::move(status)) {
  check(representatives_, status_);
  std::vector<Member> members(rows(), 0);
  for (std::size_t row = 0; row < rows(); ++row) {
    ++members[representatives_[row]];
    kept_ += is_kept(row) ? 1 : 0;
  }
  constexpr std::uint64_t kUnplaced = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::uint64_t> next(rows(), kUnplaced);
  std::uint64_t end = 0;
  for (const Member leader : representatives_) {
    if (members[leader] < 2 || next[leader] != kUnplaced) continue;
    next[leader] = end;
    end += members[leader];
    begins_.push_back(end);
  }
  members_.resize(end);
  for (std::size_t row = 0; row < rows(); ++row) {
    const Member leader = representatives_[row];
    if (members[leader] >= 2) members_[next[leader]++] = static_cast<Member>(row);
  }
}

}  // namespace neardup
