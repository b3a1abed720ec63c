// `pairs`: read, join, expand copies, sort, name, write.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/guard.h"
#include "base/system.h"
#include "cluster/keep_rules.h"
#include "corpus/bad_records.h"
#include "corpus/definition_for.h"
#include "corpus/encoding_counts.h"
#include "search/exact.h"
#include "corpus/rarities.h"
#include "corpus/names.h"
#include "search/pair_store.h"
#include "corpus/census.h"
#include "corpus/row_names.h"
#include "report/run_record.h"
#include "report/stage_plan.h"
#include "report/tsv_output.h"
#include "io/codecs/codecs.h"
#include "io/formats/formats.h"
#include "io/output.h"
#include "join/copies.h"
#include "neardup/error.h"
#include "neardup/hamming.h"
#include "neardup/pairs.h"
#include "neardup/text_rules.h"
#include "neardup/similarity.h"

namespace neardup {
namespace {

using namespace corpus;
using namespace search;
using namespace report;

constexpr double kEnormous = 20e6;  // pairs: half a gigabyte and more of text

// The paper's section 7.5: a kind of features with an algorithm, under one name.
struct Combination {
  std::string_view name;
  FeatureSpec features;
  std::string_view algorithm;
};
constexpr FeatureSpec kFourGrams{.kind = FeatureKind::chars, .length = 4};
constexpr std::array<Combination, 3> kCombinations{{
    {"qp", kFourGrams, "ppjoin+"},
    {"qa", kFourGrams, "all-pairs"},
    {"sp", {.kind = FeatureKind::chars, .length = 4, .minwise = 32}, "ppjoin+"},
}};

const Combination* combination(const std::string& algorithm) {
  const auto found = std::ranges::find(kCombinations, algorithm, &Combination::name);
  return found == kCombinations.end() ? nullptr : &*found;
}

// One collection and what was read of it.
struct Side {
  const Collection& collection;
  corpus::ReadResult read;
};

// One run of list_pairs(), stage by stage.
class Listing {
 public:
  Listing(const Collection& collection, const Collection* against, const PairsOptions& options, const Context& context)
      : options_(options), definition_(options.definition), context_(context) {
    collections_.push_back(&collection);
    if (against != nullptr) collections_.push_back(against);
    choose_definition();
    check_shown_fields();
    for (const std::string& output : {options.output, options.stats}) {
      if (output.empty() || output == "-") continue;
      for (const Collection* input : collections_) io::check_apart_from_inputs(*input, output);
    }
    out_.emplace(options.output, options.overwrite, context);
    if (!options.stats.empty()) {
      stats_ = std::make_unique<io::OutputTransaction>(options.stats, options.overwrite, context);
    }
  }

  PairsReport run() {
    corpus::BadRecordLog bad(options_.on_bad_record, {}, {});
    report_.has_against = collections_.size() == 2;
    report_.definition = definition_;
    report::announce_stages({.collection = *collections_.front(),
                     .against = report_.has_against ? collections_.back() : nullptr,
                     .definition = definition_,
                     .counts = definition_.weights == Weights::tfidf,
                     .reads = !report_.has_against,
                     .searches = !report_.has_against},
                    context_);
    {
      const std::vector<Side> sides = read(definition_, &bad);
      bad.close();
      report_.bad = bad.records();
      describe(sides);
      pairs_.emplace(base::memory_bytes(context_) / 8, context_);
      report_.join = join(sides, definition_, options_.max_pairs, *pairs_);
      if (combination(options_.algorithm) != nullptr) report_.join.algorithm = options_.algorithm;
      pairs_->finish();
      if (options_.max_pairs != 0 && report_.join.stopped) {
        warn(fmt::format("stopped at {} pairs (--max-pairs); there are more", options_.max_pairs));
      }
      if (definition_.features.minwise != 0 && options_.measure_recall) measure_recall();
      write(sides);
    }
    report_.join.peak_bytes = base::peak_memory_bytes();
    report_.seconds = watch_.seconds();
    if (stats_ != nullptr) {
      const auto sink = io::open_sink(base::files(context_), stats_->working_path(), io::plain_codec());
      sink->write(report::stats_json(report_) + "\n");
      sink->close();
    }
    base::check_stop(context_);
    io::OutputTransaction::commit_together({out_->transaction(), stats_.get()});
    return std::move(report_);
  }

