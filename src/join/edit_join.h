// Which algorithms join strings by edit distance, and what does each get to work with?
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/pair_output.h"
#include "join/edit_strings.h"
#include "neardup/join.h"

namespace neardup::joins {

// One join of distinct strings. Pairs carry the strings' own numbers; a string with several numbers represents all of
// them, also for the pairs they make with each other. With `options.max_pairs` the same pairs come out for every number
// of threads. The algorithm fills the statistics `index`, `filters`, `candidates`, `pairs` and `seconds`.
struct EditJoin {
  const StringSet& strings;
  const JoinOptions& options;
  base::PairOutput& output;
  JoinStats& stats;
  const Context& context;
};

// The table of algorithms for Measure::edit, one file each.
struct EditAlgorithm {
  std::string_view name;
  void (*run)(const EditJoin&);
};
std::span<const EditAlgorithm> edit_algorithms();

// Runs the algorithm that the options name, or the one "auto" becomes, and fills the statistics that the algorithms
// leave alone, except for `records` and `seconds.order`. Precondition: the options are valid.
void run_edit_join(const EditJoin&);

void edit_brute_force(const EditJoin&);  // every pair whose lengths allow it
void edit_qgram(const EditJoin&);        // q-grams, prefixes and positions (Xiao et al. 2008, section 6)
void edit_segments(const EditJoin&);     // equal segments (after Li et al. 2011), then occurrence signatures

// For tests: groups of strings of one length are searched by their segments from so many strings a lookup on, and
// scanned below. 0: nothing is scanned that has segments.
void edit_segments(const EditJoin&, std::uint64_t strings_per_lookup);

// The threshold in edits; more than the longest string changes nothing.
std::uint32_t max_edits(const EditJoin&);

// Tells the observer, before a search starts, when it will take very many comparisons.
void warn_if_many_comparisons(const EditJoin&, double comparisons);

}  // namespace neardup::joins
