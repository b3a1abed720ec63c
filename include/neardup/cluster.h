// Which documents form a cluster, and which one of them is kept?
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/choice.h"
#include "neardup/pair.h"

namespace neardup {

enum class ClusterKind {
  components,  // connected through similar pairs
  star,        // every member is similar to the kept one
  complete,    // all members are similar to each other
  core,        // connected, and no single pair connects two groups of two or more distinct documents
};

ClusterKind parse_cluster_kind(std::string_view);
std::string to_string(ClusterKind);
std::span<const Choice<ClusterKind>> cluster_choices();

// What a row of a collection turned out to be.
enum class RowStatus : std::uint8_t {
  document,
  without_features,  // a document with nothing to compare: in no cluster, and kept
  bad,               // not a document: a bad record
  set_aside,         // left out before clustering: it has a partner in another collection
  same_key,          // left out before clustering: a document that is compared in its place has the same key
  dropped,           // a document without features that DedupOptions::drop_empty left out
};

// Which row represents which, and which are kept. An immutable value; 5 bytes per row and 4 per member of a cluster.
// Threads: const members may run concurrently.
class Clusters {
 public:
  using Member = std::uint32_t;  // a row number (DocId) in 32 bits

  Clusters() = default;
  // `representatives`: for each row the row that represents it, possibly itself; representatives represent themselves.
  // `status`: one per row, or empty when all rows are documents. Others represent themselves, but for `same_key`.
  // Throws Error{usage} when any of this does not hold.
  explicit Clusters(std::vector<Member> representatives, std::vector<RowStatus> status = {});

  [[nodiscard]] std::size_t rows() const { return representatives_.size(); }
  [[nodiscard]] RowStatus status(DocId row) const { return status_.empty() ? RowStatus::document : status_[row]; }
  // The document that is kept for this row: the row itself unless another one represents it.
  [[nodiscard]] DocId representative(DocId row) const { return representatives_[row]; }
  // True for documents, with or without features, that were not left out.
  [[nodiscard]] bool has_representative(DocId row) const {
    return status(row) == RowStatus::document || status(row) == RowStatus::without_features ||
           status(row) == RowStatus::same_key;
  }
  // True for those that represent themselves, unless with_copies() said otherwise.
  [[nodiscard]] bool is_kept(DocId row) const {
    return is_kept_.empty() ? representatives_[row] == row && has_representative(row) : is_kept_[row];
  }
  [[nodiscard]] std::uint64_t kept() const { return kept_; }  // how many rows are kept

  // The same with up to `copies` members of each cluster kept, the preferred ones; with 0 none. `prefers(a, b)` is a
  // strict total order in which a cluster's representative comes first.
  [[nodiscard]] Clusters with_copies(std::uint64_t copies, const std::function<bool(DocId, DocId)>& prefers) const;

  // Clusters of two rows and more, ordered by their first members; members are in input order.
  [[nodiscard]] std::size_t size() const { return begins_.size() - 1; }
  [[nodiscard]] std::span<const Member> operator[](std::size_t cluster) const {
    return std::span(members_).subspan(begins_[cluster], begins_[cluster + 1] - begins_[cluster]);
  }

 private:
  std::vector<Member> representatives_;
  std::vector<RowStatus> status_;
  std::vector<bool> is_kept_;             // by row; none: representatives are kept
  std::vector<Member> members_;           // of all clusters, one after another
  std::vector<std::uint64_t> begins_{0};  // of each cluster in members_, and the end of the last one
  std::uint64_t kept_ = 0;
};

// Builds clusters from pairs, which may arrive in any order, in either orientation, and repeatedly.
//
//   neardup::ClusterBuilder clusters(rows, neardup::ClusterKind::star);
//   neardup::join(sets, options, clusters, context);
//   const neardup::Clusters found = clusters.finish();
//
// The result depends only on the pairs and on which rows are preferred (docs/algorithms/clusters.md); for core also on
// their scores, of which the higher is the stronger (see scores_are_distances); of a repeated pair the strongest
// counts. Memory: 4 bytes per row for components; 8 bytes per pair for star and complete and 16 for core, which need
// all pairs at once.
// Threads: one call at a time, as for every PairSink.
class ClusterBuilder final : public PairSink {
 public:
  // Rows are 0 to rows - 1; earlier ones are preferred. Throws Error{limit} for 2^32 rows and more.
  explicit ClusterBuilder(std::size_t rows, ClusterKind = ClusterKind::components);
  // Rows with a smaller rank are preferred, and among equals earlier ones. Throws Error{usage} unless there is a rank
  // for every row.
  ClusterBuilder(std::size_t rows, ClusterKind, std::span<const DocId> ranks);
  // `prefers(a, b)`: a is preferred to b. A strict weak order; among equals earlier rows are preferred. Called only by
  // finish().
  ClusterBuilder(std::size_t rows, ClusterKind, std::function<bool(DocId, DocId)> prefers);
  ~ClusterBuilder() override;
  ClusterBuilder(ClusterBuilder&&) noexcept;
  ClusterBuilder& operator=(ClusterBuilder&&) noexcept;

  // Marks a row that is not an ordinary document; to be called before any pair arrives.
  void set_status(DocId row, RowStatus);
  // For core: a lower score is the stronger. To be called before any pair arrives.
  void scores_are_distances();

  // Always returns true. Throws Error{usage} for a pair with a row that does not exist or is not a document.
  bool accept(std::span<const Pair>) override;

  // To be called once; afterwards the builder may only be destroyed.
  [[nodiscard]] Clusters finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Rules apply in turn; remaining ties go to the earliest document.
struct KeepRule {
  enum class Kind { first, last, longest, shortest, max, min, newest, oldest, prefer, authority };
  Kind kind = Kind::first;
  std::string field{};  // for max, min, newest, oldest, prefer; for authority where a field holds it
  std::string value{};  // for prefer
  friend bool operator==(const KeepRule&, const KeepRule&) = default;
};

// "longest,max:score,prefer:lang=en"
std::vector<KeepRule> parse_keep_rules(std::string_view);
std::string to_string(const KeepRule&);
// FIELD and VALUE in a name are placeholders for the user's own: "max:FIELD".
std::span<const Choice<KeepRule::Kind>> keep_choices();

}  // namespace neardup
