#include "dedup/read.h"

#include <utility>
#include <variant>

#include "authority/addresses.h"
#include "authority/authority.h"
#include "corpus/census.h"
#include "dedup/keep_column.h"
#include "search/columns.h"
#include "search/exact.h"
#include "search/sketched.h"

namespace neardup::dedup {
namespace {

bool will_search(const Plan& plan, const Checkpoint& resume) { return plan.searches && !resume.has("find"); }

// Whether an interrupted run has left all that reading would find out.
bool is_read(const Plan& plan, const Checkpoint& resume) {
  return resume.has("read") && (!will_search(plan, resume) || resume.has("sketches"));
}

// A twentieth of the collection tells how many documents there will be, on which the time of a search depends.
class ForecastColumn final : public corpus::ColumnOf<std::monostate> {
 public:
  ForecastColumn(const Plan& plan, bool has_against, const report::Outputs& outputs, const Checkpoint& resume,
                 const Context& context)
      : request_(stages_of(plan, outputs, resume)), context_(context) {
    request_.against = nullptr;
    request_.counts = request_.reads = false;
    request_.measures_recall = request_.measures_recall && !has_against;
  }

 private:
  void take_part(std::monostate&, const corpus::FiledBatch& batch) override {
    constexpr std::uint64_t kPart = 20;
    const std::uint64_t all = io::impl_of(request_.collection).input_bytes(), read = batch.so_far.facts.bytes;
    if (is_done_ || read < all / kPart || read == 0) return;
    is_done_ = true;
    request_.documents = static_cast<std::uint64_t>(static_cast<double>(batch.so_far.units.units()) *
                                                    static_cast<double>(all) / static_cast<double>(read));
    report::announce_stages(request_, context_);
  }