 private:
  void warn(std::string message) {
    if (context_.observer != nullptr) context_.observer->warning(message);
    report_.warnings.push_back(std::move(message));
  }

  void choose_definition() {
    algorithm_ = options_.algorithm;
    const Combination* combined = combination(options_.algorithm);
    if (combined != nullptr) {
      algorithm_ = combined->algorithm;
      const bool bag = definition_.features.bag;
      if (!options_.features_named) {
        definition_.features = combined->features;
      } else if (combined->features.minwise == 0 || definition_.features.minwise == 0) {
        throw Error(ErrorCode::usage,
                    fmt::format("--algorithm {} is {} on {}: leave --features out{}", combined->name,
                                combined->algorithm, to_string(combined->features),
                                combined->features.minwise == 0 ? "" : ", or give another minwise:K"));
      }
      definition_.features.bag = bag;
    }
    // Texts have features unless they are compared as strings; sets bring their own.
    const bool named = options_.features_named || combined != nullptr;
    FeatureSpec spec = definition_.features;
    for (const Collection* collection : collections_) spec = corpus::features_for(*collection, definition_.features, named);
    if (collections_.size() == 2) check_same_kind();
    definition_.features = spec;
    if (definition_.measure == Measure::edit && options_.features_named) {
      throw Error(ErrorCode::usage, "--measure edit compares strings, not features: leave --features out");
    }
    corpus::check_has_strings(definition_);
    for (const Collection* collection : collections_) corpus::check_field_weights(*collection, definition_);
  }

  void check_same_kind() const {
    const auto has_sets = [](const Collection& collection) {
      return collection.impl().sources.front().format->name == "sets";
    };
    if (has_sets(*collections_[0]) != has_sets(*collections_[1])) {
      throw Error(ErrorCode::usage, "`sets` inputs and texts have no features in common; give one kind only");
    }
  }

  void check_shown_fields() const {
    if (options_.show.empty()) return;
    for (const Collection* collection : collections_) {
      const io::Format& format = *collection->impl().sources.front().format;
      if (!format.has_fields()) {
        throw Error(ErrorCode::usage, fmt::format("--show asks for the field \"{}\", but {} records have no fields",
                                                  options_.show.front(), format.name));
      }
    }
  }

  [[nodiscard]] std::vector<Side> read(const Definition& definition, corpus::BadRecordLog* bad) {
    corpus::BadRecordLog unheard(OnBadRecord::skip, {}, {});
    shared_.reset();
    if (compares_sets(definition.measure)) shared_ = search::make_shared_filter(collections_, definition, context_);
    const std::unique_ptr<const corpus::Rarities> rarities = corpus::count_features(collections_, definition, context_);
    std::vector<Side> sides;
    for (const Collection* collection : collections_) {
      cluster::KeepTable nothing_to_keep({});
      sides.push_back({*collection, corpus::read_collection(*collection, definition,
                                                    {.keep = nothing_to_keep,
                                                     .bad = bad != nullptr ? *bad : unheard,
                                                     .shared = shared_.get(),
                                                     .side = static_cast<unsigned>(sides.size()),
                                                     .rarities = rarities.get()},
                                                    context_)});
    }
    return sides;
  }

  void describe(const std::vector<Side>& sides) {
    corpus::EncodingCounts encodings;
    for (const Side& side : sides) {
      const corpus::UnitTable& table = side.read.table;
      const auto good = static_cast<std::uint64_t>(std::count_if(table.unit_of_row.begin(), table.unit_of_row.end(),
                                                                 [](Unit unit) { return unit != corpus::kBadRecord; }));
      (&side == &sides.front() ? report_.records : report_.against_records) = good;
      report_.without_features += side.read.without_features;
      report_.repaired_texts += side.read.repaired_texts;
      report_.repeated_ids += side.read.ids.count();
      encodings.add(side.read.encodings);
    }
    report_.encodings = encodings.list();
    if (report_.repeated_ids > 0) warn(corpus::repeated_ids_warning(report_.repeated_ids));
  }

