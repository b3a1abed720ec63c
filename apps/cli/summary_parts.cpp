#include "summary_parts.h"

#include <fmt/format.h>

#include "option_names.h"
#include "summary.h"
#include "words.h"

namespace neardup::cli {

std::string bad_count(const BadRecords& bad, const char* what_became_of_them) {
  if (bad.count == 0) return "";
  return fmt::format("{} {}\n", counted(bad.count, "bad record", "bad records"), what_became_of_them);
}

std::string without_features(std::uint64_t count, const FeatureSpec& features, const char* what_became_of_them) {
  if (count == 0) return "";
  return fmt::format("{} without {}, {}\n", counted(count, "document", "documents"),
                     features.kind == FeatureKind::tokens ? "features" : "words", what_became_of_them);
}

std::string describe(const Definition& definition) {
  const std::string rule = fmt::format("{} {} {}", to_string(definition.measure),
                                       is_distance(definition.measure) ? "<=" : ">=", to_string(definition.threshold));
  if (definition.measure == Measure::edit) return (definition.as_is ? "unchanged texts, " : "folded texts, ") + rule;
  return fmt::format("{}{}, {}", to_string(definition.features), definition.features.bag ? " (bag)" : "", rule);
}

std::string describe(const std::vector<EncodingCount>& encodings) {
  std::string declared, guessed;
  for (const EncodingCount& encoding : encodings) {
    std::string& list = encoding.detected ? guessed : declared;
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", with_commas(encoding.documents), encoding.name);
  }
  if (!declared.empty()) declared = fmt::format("texts not in UTF-8: {}\n", declared);
  if (!guessed.empty()) guessed = fmt::format("encoding guessed: {} (--encoding NAME forces one)\n", guessed);
  return declared + guessed;
}

std::string mended(std::uint64_t repaired_texts, std::uint64_t repeated_ids) {
  std::string out;
  if (repaired_texts > 0)
    out += fmt::format(
        "{} with invalid UTF-8, repaired (if the input is in another encoding, name it: --encoding latin1)\n",
        counted(repaired_texts, "text", "texts"));
  if (repeated_ids > 0)
    out += fmt::format("{} (shown as ID#2, ID#3, ...)\n", counted(repeated_ids, "repeated id", "repeated ids"));
  return out;
}

std::string whole_pages(std::uint64_t count) {
  if (count == 0) return "";
  return fmt::format("{} without main text: all of the text was used\n", counted(count, "page", "pages"));
}

std::string describe(const CompanionRecords& companions) {
  if (companions.copied + companions.dropped == 0) return "";
  return fmt::format("{} (requests, metadata) copied with the kept pages, {} dropped\n",
                     counted(companions.copied, "other record", "other records"), with_commas(companions.dropped));
}

std::string describe(const BadRecords& bad) {
  std::string out;
  for (const BadRecord& record : bad.first) {
    const std::string place = record.number == 0 ? record.path : fmt::format("{}:{}", record.path, record.number);
    out += printable(fmt::format("{}: {}", place, with_flags(record.reason))) + "\n";
  }
  if (bad.count > bad.first.size()) out += fmt::format("... and {} more\n", with_commas(bad.count - bad.first.size()));
  return out;
}

std::string describe(const AuthorityReport& authority) {
  if (authority.source.empty()) return "";
  if (authority.source == "field" || authority.source == "file")
    return fmt::format("authority: scores of {}\n", counted(authority.documents, "document", "documents"));
  return fmt::format("authority: PageRank over {} of {} ({})\n", counted(authority.links, "link", "links"),
                     authority.source == "pages" ? "pages" : "--links", counted(authority.rounds, "round", "rounds"));
}

std::string what_was_written(const OutputOptions& output, const std::vector<std::string>& paths) {
  if (output.path.empty()) return "nothing was written (-o OUT writes the kept documents and what was removed)\n";
  if (output.dry_run) return "dry run: nothing was written\n";
  std::string out;
  for (const std::string& path : paths) {
    if (path != "-") out += fmt::format("written: {}\n", printable(path));
  }
  return out;
}

}  // namespace neardup::cli
