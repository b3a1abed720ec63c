#include "clean/lookup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "authority/addresses.h"
#include "authority/authority.h"

namespace neardup::clean {
namespace {

void take_field(const std::string& field, CleanRead& read, AuthorityReport& report, report::RunFrame& frame) {
  if (field.empty()) return;
  report.source = "field";
  report.documents = static_cast<std::uint64_t>(
      std::ranges::count_if(read.repository.authority, [](double score) { return score > -HUGE_VAL; }));
  if (report.documents > 0) return;
  frame.warn(fmt::format("no document has a number in the field \"{}\" (`authority`)", field));
  report.source.clear();
  read.repository.authority.clear();
}

void warn_of_idle_words(const Protection& protection, const CleanRead& read, report::RunFrame& frame) {
  for (std::size_t word = 0; word < read.protected_by.size(); ++word) {
    if (read.protected_by[word] == 0)
      frame.warn(fmt::format("`protect` {} protects no document", protection.words()[word]));
  }
}

void warn_of_oddities(const std::string& path, const RunFileCounts& counts, report::RunFrame& frame) {
  const auto tell = [&](std::uint64_t count, std::string_view one, std::string_view many, std::string_view then) {
    if (count > 0) frame.warn(fmt::format("{}: {} {}; {}", path, count, count == 1 ? one : many, then));
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

}  // namespace

bool has_authority(const CleanOptions& options, const Collection& collection) {
  return !options.authority.field.empty() || authority::needs_addresses(options.authority, collection);
}

bool needs_addresses(const CleanPlan& plan) {
  return authority::needs_addresses(plan.options.authority, plan.collection) || plan.protection.needs_addresses() ||
         !plan.options.results.empty();
}

Lookup look_up(const CleanPlan& plan, const QueryLog& log, CleanRead& read, CleanReport& report,
               report::RunFrame& frame, const Context& context) {
  const CleanOptions& options = plan.options;
  Lookup found;
  if (needs_addresses(plan)) {
    const bool wants_links = authority::needs_page_links(options.authority, plan.collection);
    authority::Addresses addresses =
        authority::collect_addresses(read.corpus, {.links = wants_links, .names = plan.names_all}, context);
    if (authority::needs_addresses(options.authority, plan.collection)) {
      authority::Authority authority =
          authority::find_authority(options.authority, read.corpus.units, addresses, context);
      for (std::string& warning : authority.warnings) frame.warn(std::move(warning));
      read.repository.authority = std::move(authority.scores);
      report.authority = std::move(authority.report);
    }
    plan.protection.protect_listed(addresses.table,
                                   [&](DocumentNumber row, std::uint32_t word) { read.protect(row, word); });
    if (!options.results.empty()) {
      found.run_file.emplace(options.results, log, addresses.table, context);
      warn_of_oddities(options.results, found.run_file->counts(), frame);
    }
    found.names = std::move(addresses.names);
  }
  take_field(options.authority.field, read, report.authority, frame);
  warn_of_idle_words(plan.protection, read, frame);
  report.protected_documents = static_cast<std::uint64_t>(std::ranges::count(read.repository.is_protected, true));
  return found;
}

}  // namespace neardup::clean
