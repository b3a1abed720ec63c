// Which verbs are there? One file each; verbs.cpp has the table.
#pragma once

#include <span>

#include "description.h"

namespace neardup::cli {

// A verb's exit code when nothing was thrown.
inline constexpr int kDone = 0;
inline constexpr int kSomeSkipped = 1;
inline constexpr int kAboveLimit = 5;  // a limit of --fail-above was exceeded; outputs are written

struct Verb {
  VerbText text;
  VerbDescription (*describe)();
  int (*run)(const Arguments&);
};
extern const Verb kDedup;
extern const Verb kPairs;
extern const Verb kWhy;
extern const Verb kCompare;
extern const Verb kFingerprint;
extern const Verb kMatch;
extern const Verb kExtract;
extern const Verb kClean;
extern const Verb kTrim;
extern const Verb kDecontaminate;
extern const Verb kEvaluate;
extern const Verb kAdvise;
extern const Verb kIndex;
extern const Verb kServe;
extern const Verb kReport;
extern const Verb kHelp;
extern const Verb kMan;
extern const Verb kCompletions;

// Those that do the work, then those that tell about them.
std::span<const Verb* const> verbs();
std::span<const Verb* const> working_verbs();
// Null when there is no such verb.
const Verb* verb_named(std::string_view name);
Words verb_names();

}  // namespace neardup::cli
