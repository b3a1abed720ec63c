// What is an exact search for similar documents made of, when an engine such as Spark moves the data between machines?
//
// Four steps, each in memory and each a function of what it is given, so that an engine may repeat any of them:
//
//   1. Units. Documents with equal feature sets are one unit, named by a hash (hash_unit).
//   2. Keys. KeyMaker gives every unit a few keys such that partners have one in common: the features of its prefix,
//   the
//      bands of its min-wise sketch, or blocks of its simhash. Counters say which keys nobody shares; those stay at
//      home. What others share becomes an entry: the key, the unit, and what is needed to rule out most pairs.
//   3. Candidates. All entries of a key meet in one place, where CandidateFinder compares them. Entries of a key that
//   too
//      many share (HeavyKeys) meet in blocks instead, any two of them in exactly one.
//   4. Pairs. Sets follow the candidates to where PairVerifier compares them.
//
// docs/decisions/0015-spark.md has the reasons, python/neardup/spark the engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "neardup/cluster.h"
#include "neardup/definition.h"
#include "neardup/document.h"
#include "neardup/features.h"
#include "neardup/sketch.h"

namespace neardup::shuffle {

using UnitId = std::uint64_t;

// `id` names a set; `check` tells apart two sets of one name, which another salt names differently.
struct UnitHash {
  UnitId id;
  std::uint64_t check;
  friend bool operator==(const UnitHash&, const UnitHash&) = default;
};
UnitHash hash_unit(std::span<const Feature> set, std::uint64_t salt = 0);

// Counts keys in 2^bits bytes addressed by the key's hash. A counter is never below the number of times its key was
// added, up to kFull where it stays; keys that share a counter make it larger. So 0 and 1 are certain.
// Threads: const members may run concurrently.
class Counters {
 public:
  static constexpr std::uint8_t kFull = 255;

  // Throws Error{usage} unless bits is 8 to 34.
  explicit Counters(unsigned bits);
  void add(std::uint64_t key);
  // Adds what another one of this size counted. Throws Error{usage} for another size.
  void merge(std::span<const std::uint8_t> bytes);
  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

// Counters that somebody else holds.
class CountersView {
 public:
  CountersView() = default;  // every counter is full
  // Throws Error{usage} unless the size is a power of two that Counters can have.
  explicit CountersView(std::span<const std::uint8_t> bytes);
  CountersView(const Counters& counters) : CountersView(counters.bytes()) {}  // NOLINT: the same thing
  [[nodiscard]] std::uint8_t operator[](std::uint64_t key) const;

 private:
  std::span<const std::uint8_t> bytes_{};
};

enum class KeyKind {
  prefix,  // exact, for measures of sets: the rarest features, as many as one must be shared of
  bands,   // for jaccard, cosine and dice: bands of a min-wise sketch
  blocks,  // of a simhash, after Manku et al. 2007: exact for `hamming`, and candidates for measures of sets
};

// Tables of all choices of some of the blocks that a fingerprint is cut into: two fingerprints that differ in at most
// `distance` bits agree in one table.
struct BlockTables {
  unsigned distance = 3;
  std::vector<std::uint64_t> masks{};  // the bits that each table looks at

  // What costs least for so many fingerprints. Throws Error{usage} for distances above kMostDistance.
  static constexpr unsigned kMostDistance = 16;
  static BlockTables choose(unsigned distance, std::uint64_t fingerprints);
  [[nodiscard]] std::uint64_t key(std::uint64_t bits, std::size_t table) const;
  // The lowest table in which the two agree; masks.size() where there is none.
  [[nodiscard]] std::size_t owner(std::uint64_t a, std::uint64_t b) const;
};

// How units find each other. Everybody who takes part in a search has the same plan.
struct KeyPlan {
  Definition definition{};
  KeyKind kind = KeyKind::prefix;
  Bands bands{};            // KeyKind::bands
  std::uint64_t seed = 42;  // KeyKind::bands
  BlockTables blocks{};     // KeyKind::blocks
  unsigned words = 1;       // of an entry's signature: 1, 2, 4 or 8
  std::uint32_t parts = 1;  // entries are dealt out to so many parts by their keys
  bool across = false;      // only pairs of two units on different sides

