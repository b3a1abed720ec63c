#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "base/guard.h"
#include "base/system.h"
#include "cluster/keep_rules.h"
#include "dedup/audit.h"
#include "dedup/decide.h"
#include "dedup/document_features.h"
#include "dedup/exact_search.h"
#include "dedup/find_pairs.h"
#include "dedup/names_pass.h"
#include "dedup/outputs.h"
#include "dedup/pair_sinks.h"
#include "dedup/pairs_file.h"
#include "dedup/read_pass.h"
#include "dedup/record_names.h"
#include "dedup/run_record.h"
#include "dedup/shared_text.h"
#include "dedup/write_pass.h"
#include "io/formats.h"
#include "join/edit_distance.h"
#include "neardup/dedup.h"
#include "neardup/error.h"

namespace neardup {
namespace {

using namespace dedup;

constexpr std::size_t kExamples = 3;
constexpr std::size_t kExampleCodePoints = 300;
constexpr std::size_t kGiantMembersRead = 100;

// One run of deduplicate(), stage by stage. Each stage leaves its results in the members the next ones read.
class Run {
 public:
  Run(const Collection& collection, const DedupOptions& options, Context& context)
      : collection_(collection),
        options_(options),
        definition_(options.definition),
        context_(context),
        outputs_(collection, options.output, options.on_bad_record, context),
        bad_(options.on_bad_record, outputs_.bad_list(), outputs_.quarantine()),
        keep_(options.keep) {
    check_keep_fields();
    definition_.features = features_for(collection, options.definition.features, options.features_named);
    check_has_strings(definition_);
  }

  DedupReport run() {
    timed("read", [&] { read(); });
    timed("find", [&] { find(); });
    timed("cluster", [&] { cluster(); });
    timed("write", [&] { write(); });
    finish();
    return std::move(report_);
  }

 private:
  template <class Stage>
  void timed(const char* name, Stage&& stage) {
    const base::Stopwatch watch;
    stage();
    report_.stages.push_back({name, watch.seconds()});
  }

  void warn(std::string message) {
    if (context_.observer != nullptr) context_.observer->warning(message);
    report_.warnings.push_back(std::move(message));
  }

  void check_keep_fields() const {
    const std::vector<std::string> fields = keep_.fields();
    const auto& sources = collection_.impl().sources;
    const bool has_fields = std::any_of(sources.begin(), sources.end(), [](const io::Source& source) {
      return source.format->framing != io::Format::Framing::raw;
    });
    if (!fields.empty() && !has_fields) {
      throw Error(ErrorCode::usage, "--keep asks for the field \"" + fields.front() + "\", but " +
                                        std::string(sources.front().format->name) + " records have no fields");
    }
  }

  void read() {
    const bool searches = options_.pairs.empty();
    // Distances of simhashes are searched exactly, under whichever name.
    const bool is_exact = options_.finder == "auto" || options_.finder == "exact" ||
                          (options_.finder == "simhash" && definition_.measure == Measure::hamming);
    if (searches && !is_exact) {
      finder_ = find::make_finder(options_.finder, {.definition = definition_,
                                                    .target_recall = options_.target_recall,
                                                    .distance = options_.distance,
                                                    .seed = options_.seed});
    } else if (searches && compares_sets(definition_.measure)) {
      const Collection* collection = &collection_;
      shared_ = make_shared_filter({&collection, 1}, definition_, context_);
    }
    // The sample's memory, its index included, is kept to an eighth of what is allowed.
    constexpr std::size_t kBytesPerFeature = 64;
    Reservoir sample(options_.seed, kMeasuredWhole, base::memory_bytes(context_) / 8 / kBytesPerFeature);
    const bool measures = options_.measure_recall && finder_ != nullptr;
    read_ = read_collection(collection_, definition_,
                            {.keep = keep_,
                             .bad = bad_,
                             .finder = finder_.get(),
                             .sample = measures ? &sample : nullptr,
                             .shared = shared_.get(),
                             .same_unit = searches ? SameUnit::features : SameUnit::nothing},
                            context_);
    bad_.close();
    if (finder_ != nullptr) sample_ = sample.take();

    report_.definition = definition_;
    report_.records = read_.table.rows();
    report_.bytes = read_.input_bytes;
    report_.without_features = read_.without_features;
    report_.repaired_texts = read_.repaired_texts;
    report_.repeated_ids = read_.ids.count();
    report_.bad = bad_.records();
    report_.copies = report_.records - report_.bad.count - report_.without_features - read_.table.units();
    report_.finder = finder_ != nullptr ? finder_->name() : searches ? "exact" : "pairs";
    if (finder_ != nullptr) report_.finder_parameters = finder_->parameters();
    if (report_.repeated_ids > 0) {
      warn(repeated_ids_warning(report_.repeated_ids));
    }
  }