  // All pairs of rows.
  JoinStats join(const std::vector<Side>& sides, const Definition& definition, std::uint64_t max_pairs,
                 search::PairStore& pairs) {
    std::vector<joins::Copies> copies;
    std::vector<search::ExactSide> exact;
    for (const Side& side : sides) {
      const corpus::UnitTable& table = side.read.table;
      copies.emplace_back(table.unit_of_row, static_cast<std::uint32_t>(table.units()));
      exact.push_back({side.collection, table, side.read.content});
    }
    JoinOptions options{.algorithm = algorithm_,
                        .suffix_depth = options_.suffix_depth,
                        .gram_length = options_.gram_length,
                        .max_pairs = max_pairs};
    options.forecast = [&](const JoinForecast& forecast) { warn_of_forecast(forecast); };
    joins::ExpandingSink expanding(copies, options, pairs);
    if (sides.size() == 1) {
      warn_of_copies(copies.front());
      const Verifier verifier(definition);
      expanding.add_copies(
          [&](std::uint32_t unit) { return verifier.identity_score(sides.front().read.table.set_size[unit]); });
    }
    JoinStats stats =
        search::join_units({.sides = exact, .definition = definition, .shared = std::move(shared_), .options = options},
                   expanding, context_);
    expanding.finish();
    stats.stopped = stats.stopped || expanding.stopped();
    return stats;
  }

  void warn_of_copies(const joins::Copies& copies) {
    double pairs = 0;
    for (std::uint32_t group = 0; group < copies.groups(); ++group) {
      const auto size = static_cast<double>(copies.members(group).size());
      pairs += size * (size - 1) / 2;
    }
    if (pairs > kEnormous) warn_of_enormous(pairs, "pairs of equal records");
  }

  void warn_of_forecast(const JoinForecast& forecast) {
    constexpr double kLong = 120;
    if (context_.observer != nullptr) context_.observer->expect(forecast.seconds);
    if (forecast.pairs > kEnormous) warn_of_enormous(forecast.pairs, "pairs");
    if (forecast.seconds > kLong) warn(fmt::format("comparing will take about {:.0f} minutes", forecast.seconds / 60));
  }

  void warn_of_enormous(double pairs, std::string_view what) {
    warn(fmt::format("about {:.0f} million {} are coming: --max-pairs N stops early, and {} finds fewer", pairs / 1e6,
                     what, is_distance(definition_.measure) ? "a lower --threshold" : "a higher --threshold"));
  }

  // Features that only estimate: the same pairs by the whole feature sets, for comparison.
  void measure_recall() {
    Definition whole = definition_;
    whole.features.minwise = 0;
    search::PairStore truth(base::memory_bytes(context_) / 8, context_);
    {
      const std::vector<Side> sides = read(whole, nullptr);
      join(sides, whole, 0, truth);
      truth.finish();
    }
    std::vector<std::pair<DocId, DocId>> found;
    pairs_->for_each([&](const Pair& pair) { found.emplace_back(pair.left, pair.right); });
    std::uint64_t common = 0;
    truth.for_each([&](const Pair& pair) {
      common += std::binary_search(found.begin(), found.end(), std::pair(pair.left, pair.right)) ? 1 : 0;
    });
    const auto share = [&](std::uint64_t of) {
      return of == 0 ? 1.0 : static_cast<double>(common) / static_cast<double>(of);
    };
    report_.recall = share(truth.size());
    report_.precision = share(found.size());
  }

  void write(const std::vector<Side>& sides) {
    std::vector<std::vector<bool>> wanted;
    for (const Side& side : sides) wanted.emplace_back(side.read.table.rows());
    for_each_chosen([&](const Pair& pair) {
      wanted.front()[pair.left] = true;
      wanted.back()[pair.right] = true;
    });
    std::vector<corpus::NamedRows> named;
    for (std::size_t s = 0; s < sides.size(); ++s) {
      named.push_back(corpus::collect_names({.collection = sides[s].collection,
                                     .table = sides[s].read.table,
                                     .ids = sides[s].read.ids,
                                     .content = sides[s].read.content,
                                     .wanted = wanted[s],
                                     .fields = options_.show},
                                    context_));
    }
    warn_of_missing_fields(named);
    std::string line = "left\tright\tscore";
    for (const std::string& field : options_.show) {
      line += "\tleft_" + base::escape_tsv(field) + "\tright_" + base::escape_tsv(field);
    }
    out_->write(line + "\n");
    // A left record often has several partners in a row.
    std::string left_name;
    DocId named_left = ~DocId{0};
    for_each_chosen([&](const Pair& pair) {
      const auto left = static_cast<Row>(pair.left), right = static_cast<Row>(pair.right);
      if (pair.left != named_left) left_name = base::escape_tsv(named.front().names[left]) + '\t';
      named_left = pair.left;
      line = left_name;
      base::append_escaped(line, named.back().names[right]);
      line += '\t';
      line += format_score(definition_.measure, pair.score);
      for (std::size_t field = 0; field < options_.show.size(); ++field) {
        line += '\t' + base::escape_tsv(named.front().fields[field][left]);
        line += '\t' + base::escape_tsv(named.back().fields[field][right]);
      }
      line += '\n';
      out_->write(line);
      ++report_.pairs;
    });
    out_->close();
  }