  report::PlanRequest request_;
  const Context& context_;
  bool is_done_ = false;
};

// At most a thirtieth of the memory.
report::NearMissLimits near_miss_limits(const Context& context) {
  report::NearMissLimits limits;
  limits.features = std::min<std::size_t>(limits.features, base::memory_bytes(context) / (30 * sizeof(Feature)));
  return limits;
}

// What is common is counted over both collections, which was done when they were compared.
void ignore(const Plan& plan, const search::Against* against, corpus::Corpus& corpus, search::IgnoreColumn& column,
            Reading& reading, const Context& context) {
  if (against != nullptr) {
    reading.ignored = against->ignored;
    search::ignore_known(reading.ignored, corpus, column, reading.seen, context);
  } else {
    reading.ignored = search::ignore_features(plan.options.ignore, {&corpus, 1}, {&column, 1}, reading.seen, context);
  }
}

corpus::Corpus scan(const Plan& plan, const LeftOut& left_out, const corpus::Rarities* rarities,
                    corpus::BadRecordLog& bad, ForecastColumn& forecast, Reading& reading, bool sketches,
                    bool near_misses, const Context& context) {
  corpus::BottomSample sample = search::recall_sample(plan.options.finder.seed, context);
  KeepColumn keep(reading.keep, reading.keep_memory);
  std::vector<corpus::Column*> columns{&keep, &forecast};
  std::optional<search::SketchColumn> sketch_column;
  std::optional<search::SetColumn> set_column;
  search::SampleColumn sample_column(sample, reading.sample_memory);
  const bool ignores = plan.searches && plan.options.ignore.any();
  search::IgnoreColumn ignoring(plan.options.ignore);
  if (ignores) columns.push_back(&ignoring);
  if (sketches && !ignores) columns.push_back(&sketch_column.emplace(*reading.finder, reading.sketch_memory));
  if (const auto takers = reading.seen.takers(0)) columns.push_back(&set_column.emplace(*takers, 0, context));
  // With another collection recall was measured already, on both.
  if (sketches && plan.options.finder.measure_recall && left_out.against == nullptr) columns.push_back(&sample_column);
  std::optional<report::NearMissColumn> misses;
  // The sample has the features as they are in the documents.
  const bool compares_all = !ignores && plan.separated() == nullptr;
  if (near_misses && plan.searches && compares_all && report::NearMissColumn::applies(plan.definition)) {
    columns.push_back(&misses.emplace(plan.definition, plan.options.finder.seed, base::reservation(context),
                                      near_miss_limits(context)));
  }
  corpus::Corpus corpus =
      corpus::take_census(plan.collection, plan.definition,
                          {.units = plan.searches ? corpus::UnitsAre::feature_sets : corpus::UnitsAre::single_rows,
                           .rarities = rarities,
                           .set_aside = left_out.rows,
                           .separation = plan.separated()},
                          bad, columns, context);
  bad.close();
  if (sketches) reading.sample = sample.take();
  if (ignores) ignore(plan, left_out.against, corpus, ignoring, reading, context);
  if (ignores && sketches) {
    search::sketch_units(corpus, reading.seen.kept.front(), *reading.finder, reading.sketch_memory, context);
    search::reduce_sample(corpus, reading.sample);
  }
  if (misses) reading.near_misses = misses->find();
  return corpus;
}

// Data that only the search needs is saved separately and deleted when the search is over.
void save(const Reading& reading, bool for_search, const corpus::BadRecordLog& bad, const report::Outputs& outputs,
          Checkpoint& resume) {
  if (for_search) {
    resume.save("sketches", [&](base::StateWriter& out) {
      if (reading.finder != nullptr) reading.finder->save(out);
      if (reading.seen.shared != nullptr) reading.seen.shared->save(out);
      corpus::BottomSample::save(out, reading.sample);
    });
  }
  resume.save("read", [&](base::StateWriter& out) {
    reading.corpus.save(out);
    reading.ignored.save(out);
    reading.keep.save(out);
    reading.near_misses.save(out);
    bad.save(out, outputs.bad_files());
  });
}

// Whether rows are set aside just where they take no part.
bool agrees(const corpus::Units& units, const PerRow<bool>* left_out) {
  if (left_out != nullptr && left_out->size() != units.rows()) return false;
  for (const Row row : all<Row>(units.rows())) {
    const bool is_left_out = left_out != nullptr && (*left_out)[row] && units.status[row] != RowStatus::bad;
    if ((units.status[row] == RowStatus::set_aside) != is_left_out) return false;
  }
  return true;
}

void load(Reading& reading, const PerRow<bool>* left_out, bool for_search, corpus::BadRecordLog& bad,
          Checkpoint& resume) {
  resume.load("read", [&](base::StateReader& in) {
    reading.corpus.load(in);
    reading.ignored.load(in);
    reading.corpus.ignored = reading.ignored.features;
    if (!agrees(reading.corpus.units, left_out)) in.fail();
    reading.keep.load(in, reading.corpus.units.rows());
    reading.keep_memory.hold(reading.keep.memory_bytes());
    reading.near_misses.load(in, reading.corpus.units.units());
    bad.load(in);
  });
  if (!for_search) return;
  resume.load("sketches", [&](base::StateReader& in) {
    if (reading.finder != nullptr) {
      reading.finder->load(in, reading.corpus.units.size);
      reading.sketch_memory.hold(reading.finder->memory_bytes());
    }
    if (reading.seen.shared != nullptr) reading.seen.shared->load(in, reading.corpus.units.whole_features());
    reading.sample = corpus::BottomSample::load(in, reading.corpus.units.size);
  });
}

}  // namespace

std::optional<AuthorityReport> rank(const Plan& plan, const corpus::Corpus& corpus, cluster::KeepTable& keep,
                                    report::RunFrame& frame, const Context& context) {
  const AuthorityOptions& options = plan.options.authority;
  const authority::Addresses addresses =
      authority::collect_addresses(corpus, {.links = authority::needs_page_links(options, plan.collection)}, context);
  authority::Authority authority = authority::find_authority(options, corpus.units, addresses, context);
  for (std::string& warning : authority.warnings) frame.warn(std::move(warning));
  if (!authority.scores.empty()) keep.set_authority(authority.scores);
  return std::move(authority.report);
}

bool will_count(const Plan& plan, const Checkpoint& resume) {
  const bool against_is_known = plan.against == nullptr || resume.has("against");
  return plan.definition.weights == Weights::tfidf && !(against_is_known && is_read(plan, resume));
}

report::PlanRequest stages_of(const Plan& plan, const report::Outputs& outputs, const Checkpoint& resume) {
  return {.collection = plan.collection,
          .against = resume.has("against") ? nullptr : plan.against,
          .definition = plan.definition,
          .counts = will_count(plan, resume),
          .reads = !is_read(plan, resume),
          .searches = will_search(plan, resume),
          .is_exact = plan.is_exact,
          .measures_recall = plan.options.finder.measure_recall,
          .names = plan.needs_scores || plan.is_given,
          .last = outputs.writes_records() ? "writing" : "looking up examples",
          .codec = outputs.codec()};
}

Reading read(const Plan& plan, const LeftOut& left_out, const corpus::Rarities* rarities, corpus::BadRecordLog& bad,
             const report::Outputs& outputs, Checkpoint& resume, report::RunFrame& frame, const Context& context) {
  Reading reading{.corpus = corpus::Corpus(plan.collection, plan.definition),
                  .keep = cluster::KeepTable(plan.keep),
                  .keep_memory = base::reservation(context),
                  .authority = {},
                  .near_misses = {},
                  .finder = nullptr,
                  .seen = {},
                  .sample = {},
                  .sketch_memory = base::reservation(context),
                  .sample_memory = base::reservation(context)};
  reading.corpus.memory = base::reservation(context);
  const bool for_search = will_search(plan, resume);
  if (plan.searches && !plan.is_exact) {
    reading.finder = search::make_finder(plan.definition, plan.options.finder);
    if (for_search) reading.seen.kept.push_back(search::prepare_kept_sets(plan.collection, plan.definition, context));
  } else if (for_search) {
    const Collection* collection = &plan.collection;
    const auto saved = resume.is_on() ? search::SavedSets::yes : search::SavedSets::no;
    reading.seen = search::prepare_sets({&collection, 1}, plan.definition, saved, context);
  }
  if (is_read(plan, resume)) {
    load(reading, left_out.rows, for_search, bad, resume);
    return reading;
  }
  ForecastColumn forecast(plan, left_out.against != nullptr, outputs, resume, context);
  reading.corpus = scan(plan, left_out, rarities, bad, forecast, reading, for_search && !plan.is_exact,
                        outputs.writes_page(), context);
  if (reading.keep.wants_authority()) reading.authority = rank(plan, reading.corpus, reading.keep, frame, context);
  if (resume.is_on()) save(reading, for_search, bad, outputs, resume);
  return reading;
}

}  // namespace neardup::dedup