  // Scores of removed documents and clusters other than components need every pair, the rest only who is connected.
  [[nodiscard]] bool needs_scores() const {
    return outputs_.writes_audit() || (options_.output.annotate && outputs_.writes_records());
  }

  void find() {
    const Wanted wanted =
        needs_scores() || options_.clusters != ClusterKind::components ? Wanted::all_pairs : Wanted::connections;
    if (!options_.pairs.empty()) {
      search_ = take_listed_pairs();
    } else if (finder_ != nullptr) {
      search_ = find_pairs({.collection = collection_,
                            .definition = definition_,
                            .table = read_.table,
                            .content = read_.content,
                            .finder = *finder_,
                            .sample = std::move(sample_),
                            .wanted = wanted,
                            .seed = options_.seed},
                           context_);
    } else {
      search_ = search_exactly(wanted);
    }
    report_.candidates = search_.candidates;
    report_.recall = search_.recall;
    if (report_.recall) warn_of_low_recall(report_.recall->value);
    if (search_.pairs) report_.pairs = search_.pairs->size();
  }

  [[nodiscard]] SearchResult empty_result(Wanted wanted) {
    SearchResult result;
    result.links = std::make_unique<cluster::UnionFind>(read_.table.units());
    if (wanted == Wanted::all_pairs)
      result.pairs = std::make_unique<PairStore>(base::memory_bytes(context_) / 16, context_);
    return result;
  }

  // Pairs that the user brings. Every good record is a unit of its own, so that units and rows only differ by the bad
  // records between them.
  SearchResult take_listed_pairs() {
    SearchResult result = empty_result(Wanted::all_pairs);
    names_ = names_of([&](Row row) { return read_.table.has_unit(row); });
    LinkingSink links(*result.links, result.pairs.get());
    RowsToUnits sink(read_.table, links);
    const PairsFile file = read_pairs_file(options_.pairs, names_, read_.table.rows(), sink, context_);
    result.pairs->finish();
    result.candidates = file.pairs;
    // Only how scores are printed depends on what they measure.
    definition_.measure = file.integer_scores ? Measure::edit : Measure::jaccard;
    definition_.threshold = file.integer_scores ? Threshold{0, 1} : Threshold{1, 1};
    report_.finder_parameters = options_.pairs;
    return result;
  }

  SearchResult search_exactly(Wanted wanted) {
    SearchResult result = empty_result(wanted);
    LinkingSink sink(*result.links, result.pairs.get());
    JoinOptions join;
    if (wanted == Wanted::connections) {
      join.skip = [&](DocId a, DocId b) { return result.links->same(static_cast<Unit>(a), static_cast<Unit>(b)); };
    }
    join.forecast = [&](const JoinForecast& forecast) { warn_of_long_search(forecast); };
    const ExactSide side{collection_, read_.table, read_.content};
    const JoinStats stats = join_units(
        {.sides = {&side, 1}, .definition = definition_, .shared = std::move(shared_), .options = std::move(join)},
        sink, context_);
    result.candidates = stats.candidates;
    report_.finder_parameters = stats.algorithm;
    if (result.pairs) result.pairs->finish();
    return result;
  }

  void warn_of_long_search(const JoinForecast& forecast) {
    constexpr double kLong = 120;
    if (forecast.seconds < kLong) return;
    std::string message =
        "comparing will take about " + std::to_string(static_cast<std::uint64_t>(forecast.seconds / 60)) + " minutes";
    if (definition_.measure != Measure::overlap) {
      message += "; --finder minhash is faster, may miss a few pairs, and measures how many";
    }
    warn(std::move(message));
  }

  // The distance of simhashes is the user's choice, not derived from the threshold as bands are.
  void warn_of_low_recall(double recall) {
    if (options_.finder != "simhash" || recall >= options_.target_recall) return;
    warn(
        fmt::format("simhashes at a distance of at most {} found {:.0f}% of the pairs (measured); a larger --distance "
                    "finds more, --finder exact all",
                    options_.distance, 100 * recall));
  }

  void cluster() {
    oracle_.emplace(definition_, read_.table, search_.store.get());
    decision_.emplace(
        decide(read_.table, search_, *oracle_, keep_, options_.clusters, base::memory_bytes(context_) / 8, context_));
    clusters_ = list_clusters(read_.table, *decision_);
    report_.clusters = clusters_.size();
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
      report_.largest_cluster = std::max(report_.largest_cluster, clusters_.begin[c + 1] - clusters_.begin[c]);
    }
    report_.is_kept.resize(read_.table.rows());
    for (Row row = 0; row < read_.table.rows(); ++row) {
      report_.is_kept[row] = decision_->is_kept(row);
      report_.kept += report_.is_kept[row] ? 1 : 0;
    }
    report_.removed = report_.records - report_.bad.count - report_.kept;
  }

