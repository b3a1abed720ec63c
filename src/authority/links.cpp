#include "authority/links.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "authority/urls.h"
#include "base/ascii.h"
#include "base/tsv.h"
#include "io/line_file.h"

namespace neardup::authority {
namespace {

using Columns = std::array<std::string_view, 2>;

std::optional<Columns> two_columns(std::string_view line) {
  if (std::count(line.begin(), line.end(), '\t') != 1) return std::nullopt;
  const std::string_view first = base::take_column(line);
  return Columns{first, line};
}

bool is_header(std::uint64_t number, const Columns& columns, std::string_view first, std::string_view second) {
  return number == 1 && base::equals_any_case(columns[0], first) && base::equals_any_case(columns[1], second);
}

}  // namespace

void page_links(DocumentNumber row, std::string_view own, std::string_view base, std::span<const std::string> links,
                std::vector<PageLink>& out) {
  std::string stated;
  if (!base.empty()) stated = resolve_url(own, base);
  const std::string_view from = stated.empty() ? own : std::string_view(stated);
  for (const std::string& link : links) {
    const std::string url = resolve_url(from, link);
    if (!url.empty()) out.push_back({.from = row, .to = name_hash(url)});
  }
}

FoundLinks look_up(std::span<const PageLink> links, const NameTable& names) {
  FoundLinks found;
  for (const PageLink& link : links) {
    if (const std::optional<DocumentNumber> to = names.find_hash(link.to)) {
      found.links.push_back({.from = link.from, .to = *to});
    } else {
      ++found.unknown;
    }
  }
  return found;
}

std::optional<DocumentNumber> find_printed(const NameTable& names, std::string_view id) {
  if (id.find('\\') == id.npos) return names.find(id);
  const std::optional<DocumentNumber> found = names.find(base::unescape_tsv(id));
  return found ? found : names.find(id);
}

FoundLinks read_links(const std::string& path, const NameTable& names, const Context& context) {
  FoundLinks all;
  io::read_lines<FoundLinks>(
      {.path = path, .option = "links", .stage = "reading links"}, context,
      [&](FoundLinks& part, std::string_view line, std::uint64_t number) -> std::string {
        const std::optional<Columns> columns = two_columns(line);
        if (!columns) return "expected two columns, from and to, with a tab between them";
        if (is_header(number, *columns, "from", "to")) return {};
        const std::optional<DocumentNumber> from = find_printed(names, (*columns)[0]),
                                            to = find_printed(names, (*columns)[1]);
        if (from && to) {
          part.links.push_back({.from = *from, .to = *to});
        } else {
          ++part.unknown;
        }
        return {};
      },
      [&](const FoundLinks& part) {
        all.links.insert(all.links.end(), part.links.begin(), part.links.end());
        all.unknown += part.unknown;
      });
  return all;
}

ReadScores read_scores(const std::string& path, const NameTable& names, std::span<double> scores,
                       const Context& context) {
  struct Part {
    std::vector<std::pair<DocumentNumber, double>> scores;
    std::uint64_t unknown = 0;
  };
  ReadScores all;
  io::read_lines<Part>(
      {.path = path, .option = "authority", .stage = "reading scores"}, context,
      [&](Part& part, std::string_view line, std::uint64_t number) -> std::string {
        const std::optional<Columns> columns = two_columns(line);
        if (!columns) return "expected two columns, id and score, with a tab between them";
        if (is_header(number, *columns, "id", "score")) return {};
        const std::optional<double> score = base::parse_number(base::trimmed((*columns)[1]));
        if (!score) return fmt::format("the score {} is not a number", base::quoted_column((*columns)[1]));
        if (const std::optional<DocumentNumber> row = find_printed(names, (*columns)[0])) {
          part.scores.emplace_back(*row, *score);
        } else {
          ++part.unknown;
        }
        return {};
      },
      [&](const Part& part) {
        all.unknown += part.unknown;
        for (const auto& [row, score] : part.scores) {
          ++(std::isfinite(scores[row]) ? all.repeated : all.scores);
          scores[row] = score;
        }
      });
  return all;
}

}  // namespace neardup::authority
