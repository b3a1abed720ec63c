// Which flags do verbs share?
//
// Each verb builds its command line from these groups, so that one flag has one meaning, one default and one line of
// help everywhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app.h"
#include "neardup/collection.h"
#include "neardup/context.h"
#include "neardup/dedup.h"
#include "neardup/definition.h"
#include "progress.h"
#include "text_flags.h"

namespace neardup::cli {

// What to read and how.
struct InputFlags {
  InputFiles files;
  ReadOptions read;
  OnBadRecord on_bad_record = OnBadRecord::skip;
  std::vector<std::string> text_fields;  // none: not given
  bool lines = false;
  const char* text_flag = "--text";  // the flag that named text fields
  // Throws Error{usage} for flags that contradict each other; completes `read`.
  void check();
};
// Whether a verb has a place for bad records.
enum class Quarantine { offered, none };
void add_input_flags(CLI::App&, InputFlags&, Quarantine);
// How one file is read; a part of the above.
void add_reading_flags(CLI::App&, InputFlags&, Quarantine);

// How to run and what to say.
struct RunFlags {
  Context context;
  std::string progress = "auto";
  bool json = false, quiet = false;
  void check() const;
  [[nodiscard]] ProgressMode progress_mode() const;
};
void add_run_flags(CLI::App&, RunFlags&);

// What -o names: standard output has another name besides -.
inline std::string output_name(const std::string& value) { return value == "/dev/stdout" ? "-" : value; }
void add_force_flag(CLI::App&, Overwrite&);
// Where kept documents go.
void add_output_flags(CLI::App&, OutputOptions&);

// A gate for pipelines: --fail-above SHARE.
struct GateFlags {
  std::optional<Threshold> most{};  // exact, 0 to 1; absent: not given
  // kAboveLimit when part / whole exceeds the limit, and then one line on standard error: "12 of 40 documents removed";
  // otherwise `code`. To be called once the outputs are written.
  [[nodiscard]] int exit_code(std::uint64_t part, std::uint64_t whole, std::string_view done, int code) const;
};
// `help`: of which share.
void add_gate_flag(CLI::App&, GateFlags&, const char* help);

// What a document is made of.
struct FeatureFlags {
  FeatureSpec spec;
  Weights weights = Weights::occurrences;
  TextFlags text;
  FieldFlags fields;  // only in verbs that call add_field_flags()
  bool features_given = false, weights_given = false;
};
// Whether a verb can weigh by how rare a feature is in the whole collection.
enum class Rarity { offered, none };
void add_feature_flags(CLI::App&, FeatureFlags&, Rarity = Rarity::offered);

// What counts as similar.
struct DefinitionFlags {
  FeatureFlags features;
  Definition definition;
  bool threshold_given = false;
  std::optional<std::uint32_t> distance;  // as given
  // Makes --distance the threshold where the measure is a distance; returns whether it did. To be called first.
  bool apply_distance();
  // The same where --distance has no other meaning. Throws Error{usage} when the measure is not a distance.
  void use_distance_only_as_threshold();
  // The definition that all flags together make. Throws Error{usage} for flags that contradict each other.
  [[nodiscard]] Definition checked() const;
};
struct DistanceHelp {
  const char* help = "With edit or hamming: maximum distance, inclusive";
  std::string fallback = {};
};
void add_definition_flags(CLI::App&, DefinitionFlags&, const DistanceHelp& = {});
// The same where sets are compared and nothing else.
void add_set_definition_flags(CLI::App&, DefinitionFlags&);

}  // namespace neardup::cli
