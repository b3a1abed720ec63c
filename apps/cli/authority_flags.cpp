#include "authority_flags.h"

#include <fmt/format.h>

#include "neardup/files.h"
#include "words.h"

namespace neardup::cli {

void add_authority_flags(CLI::App& app, AuthorityOptions& authority) {
  add_value(app, kAuthorityGroup,
            {"--links", "FILE", "Links between documents for PageRank: lines of from TAB to, by id or URL",
             "the links of the pages"},
            [&](const std::string& value) { authority.links = value; });
  add_switch(app, kAuthorityGroup, "--no-page-links", "Ignore the links of the pages",
             [&] { authority.page_links = false; });
  add_value(
      app, kAuthorityGroup,
      {"--authority", "WHAT", "Your own scores instead of PageRank: a field, or a file of id TAB score"},
      [&](const std::string& value) { (system_files().exists(value) ? authority.scores : authority.field) = value; });
  add_value(app, kAuthorityGroup, {"--damping", "D", "PageRank damping factor", fmt::format("{}", authority.damping)},
            [&](const std::string& value) { authority.damping = parse_number("--damping", value); });
  add_value(app, kAuthorityGroup,
            {"--tolerance", "E", "PageRank convergence tolerance", fmt::format("{}", authority.tolerance)},
            [&](const std::string& value) { authority.tolerance = parse_number("--tolerance", value); });
}

}  // namespace neardup::cli
