#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "neardup/cluster.h"
#include "neardup/error.h"

namespace neardup {
namespace {

bool can_represent(RowStatus leader, RowStatus row) {
  if (row == RowStatus::same_key) return leader == RowStatus::document || leader == RowStatus::without_features;
  return row == RowStatus::document && leader == RowStatus::document;
}

void check(const std::vector<Clusters::Member>& representatives, const std::vector<RowStatus>& status) {
  const std::size_t rows = representatives.size();
  if (!status.empty() && status.size() != rows)
    throw Error(ErrorCode::usage, fmt::format("{} rows in clusters, but the status of {}", rows, status.size()));
  for (std::size_t row = 0; row < rows; ++row) {
    const Clusters::Member leader = representatives[row];
    if (leader == row) continue;
    const bool fits = leader < rows && representatives[leader] == leader &&
                      (status.empty() || can_represent(status[leader], status[row]));
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

Clusters Clusters::with_copies(std::uint64_t copies, const std::function<bool(DocId, DocId)>& prefers) const {
  Clusters out = *this;
  if (copies == 1) return out;
  out.is_kept_.resize(rows());
  for (std::size_t row = 0; row < rows(); ++row) out.is_kept_[row] = is_kept(row);
  std::vector<Member> members;
  for (std::size_t c = 0; c < size(); ++c) {
    members.assign((*this)[c].begin(), (*this)[c].end());
    const auto kept = std::min<std::uint64_t>(copies, members.size());
    const auto middle = members.begin() + static_cast<std::ptrdiff_t>(kept);
    if (kept < members.size()) std::nth_element(members.begin(), middle, members.end(), prefers);
    for (const Member member : members) out.is_kept_[member] = false;
    for (auto member = members.begin(); member != middle; ++member) out.is_kept_[*member] = true;
  }
  out.kept_ = static_cast<std::uint64_t>(std::count(out.is_kept_.begin(), out.is_kept_.end(), true));
  return out;
}

}  // namespace neardup
