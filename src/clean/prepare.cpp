// What is known before the first query is cleaned up.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "clean/run.h"
#include "corpus/row_names.h"
#include "neardup/features.h"

namespace neardup::clean {

void CleanRun::read_log() {
  log_ = clean::read_query_log(options_.log, options_.on_bad_record, context_);
  report_.log_format = log_.format;
  report_.log_lines = log_.lines;
  report_.log_queries = log_.distinct;
  report_.log_searches = log_.searches;
  report_.log_without_words = log_.without_words;
  report_.log_bad = log_.bad;
  for (const clean::LoggedQuery& query : log_.queries) counts_.push_back(query.count);
}

clean::QueryTerms CleanRun::terms() const {
  FeatureExtractor words({.kind = FeatureKind::words, .length = 1}, definition_.hash_seed, definition_.text);
  clean::QueryTerms terms(log_.queries.size());
  for (std::size_t i = 0; i < terms.size(); ++i) words.occurrences(log_.queries[i].text, terms[i]);
  return terms;
}

void CleanRun::read() {
  const bool searches = options_.results.empty();
  const clean::QueryTerms all_terms = searches ? terms() : clean::QueryTerms();
  read_ = read_for_cleaning({.collection = collection_,
                             .options = options_,
                             .definition = definition_,
                             .protection = protection_,
                             .bad = bad_,
                             .terms = searches ? &all_terms : nullptr},
                            context_);
  bad_.close();
  const corpus::ReadResult& documents = read_.documents;
  report_.definition = definition_;
  report_.records = documents.table.rows();
  report_.bytes = documents.input_bytes;
  report_.repaired_texts = documents.repaired_texts;
  report_.encodings = documents.encodings;
  report_.repeated_ids = documents.ids.count();
  report_.bad = bad_.records();
  report_.without_features = static_cast<std::uint64_t>(std::ranges::count(read_.sets.unit_of_row, corpus::kNoUnit));
  if (report_.repeated_ids > 0) warn(corpus::repeated_ids_warning(report_.repeated_ids));
  if (read_.index != nullptr) {
    report_.index_terms = read_.index->terms();
    report_.index_postings = read_.index->postings();
    report_.index_bytes = read_.index->memory_bytes();
  }
}

// authority::Authority, protection and results that speak of documents by their names.
void CleanRun::look_up() {
  if (needs_addresses_here()) {
    authority::Addresses addresses = authority::collect_addresses({.collection = collection_,
                                             .table = read_.documents.table,
                                             .ids = read_.documents.ids,
                                             .content = read_.documents.content,
                                             .wants_links = authority::needs_page_links(options_.authority, collection_),
                                             .wants_names = needs_all_names()},
                                            context_);
    if (authority::needs_addresses(options_.authority, collection_)) {
      authority::Authority authority = authority::find_authority(options_.authority, read_.documents.table, addresses, context_);
      for (std::string& warning : authority.warnings) warn(std::move(warning));
      read_.repository.authority = std::move(authority.scores);
      report_.authority = std::move(authority.report);
    }
    protection_.protect_listed(addresses.table, [&](Row row, std::uint32_t word) { protect(read_, row, word); });
    if (!options_.results.empty()) open_run_file(addresses.table);
    names_ = std::move(addresses.names);
  }
  take_field();
  check_protection();
  report_.results_source = results().describe();
}

void CleanRun::take_field() {
  if (options_.authority.field.empty()) return;
  report_.authority.source = "field";
  report_.authority.documents = static_cast<std::uint64_t>(
      std::ranges::count_if(read_.repository.authority, [](double score) { return score > -HUGE_VAL; }));
  if (report_.authority.documents > 0) return;
  warn(fmt::format("no document has a number in the field \"{}\" (--authority)", options_.authority.field));
  report_.authority.source.clear();
  read_.repository.authority.clear();
}

void CleanRun::check_protection() {
  for (std::size_t word = 0; word < read_.protected_by.size(); ++word) {
    if (read_.protected_by[word] == 0)
      warn(fmt::format("--protect {} protects no document", protection_.words()[word]));
  }
  report_.protected_documents = static_cast<std::uint64_t>(std::ranges::count(read_.repository.is_protected, true));
}

void CleanRun::open_run_file(const authority::NameTable& names) {
  run_file_.emplace(options_.results, log_, names, context_);
  const clean::RunFileCounts& counts = run_file_->counts();
  const auto tell = [&](std::uint64_t count, std::string_view one, std::string_view many, std::string_view then) {
    if (count > 0) warn(fmt::format("{}: {} {}; {}", options_.results, count, count == 1 ? one : many, then));
  };
  tell(counts.unknown_documents, "result is a document that is not in the input",
       "results are documents that are not in the input", "left out");
  tell(counts.unknown_queries, "query id is not in the log", "query ids are not in the log",
       "what they show is left out");
  tell(counts.repeated_documents, "result shows a document again", "results show a document again",
       "the first place counts");
  tell(counts.repeated_ranks, "result repeats a rank", "results repeat a rank", "the higher score goes first");
  tell(counts.unsorted, "result scores higher than the one ranked before",
       "results score higher than the one ranked before", "ranks count");
}

void CleanRun::collect() {
  judge_.emplace(JudgeRequest{.collection = collection_,
                              .definition = definition_,
                              .sets = read_.sets,
                              .content = read_.documents.content,
                              .largest_k = static_cast<unsigned>(options_.k.largest())},
                 context_);
}

}  // namespace neardup::clean