  void write() {
    std::vector<double> scores;
    if (needs_scores()) {
      scores = leader_scores(read_.table, search_, *oracle_, *decision_, context_);
      if (options_.pairs.empty()) names_ = names_of_related();
    }
    if (outputs_.writes_audit()) {
      const Audit audit{.definition = definition_,
                        .table = read_.table,
                        .pairs = *search_.pairs,
                        .names = names_,
                        .oracle = *oracle_,
                        .keep = keep_,
                        .decision = *decision_,
                        .clusters = clusters_,
                        .scores = scores};
      write_file("pairs.tsv", [&](io::ByteSink& out) { write_pairs(audit, out); });
      write_file("clusters.tsv", [&](io::ByteSink& out) { write_clusters(audit, out); });
      write_file("removed.jsonl", [&](io::ByteSink& out) { write_removed(audit, out); });
    }
    const std::vector<Row> examples = choose_examples();
    const std::vector<Row> giant = giant_members();
    std::vector<Row> wanted = giant;
    for (const Row row : examples) {
      wanted.push_back(row);
      wanted.push_back(decision_->kept_for(row));
    }
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    const auto shown = write_records({.collection = collection_,
                                      .definition = definition_,
                                      .table = read_.table,
                                      .ids = read_.ids,
                                      .content = read_.content,
                                      .decision = *decision_,
                                      .names = names_,
                                      .scores = scores,
                                      .clusters = clusters_,
                                      .texts_wanted = std::move(wanted),
                                      .annotate = options_.output.annotate},
                                     outputs_, context_);
    for (const Row row : examples) show_example(row, shown);
    if (!giant.empty()) warn_of_giant(giant, shown);
  }

  void finish() {
    report_.seconds = watch_.seconds();
    report_.peak_memory_bytes = base::peak_memory_bytes();
    if (outputs_.writes_audit()) {
      const RunFacts facts{
          .definition = definition_,
          .text_bytes = read_.text_bytes,
          .features = std::reduce(read_.table.set_size.begin(), read_.table.set_size.end(), std::uint64_t{0})};
      write_file("run.json",
                 [&](io::ByteSink& out) { out.write(run_record(collection_, options_, facts, report_, context_)); });
    }
    base::check_stop(context_);
    outputs_.commit();
    report_.outputs = outputs_.paths();
  }

  template <class Write>
  void write_file(const char* name, Write&& write) {
    const auto sink = outputs_.open(name);
    write(*sink);
    sink->close();
  }

  // Removed documents that differ from the kept one, spread evenly over the collection; copies only when there is
  // nothing else.
  [[nodiscard]] std::vector<Row> choose_examples() const {
    std::vector<Row> near, copies;
    for (const Row row : clusters_.rows) {
      if (decision_->is_kept(row)) continue;
      const bool is_copy = read_.table.unit_of_row[row] == read_.table.unit_of_row[decision_->kept_for(row)];
      (is_copy ? copies : near).push_back(row);
    }
    const std::vector<Row>& from = near.empty() ? copies : near;
    std::vector<Row> chosen;
    const std::size_t count = std::min(kExamples, from.size());
    for (std::size_t i = 0; i < count; ++i) chosen.push_back(from[i * from.size() / count]);
    return chosen;
  }

  // The names of all documents that are in a pair or a cluster.
  [[nodiscard]] Names names_of_related() {
    const UnitTable& table = read_.table;
    std::vector<std::uint32_t> rows_of_root(table.units());
    const auto root = [&](Row row) { return search_.links->find(table.unit_of_row[row]); };
    for (Row row = 0; row < table.rows(); ++row) {
      if (table.has_unit(row)) ++rows_of_root[root(row)];
    }
    return names_of([&](Row row) { return table.has_unit(row) && rows_of_root[root(row)] > 1; });
  }

  [[nodiscard]] Names names_of(const std::function<bool(Row)>& is_wanted) {
    std::vector<bool> wanted(read_.table.rows());
    for (Row row = 0; row < wanted.size(); ++row) wanted[row] = is_wanted(row);
    return collect_names({.collection = collection_,
                          .table = read_.table,
                          .ids = read_.ids,
                          .content = read_.content,
                          .wanted = wanted},
                         context_)
        .names;
  }