  void warn_of_missing_fields(const std::vector<corpus::NamedRows>& named) {
    for (std::size_t field = 0; field < options_.show.size(); ++field) {
      const bool somebody_has_it =
          std::any_of(named.begin(), named.end(), [&](const corpus::NamedRows& side) { return side.fields[field].has_text(); });
      if (!somebody_has_it && pairs_->size() > 0) {
        warn(fmt::format("no record in a pair has the field \"{}\" (--show)", options_.show[field]));
      }
    }
  }

  // The pairs to be written, in order: all, or the best ones of each left record.
  void for_each_chosen(const std::function<void(const Pair&)>& visit) const {
    if (options_.top == 0) return pairs_->for_each(visit);
    const bool small_is_good = is_distance(definition_.measure);
    const auto better = [&](const Pair& a, const Pair& b) {
      if (a.score != b.score) return small_is_good ? a.score < b.score : a.score > b.score;
      return a.right < b.right;
    };
    std::vector<Pair> of_one;
    const auto cut = [&] {
      if (of_one.size() <= options_.top) return;
      std::nth_element(of_one.begin(), of_one.begin() + static_cast<std::ptrdiff_t>(options_.top), of_one.end(),
                       better);
      of_one.resize(options_.top);
    };
    const auto close = [&] {
      cut();
      std::sort(of_one.begin(), of_one.end(), [](const Pair& a, const Pair& b) { return a.right < b.right; });
      std::for_each(of_one.begin(), of_one.end(), visit);
      of_one.clear();
    };
    pairs_->for_each([&](const Pair& pair) {
      if (!of_one.empty() && of_one.front().left != pair.left) close();
      of_one.push_back(pair);
      constexpr std::size_t kWaiting = 4096;
      if (of_one.size() >= options_.top + kWaiting) cut();
    });
    close();
  }

  const PairsOptions& options_;
  Definition definition_;
  std::string algorithm_;
  const Context& context_;
  base::Stopwatch watch_;
  std::vector<const Collection*> collections_;
  std::unique_ptr<joins::SharedFilter> shared_;
  std::optional<report::TsvOutput> out_;
  std::unique_ptr<io::OutputTransaction> stats_;
  std::optional<search::PairStore> pairs_;
  PairsReport report_;
};

}  // namespace

std::vector<std::string> pair_algorithms(Measure measure) {
  if (measure == Measure::hamming) {
    std::vector<std::string> exact{"auto"};
    for (const HammingKind& kind : hamming_kinds()) {
      if (kind.exact) exact.emplace_back(kind.name);
    }
    return exact;
  }
  std::vector<std::string> names = join_algorithms(measure);
  if (compares_sets(measure)) {
    for (const Combination& combined : kCombinations) names.emplace_back(combined.name);
  }
  return names;
}

void PairsOptions::validate() const {
  definition.validate();
  check_rules(definition.text);
  const std::vector<std::string> names = pair_algorithms(definition.measure);
  if (std::ranges::find(names, algorithm) == names.end()) {
    throw Error(ErrorCode::usage, fmt::format("\"{}\" is no algorithm for {}; there are: {} (--algorithm)", algorithm,
                                              to_string(definition.measure), fmt::join(names, ", ")));
  }
  if (on_bad_record == OnBadRecord::quarantine) {
    throw Error(ErrorCode::usage, "--on-bad-record quarantine is for dedup; here it is skip or fail");
  }
}

PairsReport list_pairs(const Collection& collection, const Collection* against, const PairsOptions& options,
                       const Context& context) {
  return base::guarded([&] {
    options.validate();
    return Listing(collection, against, options, context).run();
  });
}

}  // namespace neardup
