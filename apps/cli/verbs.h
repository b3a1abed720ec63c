// Which verbs are there? One file each; main.cpp has the table.
#pragma once

#include "app.h"

namespace neardup::cli {

// A verb's exit code when nothing was thrown.
inline constexpr int kDone = 0;
inline constexpr int kSomeSkipped = 1;

struct Verb {
  VerbText text;
  int (*run)(const Arguments&);
};
extern const Verb kDedup;
extern const Verb kPairs;
extern const Verb kFingerprint;
extern const Verb kMatch;

}  // namespace neardup::cli
