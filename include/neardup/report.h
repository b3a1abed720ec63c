// What do all calls that read collections report?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "neardup/collection.h"
#include "neardup/context.h"

namespace neardup {

// Facts gathered while reading.
struct ReadFacts {
  std::uint64_t records = 0;             // including bad ones
  std::uint64_t bytes = 0;               // of the inputs, before decompression
  std::uint64_t text_bytes = 0;          // of all texts
  std::uint64_t without_features = 0;    // documents that are in no pair
  std::uint64_t repaired_texts = 0;      // had invalid UTF-8
  std::uint64_t without_main_text = 0;   // pages with `html=main` of which all text was taken, as nothing qualified
  std::uint64_t repeated_ids = 0;        // records that repeat an earlier record's id
  std::vector<EncodingCount> encodings;  // those other than UTF-8, by name
  std::uint64_t binary_files = 0;        // found in folders, archives or by globs, and skipped
  BadRecords bad;

  [[nodiscard]] std::uint64_t documents() const { return records - bad.count; }
};

struct StageTime {
  std::string name;
  double seconds = 0;
};

enum class Overwrite { refuse, replace };

// Throws Error{output} when an output of this name would be refused (it exists, or there is no folder for it). Every
// call checks this itself; checking first avoids reading the inputs in vain.
void check_output(const std::string& path, Overwrite, const Context&);

// A figure with its 95% interval. Both ends are the value where everything was examined.
struct Estimate {
  double value = 0, low = 0, high = 0;
};

// What a call writes to files.
struct OutputOptions {
  std::string path{};     // empty: nothing; "-": standard output; a known extension: a file; else a folder
  bool dry_run = false;   // check and report, write nothing
  bool annotate = false;  // keep every record and add neardup_cluster, neardup_kept, neardup_score
  bool save_removed = false;
  bool count = false;  // add neardup_count to what is written: the documents of its cluster, itself included
  std::vector<std::string> collect{};  // add neardup_removed_FIELD to what is kept: the values of the removed ones
  std::uint64_t collect_limit = 100;   // at most this many values per field and document, and 64 KiB of text
  bool resume = false;      // save finished stages next to the output, and continue from those of an interrupted run
  bool report = true;       // write report.html into an output folder
  std::string report_by{};  // show the removed share by the values of this field; empty: by source
  Overwrite overwrite = Overwrite::refuse;
  std::vector<std::string> recorded_command{};  // for run.json: the command that started this run
};

// Records of web archives that are not documents: requests, metadata and others.
struct CompanionRecords {
  std::uint64_t copied = 0;   // because they belong to a kept document
  std::uint64_t dropped = 0;  // the others
};

// Whether OutputOptions::path names a folder, which receives lists and run.json in addition to the kept documents.
bool is_folder_output(const std::string& path);

// How many documents of one source, or with one value of a field, were removed.
struct RemovedShare {
  std::string name;
  std::uint64_t documents = 0, removed = 0;
};
struct RemovedBy {
  std::string field{};                  // empty: by source
  std::vector<RemovedShare> largest{};  // by documents, at most 100
  std::uint64_t others = 0;             // sources or values that are not listed
  RemovedShare of_others{};             // their documents together
};

// Facts about a finished run.
struct RunFacts {
  std::optional<RemovedBy> removed_by{};  // where several sources were read, or OutputOptions::report_by names a field
  std::vector<std::string> warnings;
  std::vector<std::string> outputs;  // paths written, the main one first
  CompanionRecords companions;       // of web archives that were written
  std::vector<StageTime> stages;
  double seconds = 0;
  std::uint64_t peak_memory_bytes = 0;  // the highest resident set of the process so far
};

}  // namespace neardup
