#include "authority_flags.h"

#include <fmt/format.h>

#include "neardup/files.h"
#include "words.h"

namespace neardup::cli {

void add_authority_flags(CLI::App& app, AuthorityOptions& authority) {
  add_value(app, kAuthorityGroup,
            {"--links", "FILE",
             "Links between documents, from TAB to, by id or URL: PageRank over them is a document's authority",
             "those of pages"},
            [&](const std::string& value) { authority.links = value; });
  add_switch(app, kAuthorityGroup, "--no-page-links", "Take no notice of the links on pages",
             [&] { authority.page_links = false; });
  add_value(
      app, kAuthorityGroup,
      {"--authority", "WHAT", "Scores of your own instead: a field, or an existing file of id TAB score"},
      [&](const std::string& value) { (system_files().exists(value) ? authority.scores : authority.field) = value; });
  add_value(app, kAuthorityGroup,
            {"--damping", "D", "Of PageRank: the chance to follow a link", fmt::format("{}", authority.damping)},
            [&](const std::string& value) { authority.damping = parse_number("--damping", value); });
  add_value(app, kAuthorityGroup,
            {"--tolerance", "E", "PageRank ends when a round changes all scores together by less",
             fmt::format("{}", authority.tolerance)},
            [&](const std::string& value) { authority.tolerance = parse_number("--tolerance", value); });
}

}  // namespace neardup::cli
