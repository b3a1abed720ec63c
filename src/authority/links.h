// Which documents link to which?
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "authority/names.h"
#include "neardup/context.h"

namespace neardup::authority {

struct Link {
  DocumentNumber from, to;
  friend auto operator<=>(const Link&, const Link&) = default;
};

// A link of a page whose target is not looked up yet.
struct PageLink {
  DocumentNumber from;
  std::uint64_t to;  // name_hash() of the canonical URL
};

// What a page links to. `own` is the page's address (its URL, or its path): the base of relative links, unless
// the page names a `base` itself. Links that lead to no page are left out.
void page_links(DocumentNumber, std::string_view own, std::string_view base, std::span<const std::string> links,
                std::vector<PageLink>& out);

struct FoundLinks {
  std::vector<Link> links;  // as they came; self-links and repeats are the graph's business
  std::uint64_t unknown = 0;
};
FoundLinks look_up(std::span<const PageLink>, const NameTable&);

// The document that a file of the user's means by an id as outputs print it (\t, \n, \\ escaped), or by a URL.
std::optional<DocumentNumber> find_printed(const NameTable&, std::string_view id);

// from TAB to, each an id (as outputs print it: \t, \n, \\ escaped) or a URL; a first line "from TAB to" is a header.
// Any codec. Throws Error{input} for a line that is not two columns.
FoundLinks read_links(const std::string& path, const NameTable&, const Context&);

// id TAB score, likewise; a first line "id TAB score" is a header. `scores` are by row, minus infinity where there is
// none yet. Throws Error{input} for a score that is not a finite number.
struct ReadScores {
  std::uint64_t scores = 0;    // documents that got one
  std::uint64_t unknown = 0;   // lines whose document is not in the collection
  std::uint64_t repeated = 0;  // lines whose document had a score already: the last one counts
};
ReadScores read_scores(const std::string& path, const NameTable&, std::span<double> scores, const Context&);

}  // namespace neardup::authority
