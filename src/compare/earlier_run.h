// What does the output folder of an earlier run say about it?
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "neardup/collection.h"
#include "neardup/context.h"
#include "neardup/definition.h"

namespace neardup::comparison {

// Inputs as run.json names them, and how they were read.
struct EarlierInputs {
  std::vector<std::string> paths;
  ReadOptions reading;
};

struct EarlierRun {
  std::filesystem::path folder;
  std::string record{};                    // run.json
  std::string verb{};                      // that it was
  std::string clusters{};                  // their kind; empty for other verbs than dedup
  std::optional<Definition> definition{};  // none: the pairs were given
  // What chose among pairs that were given; none: nothing.
  std::optional<Threshold> pairs_threshold{};
  Measure pairs_measure = Measure::jaccard;
  EarlierInputs inputs{}, against{};
};

// Throws Error{input} when the folder holds no run.json, or one that cannot be understood.
EarlierRun read_earlier_run(const std::string& folder, const Context&);

// A line of removed.jsonl.
struct RemovedLine {
  std::string kept, rule, score;  // empty for null
  bool from_against = false, from_index = false;
};
// Calls `visit` with every line; returns when it returns false. A run without that file has no lines.
void for_each_removed(const EarlierRun&, const std::function<bool(const std::string& id, RemovedLine&&)>& visit,
                      const Context&);
std::optional<RemovedLine> find_removed(const EarlierRun&, const std::string& id, const Context&);

// The members of the cluster that holds the document, in input order; none: it is in none.
struct EarlierCluster {
  std::string name;  // its kept document
  std::vector<std::string> members;
};
EarlierCluster find_cluster(const EarlierRun&, const std::string& id, const Context&);

// Calls `visit` with the columns of every line of a TSV file of the run below its header, unescaped; returns when it
// returns false. A file that is not there has no lines.
void for_each_row(const EarlierRun&, const char* file,
                  const std::function<bool(const std::vector<std::string>&)>& visit, const Context&);

}  // namespace neardup::comparison