  void show_example(Row row, const std::map<Row, Shown>& shown) {
    const Unit unit = read_.table.unit_of_row[row];
    const Unit leader = decision_->leader(unit);
    const Shown& removed = shown.at(row);
    const Shown& kept = shown.at(decision_->kept_for(row));
    report_.examples.push_back(
        {.removed_key = removed.name,
         .removed_text = beginning(removed.text),
         .kept_key = kept.name,
         .kept_text = beginning(kept.text),
         .score = unit == leader ? oracle_->copy_score(unit) : score_of(unit, removed, leader, kept)});
  }

  [[nodiscard]] std::optional<double> score_of(Unit a, const Shown& document_a, Unit b, const Shown& document_b) const {
    if (!options_.pairs.empty()) return listed_score(std::min(a, b), std::max(a, b));
    const similarity::Verifier verifier(definition_);
    if (definition_.measure == Measure::hamming) {
      const std::vector<std::uint32_t>& length = read_.table.length;
      if (!length.empty() && !definition_.lengths_agree(length[a], length[b])) return std::nullopt;
      return verifier.verify(read_.table.bits[a], read_.table.bits[b]);
    }
    if (definition_.measure == Measure::edit)
      return joins::edit_distance_within(
          document_a.string, document_b.string,
          static_cast<std::uint32_t>(std::min<std::uint64_t>(definition_.threshold.num, UINT32_MAX)));
    return verifier.verify(document_a.set, document_b.set);
  }

  [[nodiscard]] std::optional<double> listed_score(Unit left, Unit right) const {
    std::optional<double> score;
    search_.pairs->for_each([&](const Pair& pair) {
      if (pair.left == left && pair.right == right) score = pair.score;
    });
    return score;
  }

  static std::string beginning(const std::string& text) {
    std::size_t end = 0;
    for (std::size_t points = 0; end < text.size() && points <= kExampleCodePoints; ++end) {
      points += (text[end] & 0xc0) != 0x80 ? 1 : 0;
      if (points > kExampleCodePoints) break;
    }
    return text.substr(0, end);
  }

  // Some documents of a cluster that swallows an improbable share of different documents; nobody when there is none.
  [[nodiscard]] std::vector<Row> giant_members() const {
    constexpr std::uint64_t kLeastMembers = 100;
    constexpr double kImprobableShare = 0.05;
    const auto share = kImprobableShare * static_cast<double>(report_.records);
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
      const auto members =
          std::span(clusters_.rows).subspan(clusters_.begin[c], clusters_.begin[c + 1] - clusters_.begin[c]);
      if (members.size() != report_.largest_cluster) continue;
      const auto different = static_cast<std::uint64_t>(
          std::count_if(members.begin(), members.end(), [&](Row row) { return read_.table.is_first(row); }));
      if (different < kLeastMembers || static_cast<double>(different) < share) return {};
      std::vector<Row> some;
      for (std::size_t i = 0; i < kGiantMembersRead; ++i)
        some.push_back(members[i * members.size() / kGiantMembersRead]);
      return some;
    }
    return {};
  }

  void warn_of_giant(std::span<const Row> members, const std::map<Row, Shown>& shown) {
    std::vector<std::string_view> texts;
    for (const Row row : members) texts.push_back(shown.at(row).text);
    std::string message = "one cluster holds " + std::to_string(report_.largest_cluster) + " of " +
                          std::to_string(report_.records) + " documents";
    if (const auto shared = shared_text(texts)) {
      message += "; " + std::to_string(static_cast<int>(shared->share * 100)) + "% of its members share \"" +
                 shared->text + "\"";
    } else {
      message += "; no run of words is shared by most of its members: it is a chain of small changes";
    }
    const bool chained = options_.clusters == ClusterKind::components;
    message += std::string(". If that is not what you want: ") + (chained ? "--clusters star, or " : "") +
               "a higher --threshold";
    warn(std::move(message));
  }

  const Collection& collection_;
  const DedupOptions& options_;
  Definition definition_;
  Context& context_;
  base::Stopwatch watch_;
  Outputs outputs_;
  BadRecordLog bad_;
  cluster::KeepTable keep_;
  std::unique_ptr<find::Finder> finder_;  // null: the search is exact
  std::unique_ptr<joins::SharedFilter> shared_;
  std::vector<Reservoir::Drawn> sample_;
  ReadResult read_;
  SearchResult search_;
  std::optional<SimilarityOracle> oracle_;
  std::optional<Decision> decision_;
  ClusterList clusters_;
  Names names_;
  DedupReport report_;
};

}  // namespace

DedupReport deduplicate(const Collection& collection, const DedupOptions& options, Context& context) {
  return base::guarded([&] {
    options.validate();
    return Run(collection, options, context).run();
  });
}

}  // namespace neardup
