// Why are two documents near-duplicates, or why not?
//
//   auto [a, b] = neardup::read_two("pages.jsonl#d1", "pages.jsonl#d2", {}, context);
//   auto comparison = neardup::compare(std::move(a), std::move(b), definition, {}, context);
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/collection.h"
#include "neardup/context.h"
#include "neardup/definition.h"
#include "neardup/document.h"
#include "neardup/sketch.h"

namespace neardup {

// One document and its name in all outputs.
struct NamedDocument {
  std::string name;
  Document document;
  bool is_set = false;  // a record of a `sets` input: it has tokens and no text
};

// Reads two documents. Each is named by `PATH` (a file with a single document), by `PATH#ID` (split at the first #
// after the name of an existing file), by `ARCHIVE/MEMBER`, or by `-` (standard input). ID is what outputs print (`d1`,
// `d1#2` for the second d1, `PATH:NUMBER` without ids, which may be shortened to `:NUMBER`). A file that holds both is
// read once, and only as far as needed. Throws Error{usage} when a name does not identify a document; it lists existing
// ids.
std::array<NamedDocument, 2> read_two(const std::string& a, const std::string& b, const ReadOptions&, const Context&);
// The same for inputs that are read with different options.
std::array<NamedDocument, 2> read_two(const std::string& a, const std::string& b, const ReadOptions& reading_a,
                                      const ReadOptions& reading_b, const Context&);

struct CompareOptions {
  bool judge = true;  // false: Definition::threshold is ignored, and there is no verdict
  bool diff = true;
  std::size_t features_shown = 8;  // of each kind
  // Limits on the work, in steps of a nanosecond or two: beyond them a distance stays unknown, and a diff need not be
  // the shortest.
  std::uint64_t edit_steps = std::uint64_t{1} << 31;
  std::uint64_t diff_steps = std::uint64_t{1} << 28;
  std::optional<Collection> ignore{};  // features of these documents do not count
};

struct ComparedText {
  std::string name;
  std::string text;  // valid UTF-8; for a `sets` record its integers, separated by spaces
  std::uint64_t code_points = 0, words = 0;
  std::uint64_t features = 0;  // distinct ones: the size of the set
  std::optional<Fingerprint> simhash{};
};

struct MeasureScore {
  Measure measure = Measure::jaccard;
  std::optional<double> score{};  // none: not defined for these documents, or not computed
  std::string exact{};            // "13/15", "13/sqrt(15*16)", "5"
  // The largest threshold that the pair meets, down to six decimals; for a distance the smallest. None: it meets none.
  std::optional<Threshold> passes{};
  std::optional<std::uint64_t> more_than{};  // a distance that was not computed exceeds this
  std::string why_not{};                     // why there is no score
};

struct Verdict {
  enum class Answer { near_duplicates, different, unknown };
  Answer answer = Answer::unknown;
  std::uint64_t shared_needed = 0;  // set measures: features that documents of these sizes must share
  bool lengths_agree = true;        // Definition::length_ratio
};

struct DifferingBit {
  unsigned bit = 0;
  std::int64_t a_sum = 0, b_sum = 0;  // SimhashSums: the closer to zero, the more easily the bit flips
};

struct ShownFeature {
  std::string text;  // its words, code points or integer; a long one ends in "…"
  std::uint64_t a_count = 0, b_count = 0;
};

// Words of both texts, equal or different. They are compared after folding, but without Definition::text.
struct DiffPart {
  enum class Kind { equal, removed, added, replaced };
  Kind kind = Kind::equal;
  std::uint32_t a_begin = 0, a_end = 0, b_begin = 0, b_end = 0;  // places in WordDiff::a_starts and b_starts
};

struct WordDiff {
  std::vector<DiffPart> parts;  // covers both texts, in order
  // Where each word begins, including the punctuation attached to it; then where the text ends.
  std::vector<std::uint32_t> a_starts, b_starts;
  bool shortest = true;  // false: built from common passages, because the shortest diff would take too long
  std::uint64_t equal_words = 0, removed_words = 0, added_words = 0;
};

// A passage of one text all of whose words the other one has in the same order.
struct SharedPassage {
  std::uint64_t begin = 0, end = 0;  // bytes of the text
  std::uint64_t words = 0;
};

// How much of each document is in the other, as containment and contained see it.
struct MutualContainment {
  std::uint64_t a_in_b = 0, b_in_a = 0;  // features of the one that the other has
  // Where the one with fewer features lies in the other: the longest passages, in the order of the text; at most three.
  // Only for features of words that no text rule changes.
  bool a_is_inner = true;
  std::vector<SharedPassage> passages{};
};

struct Comparison {
  ComparedText a, b;
  Definition definition{};  // as applied: `sets` have features of their own
  bool judged = true;
  std::uint64_t shared = 0;  // features in both sets
  MutualContainment containment{};
  std::vector<MeasureScore> scores{};
  std::optional<Verdict> verdict{};  // none unless CompareOptions::judge
  std::vector<DifferingBit> bits{};
  // The most frequent ones, ties in text order. only_a and only_b count occurrences beyond those in both.
  std::vector<ShownFeature> shared_features{}, only_a{}, only_b{};
  std::optional<WordDiff> diff{};
};

// Time and memory are linear in the texts, except for sorting features and for the two limits in the options.
Comparison compare(NamedDocument a, NamedDocument b, const Definition&, const CompareOptions&, const Context&);

// How much of a diff is written.
struct DiffExcerpt {
  std::size_t max_parts = 1000;       // the rest is counted
  std::size_t max_part_bytes = 2000;  // a longer text ends in "…"
};
std::string to_json(const Comparison&, const DiffExcerpt&);

}  // namespace neardup
