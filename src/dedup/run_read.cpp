// What is known of every document before any pair is looked for.
#include "authority/authority.h"
#include "search/exact.h"
#include "corpus/row_names.h"
#include "dedup/run.h"

namespace neardup::dedup {

// Both collections together, so that their documents compare.
void Run::count() {
  std::vector<const Collection*> collections{&collection_};
  if (against_collection_ != nullptr) collections.push_back(against_collection_);
  rarities_ = corpus::count_features(collections, definition_, context_);
}

void Run::match_other() {
  if (is_saved("against")) {
    resume("against", [&](base::StateReader& in) { against_.emplace().load(in); });
  } else {
    against_.emplace(search::match_against({.collection = collection_,
                                    .other = *against_collection_,
                                    .definition = definition_,
                                    .options = options_,
                                    .rarities = rarities_.get(),
                                    .wants_names = needs_scores()},
                                   context_));
    if (checkpoint_) checkpoint_->save("against", [&](base::StateWriter& out) { against_->save(out); });
  }
  report_.against_records = against_->records;
  report_.against_removed = against_->matches.size();
  report_.against_bad = against_->bad;
}

void Run::read() {
  const bool is_exact = search::searches_exactly(options_, definition_);
  if (searches() && !is_exact) {
    finder_ = search::finder_for(options_, definition_);
  } else if (will_search() && compares_sets(definition_.measure)) {
    const Collection* collection = &collection_;
    shared_ = search::make_shared_filter({&collection, 1}, definition_, context_);
  }
  if (read_is_saved()) {
    load_read();
  } else {
    scan();
    if (keep_.wants_authority()) rank();
    if (checkpoint_) save_read();
  }

  report_.definition = definition_;
  report_.records = read_.table.rows();
  report_.bytes = read_.input_bytes;
  report_.without_features = read_.without_features;
  report_.repaired_texts = read_.repaired_texts;
  report_.encodings = read_.encodings;
  report_.repeated_ids = read_.ids.count();
  report_.bad = bad_.records();
  report_.copies =
      report_.records - report_.bad.count - report_.without_features - report_.against_removed - read_.table.units();
  report_.finder = !options_.pairs.empty() ? "pairs" : is_exact ? "exact" : options_.finder;
  if (against_) report_.finder_parameters = against_->parameters;
  if (finder_ != nullptr) report_.finder_parameters = finder_->parameters();
  if (report_.repeated_ids > 0) {
    warn(corpus::repeated_ids_warning(report_.repeated_ids));
  }
}

void Run::scan() {
  corpus::Reservoir sample = search::recall_sample(options_, context_);
  // With --against recall was measured already, on both collections.
  const bool sketches = finder_ != nullptr && will_search();
  const bool measures = options_.measure_recall && sketches && !against_;
  read_ = corpus::read_collection(collection_, definition_,
                          {.keep = keep_,
                           .bad = bad_,
                           .finder = sketches ? finder_.get() : nullptr,
                           .sample = measures ? &sample : nullptr,
                           .shared = shared_.get(),
                           .same_unit = searches() ? corpus::SameUnit::features : corpus::SameUnit::nothing,
                           .rarities = rarities_.get(),
                           .left_out = against_ ? &against_->left_out : nullptr,
                           .on_batch = [&](const corpus::ReadResult& so_far) { plan_again(so_far); }},
                          context_);
  bad_.close();
  if (sketches) sample_ = sample.take();
}

void Run::rank() {
  const authority::Addresses addresses = authority::collect_addresses({.collection = collection_,
                                                 .table = read_.table,
                                                 .ids = read_.ids,
                                                 .content = read_.content,
                                                 .wants_links = authority::needs_page_links(options_.authority, collection_)},
                                                context_);
  authority::Authority authority = authority::find_authority(options_.authority, read_.table, addresses, context_);
  for (std::string& warning : authority.warnings) warn(std::move(warning));
  if (!authority.scores.empty()) keep_.set_authority(authority.scores);
  report_.authority = std::move(authority.report);
}

// A twentieth of the collection tells how many documents there will be, on which the time of a search depends.
void Run::plan_again(const corpus::ReadResult& so_far) {
  constexpr std::uint64_t kPart = 20;
  const std::uint64_t all = collection_.impl().input_bytes();
  if (planned_again_ || so_far.input_bytes < all / kPart || so_far.input_bytes == 0) return;
  planned_again_ = true;
  report::PlanRequest rest = plan();
  rest.against = nullptr;
  rest.counts = rest.reads = false;
  rest.measures_recall = rest.measures_recall && !against_;
  rest.documents = static_cast<std::uint64_t>(static_cast<double>(so_far.table.units()) * static_cast<double>(all) /
                                              static_cast<double>(so_far.input_bytes));
  report::announce_stages(rest, context_);
}

// What only the search needs stands apart, and goes when the search is over.
void Run::save_read() {
  if (will_search()) {
    checkpoint_->save("sketches", [&](base::StateWriter& out) {
      if (finder_ != nullptr) finder_->save(out);
      if (shared_ != nullptr) shared_->save(out);
      corpus::Reservoir::save(out, sample_);
    });
  }
  checkpoint_->save("read", [&](base::StateWriter& out) {
    read_.save(out);
    keep_.save(out);
    bad_.save(out, outputs_.bad_files());
  });
}

void Run::load_read() {
  if (will_search()) {
    checkpoint_->load("sketches", [&](base::StateReader& in) {
      if (finder_ != nullptr) finder_->load(in);
      if (shared_ != nullptr) shared_->load(in);
      sample_ = corpus::Reservoir::load(in);
    });
  }
  resume("read", [&](base::StateReader& in) {
    read_.load(in);
    keep_.load(in, read_.table.rows());
    bad_.load(in);
  });
}

}  // namespace neardup::dedup
