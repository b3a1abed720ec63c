// Running the whole job on tiny inputs, and what it says.
#pragma once

#include <functional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "io/collection.h"
#include "neardup/dedup.h"
#include "support/naive.h"
#include "support/scratch.h"

namespace neardup::test {

inline std::string as_jsonl(const std::vector<NaiveDocument>& documents) {
  std::string lines;
  for (const NaiveDocument& document : documents) {
    lines += "{\"id\":\"" + document.id + "\",\"text\":\"" + document.text + "\"";
    if (document.rank) lines += ",\"rank\":\"" + *document.rank + "\"";
    lines += "}\n";
  }
  return lines;
}

inline std::vector<NaiveDocument> numbered(const std::vector<std::string>& texts) {
  std::vector<NaiveDocument> documents;
  for (const std::string& text : texts)
    documents.push_back({.id = "d" + std::to_string(documents.size()), .text = text});
  return documents;
}

// `edit` compares strings and takes no features.
inline Definition words_definition(unsigned length, Measure measure, Threshold threshold) {
  FeatureSpec features;
  if (measure != Measure::edit) features = {.kind = FeatureKind::words, .length = length};
  return {.features = features, .measure = measure, .threshold = threshold};
}

// Single words of which three in five agree.
inline const Definition kWords = words_definition(1, Measure::jaccard, {3, 5});

// run.json, or the data of report.html, without what may differ between two runs of the same command.
inline std::string without_times(std::string run_json) {
  if (const std::size_t data = run_json.find("id=\"data\">"); data != std::string::npos)
    run_json = run_json.substr(data, run_json.find("</script>", data) - data);
  static const std::regex times(
      R"rx("(seconds|peak_memory_bytes)": *[^,}\n]*|"stage_seconds": *\{[^}]*\}|\s*"resumed": *\[[^\]]*\],)rx");
  return std::regex_replace(run_json, times, "");
}

inline bool has_times(const std::string& name) { return name.ends_with("run.json") || name.ends_with("report.html"); }

using IndexPairs = std::set<std::pair<std::size_t, std::size_t>>;

// The rows of pairs.tsv of a collection whose ids are row numbers.
inline IndexPairs parse_pairs(const std::string& tsv) {
  IndexPairs pairs;
  std::istringstream in(tsv);
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    const std::size_t tab = line.find('\t');
    EXPECT_TRUE(pairs.emplace(std::stoul(line), std::stoul(line.substr(tab + 1))).second) << "twice: " << line;
  }
  return pairs;
}

// One run over texts held in memory. Ids are row numbers; every file of the output folder is kept.
struct TextsRun {
  DedupReport report;
  Clusters clusters;
  std::map<std::string, std::string> files;

  TextsRun(std::vector<std::string> texts, DedupOptions options, Context context = {}) {
    const ScratchFolder scratch;
    context.temp_folder = scratch.path();
    options.output.path = scratch / "out";
    DedupResult result = deduplicate(Collection::from_texts(std::move(texts)), options, context);
    report = std::move(result.report);
    clusters = std::move(result.clusters);
    files = everything_in(scratch / "out");
  }

  [[nodiscard]] IndexPairs pairs() const { return parse_pairs(files.at("pairs.tsv")); }
  [[nodiscard]] std::vector<std::size_t> kept() const {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < clusters.rows(); ++row) {
      if (clusters.is_kept(row)) rows.push_back(row);
    }
    return rows;
  }
};

// Calls a function at every event of a run.
class EveryEvent final : public Observer {
 public:
  explicit EveryEvent(std::function<void(std::string_view stage)> call) : call_(std::move(call)) {}
  void stage(std::string_view name, std::uint64_t, std::string_view) override { call_(name); }
  void advance(std::uint64_t) override { call_(""); }
  void warning(std::string_view) override { call_(""); }

 private:
  std::function<void(std::string_view)> call_;
};

}  // namespace neardup::test