  void validate() const;  // throws Error{usage}
  [[nodiscard]] std::size_t entry_words() const { return 4 + words; }
};
// The words that pay for sets of this average size.
unsigned suitable_words(const Definition&, double average_size);

// Keys that more than `limit` units have, and into how many chunks those units are dealt.
class HeavyKeys {
 public:
  HeavyKeys() = default;
  HeavyKeys(std::span<const std::uint64_t> keys, std::span<const std::uint64_t> counts, std::uint64_t limit);
  [[nodiscard]] std::uint32_t chunks(std::uint64_t key) const;  // 1 for others
  [[nodiscard]] std::size_t size() const { return chunks_.size(); }

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> chunks_;
};

struct KeyCount {
  std::uint64_t key, count;
  friend bool operator==(const KeyCount&, const KeyCount&) = default;
};

// Makes keys and entries of units. A unit is given by its feature set; for `hamming` by a single word, the fingerprint.
//
// An entry is KeyPlan::entry_words() words: the key; the unit; the size of the set (32 bits), flags (8) and the key's
// place among the unit's keys (24); the unit's entry before this one, as a key (0: none); the signature.
// Threads: one maker per thread.
class KeyMaker {
 public:
  // `order`: how often features occur, for KeyKind::prefix; the view must stay valid. Any counts give exact results;
  // the nearer they come to the truth, the fewer entries meet.
  explicit KeyMaker(const KeyPlan&, CountersView order = {});
  ~KeyMaker();
  KeyMaker(KeyMaker&&) noexcept;
  KeyMaker& operator=(KeyMaker&&) noexcept;

  // In the order that all units agree on. Valid until the next call.
  std::span<const std::uint64_t> keys(std::span<const std::uint64_t> set);

  void count(std::span<const std::uint64_t> set, Counters& shared);
  // Counts exactly the keys whose counters are full, into a table of its own.
  void count_heavy(std::span<const std::uint64_t> set, CountersView shared);
  [[nodiscard]] std::vector<KeyCount> heavy() const;  // by key

  // Adds the unit's entries to those of their parts. `side`: 0 or 1.
  void add_entries(UnitId, unsigned side, std::span<const std::uint64_t> set, CountersView shared, const HeavyKeys&);
  [[nodiscard]] std::span<const std::uint64_t> entries(std::uint32_t part) const;
  [[nodiscard]] std::uint64_t entry_bytes() const;  // of all parts
  void clear_entries();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct UnitPair {
  UnitId left, right;
  friend auto operator<=>(const UnitPair&, const UnitPair&) = default;
};

// Compares the entries of one key with each other. Finds every pair that meets the definition where all entries of the
// key come together, but for those whose previous keys are the same: they were found there. Pairs that a lower table of
// blocks finds are not found again; other pairs may come several times, and some that do not meet the definition.
// `left` is the smaller one, or the one on side 0. Memory: 8 MB, and 16 bytes per entry. Threads: one finder per
// thread.
class CandidateFinder {
 public:
  explicit CandidateFinder(const KeyPlan&);
  ~CandidateFinder();
  CandidateFinder(CandidateFinder&&) noexcept;
  CandidateFinder& operator=(CandidateFinder&&) noexcept;

  // All entries of some keys, in any order. Throws Error{input} when the length is not a multiple of an entry's.
  void find(std::span<const std::uint64_t> entries, std::vector<UnitPair>& out);
  [[nodiscard]] std::uint64_t compared() const;  // pairs of entries, so far

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Verifies pairs of units whose sets came before them. Memory: that of the sets. Threads: one verifier per thread.
class PairVerifier {
 public:
  explicit PairVerifier(const Definition&, bool across = false);
  ~PairVerifier();
  PairVerifier(PairVerifier&&) noexcept;
  PairVerifier& operator=(PairVerifier&&) noexcept;

  void clear();  // forgets all sets
  void add(UnitId, unsigned side, std::span<const Feature> set);
  // Throws Error{internal} when a set did not come.
  [[nodiscard]] std::optional<double> verify(const UnitPair&) const;
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The components of some edges: for each unit but the smallest of its component a pair (smallest, unit), in order.
std::vector<UnitPair> contract(std::span<const UnitPair> edges);

// Star clusters of one component after another: pairs (preferred, other) of a component, in ascending order of
// preference, first by the left one. Memory: that of a component. Threads: one at a time.
class StarBuilder {
 public:
  StarBuilder();
  ~StarBuilder();
  // Returns true when the left one takes the right one into its cluster.
  bool add(std::uint64_t component, const UnitPair&);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// What keep rules make of a document: a number for each rule that looks at one, larger is preferred. `first` and `last`
// have none. docs/algorithms/clusters.md says what counts as a number and a date. Threads: const members may run
// concurrently.
class KeepValues {
 public:
  // Throws Error{usage} for `authority` without a field, which needs all documents at once.
  explicit KeepValues(std::span<const KeepRule>);
  ~KeepValues();
  KeepValues(KeepValues&&) noexcept;
  KeepValues& operator=(KeepValues&&) noexcept;

  [[nodiscard]] const std::vector<std::string>& fields() const;  // that the document's fields stand for, in order
  [[nodiscard]] std::size_t columns() const;
  [[nodiscard]] std::vector<std::uint64_t> of(const DocumentView&) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace neardup::shuffle
