#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "cluster/bridges.h"
#include "cluster/cluster.h"
#include "neardup/error.h"

namespace neardup {
namespace {

using cluster::RankedPair;
using Member = Clusters::Member;

// What connects the rows of a core. Of a repeated link the strongest counts.
cluster::UnionFind core_links(std::size_t rows, std::vector<cluster::Link> links) {
  std::ranges::sort(links, [](const cluster::Link& x, const cluster::Link& y) {
    return std::tuple(x.a, x.b, y.strength) < std::tuple(y.a, y.b, x.strength);
  });
  cluster::BridgeSearch search(rows);
  for (std::size_t i = 0; i < links.size(); ++i)
    if (i == 0 || links[i].a != links[i - 1].a || links[i].b != links[i - 1].b) search.add(links[i]);
  return search.core();
}

// Gives star or complete the pairs of ranks in the order that it needs, each once.
std::vector<std::uint32_t> lead(ClusterKind kind, std::size_t rows, std::vector<std::uint64_t> pairs) {
  std::sort(pairs.begin(), pairs.end());
  const cluster::PairStream stream = [&](const std::function<void(RankedPair)>& visit) {
    for (const std::uint64_t pair : pairs) {
      const auto first = static_cast<std::uint32_t>(pair >> 32), second = static_cast<std::uint32_t>(pair);
      visit(kind == ClusterKind::star ? RankedPair{first, second} : RankedPair{second, first});
    }
  };
  return kind == ClusterKind::star ? cluster::star(rows, stream) : cluster::complete(rows, stream);
}

}  // namespace

struct ClusterBuilder::State {
  State(std::size_t row_count, ClusterKind cluster_kind, std::function<bool(DocId, DocId)> order)
      : rows(row_count), kind(cluster_kind), prefers(std::move(order)), links(check(row_count, cluster_kind)) {}

  // Components are united as pairs come; the others need no links.
  static std::size_t check(std::size_t row_count, ClusterKind cluster_kind) {
    if (row_count > UINT32_MAX)
      throw Error(ErrorCode::limit, fmt::format("{} documents to cluster: fewer than 2^32 fit", row_count));
    return cluster_kind == ClusterKind::components ? row_count : 0;
  }

  void check_document(DocId row) const {
    if (row >= rows) throw Error(ErrorCode::usage, fmt::format("a pair with row {} of {} rows", row, rows));
    if (!status.empty() && status[row] != RowStatus::document)
      throw Error(ErrorCode::usage, fmt::format("a pair with row {}, which is not a document to compare", row));
  }

  [[nodiscard]] cluster::Link link_of(const Pair& pair) const {
    const double strength = scores_are_distances ? -pair.score : pair.score;
    return {.a = static_cast<Member>(std::min(pair.left, pair.right)),
            .b = static_cast<Member>(std::max(pair.left, pair.right)),
            .strength = std::isnan(strength) ? -std::numeric_limits<double>::infinity() : strength};
  }

  [[nodiscard]] std::vector<Member> components();
  [[nodiscard]] std::vector<Member> ranked();

  std::size_t rows;
  ClusterKind kind;
  std::function<bool(DocId, DocId)> prefers;  // none: earlier rows
  cluster::UnionFind links;                   // components; core: when all pairs are there
  std::vector<std::uint64_t> pairs;           // star and complete: one row above, the other below
  std::vector<cluster::Link> scored;          // core
  bool scores_are_distances = false;
  std::vector<RowStatus> status;  // none: all are documents
};

// The root of a set is its smallest row, which is the one to keep unless others are preferred.
std::vector<Member> ClusterBuilder::State::components() {
  std::vector<Member> roots(rows);
  for (std::size_t row = 0; row < rows; ++row) roots[row] = links.find(static_cast<Member>(row));
  if (!prefers) return roots;
  std::vector<Member> best(rows);
  std::iota(best.begin(), best.end(), Member{0});
  for (std::size_t row = 0; row < rows; ++row) {
    Member& leader = best[roots[row]];
    if (prefers(row, leader)) leader = static_cast<Member>(row);
  }
  for (Member& root : roots) root = best[root];
  return roots;
}

std::vector<Member> ClusterBuilder::State::ranked() {
  std::vector<Member> by_rank(rows), rank(rows);
  std::iota(by_rank.begin(), by_rank.end(), Member{0});
  if (prefers) std::stable_sort(by_rank.begin(), by_rank.end(), [&](DocId a, DocId b) { return prefers(a, b); });
  for (std::size_t i = 0; i < rows; ++i) rank[by_rank[i]] = static_cast<Member>(i);
  for (std::uint64_t& pair : pairs) {
    auto [before, after] = std::minmax({rank[pair >> 32], rank[pair & UINT32_MAX]});
    if (kind == ClusterKind::complete) std::swap(before, after);
    pair = std::uint64_t{before} << 32 | after;
  }
  const std::vector<std::uint32_t> leaders = lead(kind, rows, std::move(pairs));
  std::vector<Member> representatives(rows);
  for (std::size_t i = 0; i < rows; ++i) representatives[by_rank[i]] = by_rank[leaders[i]];
  return representatives;
}

ClusterBuilder::ClusterBuilder(std::size_t rows, ClusterKind kind) : ClusterBuilder(rows, kind, nullptr) {}

ClusterBuilder::ClusterBuilder(std::size_t rows, ClusterKind kind, std::span<const DocId> ranks)
    : ClusterBuilder(rows, kind,
                     [held = std::vector(ranks.begin(), ranks.end())](DocId a, DocId b) { return held[a] < held[b]; }) {
  if (ranks.size() != rows)
    throw Error(ErrorCode::usage, fmt::format("{} ranks for {} rows to cluster", ranks.size(), rows));
}

ClusterBuilder::ClusterBuilder(std::size_t rows, ClusterKind kind, std::function<bool(DocId, DocId)> prefers)
    : state_(std::make_unique<State>(rows, kind, std::move(prefers))) {}

ClusterBuilder::~ClusterBuilder() = default;
ClusterBuilder::ClusterBuilder(ClusterBuilder&&) noexcept = default;
ClusterBuilder& ClusterBuilder::operator=(ClusterBuilder&&) noexcept = default;

void ClusterBuilder::set_status(DocId row, RowStatus status) {
  if (row >= state_->rows)
    throw Error(ErrorCode::usage, fmt::format("the status of row {} of {} rows", row, state_->rows));
  if (state_->status.empty()) state_->status.resize(state_->rows);
  state_->status[row] = status;
}

void ClusterBuilder::scores_are_distances() { state_->scores_are_distances = true; }

bool ClusterBuilder::accept(std::span<const Pair> pairs) {
  for (const Pair& pair : pairs) {
    state_->check_document(pair.left);
    state_->check_document(pair.right);
    if (pair.left == pair.right) continue;
    if (state_->kind == ClusterKind::components) {
      state_->links.unite(static_cast<Member>(pair.left), static_cast<Member>(pair.right));
    } else if (state_->kind == ClusterKind::core) {
      state_->scored.push_back(state_->link_of(pair));
    } else {
      state_->pairs.push_back(pair.left << 32 | pair.right);
    }
  }
  return true;
}

Clusters ClusterBuilder::finish() {
  if (state_->kind == ClusterKind::core) state_->links = core_links(state_->rows, std::move(state_->scored));
  const bool is_ranked = state_->kind == ClusterKind::star || state_->kind == ClusterKind::complete;
  std::vector<Member> representatives = is_ranked ? state_->ranked() : state_->components();
  return Clusters(std::move(representatives), std::move(state_->status));
}

}  // namespace neardup
