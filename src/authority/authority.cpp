#include "authority/authority.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "authority/pagerank.h"
#include "base/system.h"
#include "io/collection.h"
#include "io/formats/formats.h"
#include "neardup/error.h"

namespace neardup::authority {
namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

// Bad records are not documents: authority flows among the others only.
struct Nodes {
  std::vector<DocumentNumber> node_of_row;
  std::vector<DocumentNumber> row_of_node;

  explicit Nodes(const corpus::Units& units) : node_of_row(units.rows()) {
    for (const Row row : all<Row>(units.rows())) {
      if (units.status[row] == RowStatus::bad) continue;
      node_of_row[index(row)] = static_cast<DocumentNumber>(row_of_node.size());
      row_of_node.push_back(index(row));
    }
  }
};

Authority rank_pages(const AuthorityOptions& options, const corpus::Units& units, const Addresses& addresses,
                     const Context& context) {
  Authority authority;
  FoundLinks found = options.links.empty() ? look_up(addresses.links, addresses.table)
                                           : read_links(options.links, addresses.table, context);
  authority.report.unknown = found.unknown;
  if (found.links.empty() && options.links.empty()) {
    authority.warnings.emplace_back(
        "no document links to another: there is no authority (`links` or `authority` give one)");
    return authority;
  }
  if (found.links.empty()) {
    authority.warnings.push_back(
        fmt::format("{}: no link leads from one document to another, so all have the same authority", options.links));
  } else if (!options.links.empty() && found.unknown > 0) {
    authority.warnings.push_back(fmt::format("{}: {} of {} links begin or end at documents that are not in the input",
                                             options.links, found.unknown, found.unknown + found.links.size()));
  }
  const Nodes nodes(units);
  for (Link& link : found.links) link = {nodes.node_of_row[link.from], nodes.node_of_row[link.to]};
  PageRank ranked = page_rank(nodes.row_of_node.size(), std::move(found.links), options, context);
  authority.scores.assign(units.rows(), kNone);
  for (std::size_t node = 0; node < ranked.scores.size(); ++node)
    authority.scores[nodes.row_of_node[node]] = ranked.scores[node];
  authority.report = std::move(ranked.report);
  authority.report.source = options.links.empty() ? "pages" : "links";
  authority.report.documents = nodes.row_of_node.size();
  authority.report.unknown = found.unknown;
  return authority;
}

Authority read_authority(const AuthorityOptions& options, const corpus::Units& units, const Addresses& addresses,
                         const Context& context) {
  Authority authority;
  authority.report.source = "file";
  authority.scores.assign(units.rows(), kNone);
  const ReadScores read = read_scores(options.scores, addresses.table, authority.scores, context);
  authority.report.unknown = read.unknown;
  authority.report.documents = read.scores;
  if (read.unknown > 0 || read.repeated > 0) {
    authority.warnings.push_back(fmt::format(
        "{}: {} of {} scores are for documents that are not in the input, {} repeat an id (the last counts)",
        options.scores, read.unknown, read.scores + read.unknown + read.repeated, read.repeated));
  }
  return authority;
}

// Whether there are pages among the documents, which may link to each other.
bool has_pages(const Collection& collection) {
  if (io::impl_of(collection).options.html == Html::all) return true;
  for (const io::Source& source : io::impl_of(collection).sources)
    if (source.format->named_fields) return true;
  return false;
}

}  // namespace

bool needs_page_links(const AuthorityOptions& options, const Collection& collection) {
  return options.links.empty() && options.field.empty() && options.scores.empty() && options.page_links &&
         has_pages(collection);
}

bool needs_addresses(const AuthorityOptions& options, const Collection& collection) {
  return !options.links.empty() || !options.scores.empty() || needs_page_links(options, collection);
}

Authority find_authority(const AuthorityOptions& options, const corpus::Units& units, const Addresses& addresses,
                         const Context& context) {
  const base::Stopwatch watch;
  Authority authority = options.scores.empty() ? rank_pages(options, units, addresses, context)
                                               : read_authority(options, units, addresses, context);
  authority.report.seconds = watch.seconds();
  return authority;
}

}  // namespace neardup::authority

namespace neardup {

void AuthorityOptions::validate() const {
  if (!(damping >= 0 && damping < 1)) {
    throw Error(ErrorCode::usage, fmt::format("`damping` {}: expected a number from 0 to below 1", damping), "damping");
  }
  if (!(tolerance > 0) || !std::isfinite(tolerance)) {
    throw Error(ErrorCode::usage, fmt::format("`tolerance` {}: expected a number above 0", tolerance), "tolerance");
  }
  if (!field.empty() && !scores.empty()) {
    throw Error(ErrorCode::usage,
                fmt::format("`authority` names the field {} and the file {}: expected one of them", field, scores),
                "authority");
  }
  if (!links.empty() && (!field.empty() || !scores.empty())) {
    throw Error(
        ErrorCode::usage,
        fmt::format("`links` {} and `authority` {}: expected one of them", links, field.empty() ? scores : field),
        "authority");
  }
}

}  // namespace neardup
