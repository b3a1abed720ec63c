// neardup index: making an index, looking at it as a whole, keeping it in order.
#include <fmt/format.h>

#include "index_actions.h"
#include "index_lines.h"
#include "neardup/error.h"
#include "summary_parts.h"
#include "words.h"

namespace neardup::cli {
namespace {

void note(Session& session, const IndexFlags& flags, const std::string& text) {
  session.end_progress();
  if (!flags.run.quiet) print_note(text);
}

std::string describe_stats(const IndexStats& stats, const IndexOptions& options) {
  std::string out =
      fmt::format("{}: {} kept, {} in {}\n", counted(stats.documents, "document", "documents"), with_commas(stats.kept),
                  with_commas(stats.clustered), counted(stats.clusters, "cluster", "clusters"));
  out += fmt::format("{}; {} clusters\n", describe(options.definition), to_string(options.clusters));
  if (stats.without_features > 0)
    out += fmt::format("{} without features\n", counted(stats.without_features, "document", "documents"));
  out += fmt::format("{} distinct feature sets, {} of them in {}\n", with_commas(stats.units),
                     with_commas(stats.units - std::min(stats.units, stats.recent)),
                     counted(stats.segments, "segment", "segments"));
  out += fmt::format("on disk: {} of documents, {} of segments; last change: {}\n",
                     human_bytes(static_cast<double>(stats.truth_bytes)),
                     human_bytes(static_cast<double>(stats.segment_bytes)), stats.last_change);
  return out;
}

int list_changes(const IndexFlags& flags, const Index& index) {
  std::string text = "token\ttime\tchange\tcluster\tother\tid\treason\n";
  ChangeToken since = *flags.since;
  for (std::uint64_t left = flags.limit == 0 ? UINT64_MAX : flags.limit; left > 0;) {
    constexpr std::uint64_t kAtOnce = 1000;
    const std::vector<IndexChange> changes = index.changes(since, std::min(left, kAtOnce));
    if (changes.empty()) break;
    for (const IndexChange& change : changes) text += change_line(change) + "\n";
    print_data(text);
    text.clear();
    left -= changes.size();
    since = changes.back().token;
  }
  if (!text.empty()) print_data(text);
  return kDone;
}

}  // namespace

int index_create(IndexFlags& flags) {
  flags.definition.use_distance_only_as_threshold();
  flags.options.definition = flags.definition.checked();
  if (flags.is_sets) {
    if (flags.definition.features.features_given)
      usage("--sets and --features contradict each other: drop one of them");
    flags.options.definition.features.kind = FeatureKind::tokens;
    flags.options.definition.features.length = 1;
  }
  Session session(flags.run);
  Index::create(flags.words.front(), flags.options, session.context());
  note(session, flags,
       fmt::format("created {}: {}\n", printable(flags.words.front()), describe(flags.options.definition)));
  return kDone;
}

int index_clusters(IndexFlags& flags) {
  if (flags.since && flags.min_documents != 2) usage("--since lists changes: omit --min-size");
  Session session(flags.run);
  const Index index = Index::open(flags.words.front(), {.read_only = true}, session.context());
  session.end_progress();
  if (flags.since) return list_changes(flags, index);
  print_data("cluster\tid\tkept\n");
  constexpr std::size_t kClusters = 100, kMembers = 1000;
  std::uint64_t listed = 0;
  std::string after;
  do {
    const ClustersPage page = index.clusters(kClusters, after, flags.min_documents);
    for (const ClusterSummary& cluster : page.clusters) {
      if (flags.limit != 0 && listed++ == flags.limit) return kDone;
      std::string from;
      do {
        const std::optional<ClusterPage> members = index.cluster(cluster.id, kMembers, from);
        std::string text;
        for (const ClusterMember& member : members->members) text += member_line(cluster.id, member) + "\n";
        print_data(text);
        from = members->next;
      } while (!from.empty());
    }
    after = page.next;
  } while (!after.empty());
  return kDone;
}

int index_stats(IndexFlags& flags) {
  Session session(flags.run);
  const Index index = Index::open(flags.words.front(), {.read_only = true}, session.context());
  const IndexStats stats = index.stats();
  session.end_progress();
  print_data(flags.run.json ? to_json(stats, index.options()) : describe_stats(stats, index.options()));
  return kDone;
}

int index_verify(IndexFlags& flags) {
  Session session(flags.run);
  const VerifyReport report = Index::verify(flags.words.front(), session.context());
  session.end_progress();
  for (const std::string& problem : report.problems) print_data(printable(problem) + "\n");
  if (!report.problems.empty())
    throw Error(ErrorCode::corrupt,
                fmt::format("{}: {} (neardup index rebuild restores search structures)", flags.words.front(),
                            counted(report.problems.size(), "problem", "problems")));
  note(session, flags,
       fmt::format("no damage: {}, {}\n", counted(report.documents, "document", "documents"),
                   counted(report.segments, "segment", "segments")));
  return kDone;
}

int index_rebuild(IndexFlags& flags) {
  Session session(flags.run);
  Index::rebuild(flags.words.front(), flags.rebuilding, session.context());
  note(session, flags, fmt::format("rebuilt {}\n", printable(flags.words.front())));
  return kDone;
}

int index_compact(IndexFlags& flags) {
  Session session(flags.run);
  Index index = Index::open(flags.words.front(), {}, session.context());
  index.compact(session.context());
  const IndexStats stats = index.stats();
  note(session, flags,
       fmt::format("compacted {}: {} on disk\n", printable(flags.words.front()),
                   human_bytes(static_cast<double>(stats.truth_bytes + stats.segment_bytes))));
  return kDone;
}

int index_abandon(IndexFlags& flags) {
  Session session(flags.run);
  Index index = Index::open(flags.words.front(), {}, session.context());
  const std::unique_ptr<KnownDocuments> known = known_documents(index);
  const std::optional<PendingRun> run = known->pending();
  known->abandon();
  note(session, flags,
       run ? fmt::format("abandoned the run that wrote {}; documents that it has added stay\n", printable(run->output))
           : fmt::format("there is no interrupted run\n"));
  return kDone;
}

namespace {

Index open_to_copy(const std::string& path, const Context& context) {
  try {
    return Index::open(path, {}, context);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::locked) throw;
    throw Error(ErrorCode::locked,
                fmt::format("{}, which alone can copy it; neardup serve does so on POST /v1/snapshots", error.what()));
  }
}

}  // namespace

int index_snapshot(IndexFlags& flags) {
  Session session(flags.run);
  const Index index = open_to_copy(flags.words.front(), session.context());
  index.snapshot(flags.words.back(), session.context());
  note(session, flags, fmt::format("copied {} to {}\n", printable(flags.words.front()), printable(flags.words.back())));
  return kDone;
}

int index_restore(IndexFlags& flags) {
  Session session(flags.run);
  Index::restore(flags.words.front(), flags.words.back(), session.context());
  note(session, flags,
       fmt::format("restored {} from {}\n", printable(flags.words.back()), printable(flags.words.front())));
  return kDone;
}

}  // namespace neardup::cli
