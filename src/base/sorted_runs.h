// Where are sorted records kept that do not fit in memory, and how are they read in order?
//
// Each run is a temporary file. Sixteen runs of a level become one of the next, so that a record is rewritten once per
// level and only a few files are ever open.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/merge_runs.h"
#include "base/state.h"
#include "base/system.h"
#include "neardup/context.h"
#include "neardup/files.h"

namespace neardup::base {

// A run on disk, read from its start.
template <Plain Record>
class RunReader {
 public:
  explicit RunReader(std::unique_ptr<InputFile> file) : file_(std::move(file)), left_(file_->size() / sizeof(Record)) {
    refill();
  }
  [[nodiscard]] bool done() const { return at_ == buffer_.size(); }
  [[nodiscard]] const Record& head() const { return buffer_[at_]; }
  void advance() {
    if (++at_ == buffer_.size()) refill();
  }

  static constexpr std::size_t kRecords = std::max<std::size_t>(1, (std::size_t{128} << 10) / sizeof(Record));

 private:
  void refill() {
    buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kRecords, left_)));
    file_->read_at(offset_, {reinterpret_cast<char*>(buffer_.data()), buffer_.size() * sizeof(Record)});
    offset_ += buffer_.size() * sizeof(Record);
    left_ -= buffer_.size();
    at_ = 0;
  }

  std::unique_ptr<InputFile> file_;
  std::uint64_t left_, offset_ = 0;
  std::vector<Record> buffer_;
  std::size_t at_ = 0;
};

// Records that are equal in the order of Before come in that of their runs. Memory: 128 KiB for each run that is open,
// and while a level is merged as much again. Threads: const members may run concurrently.
template <Plain Record, class Before>
class SortedRuns {
 public:
  explicit SortedRuns(const Context& context) : context_(context) {}

  [[nodiscard]] bool empty() const { return levels_.empty(); }

  void add(std::span<const Record> sorted) {
    add_run(0, [&](OutputFile& file) { write(file, sorted); });
  }

  // Every record in order, any number of times.
  template <class Visit>
  void for_each(const Visit& visit) const {
    std::vector<RunReader<Record>> runs = open();
    merge_runs(runs, Before{}, [&](const RunReader<Record>& run) { visit(run.head()); });
  }
  // Every run by itself, for code that merges it with others.
  [[nodiscard]] std::vector<RunReader<Record>> open() const {
    std::vector<std::filesystem::path> runs;  // the oldest are on the highest level
    for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
      runs.insert(runs.end(), level->begin(), level->end());
    }
    return open(runs);
  }

 private:
  static constexpr std::size_t kFanIn = 16;

  static void write(OutputFile& file, std::span<const Record> records) {
    file.write({reinterpret_cast<const char*>(records.data()), records.size_bytes()});
  }

  template <class Write>
  void add_run(std::size_t level, const Write& write_run) {
    if (!temp_) temp_ = std::make_unique<TempFolder>(context_);
    const auto path = temp_->path() / std::to_string(runs_made_++);
    const auto file = files(context_).create(path);
    write_run(*file);
    file->close();
    if (levels_.size() == level) levels_.emplace_back();
    levels_[level].push_back(path);
    if (levels_[level].size() == kFanIn) merge_level(level);
  }

  void merge_level(std::size_t level) {
    const std::vector<std::filesystem::path> runs = std::exchange(levels_[level], {});
    add_run(level + 1, [&](OutputFile& merged) {
      std::vector<Record> buffer;
      buffer.reserve(RunReader<Record>::kRecords);
      std::vector<RunReader<Record>> readers = open(runs);
      merge_runs(readers, Before{}, [&](const RunReader<Record>& run) {
        buffer.push_back(run.head());
        if (buffer.size() < RunReader<Record>::kRecords) return;
        write(merged, buffer);
        buffer.clear();
      });
      write(merged, buffer);
    });
    for (const auto& run : runs) files(context_).remove_all(run);
  }

  std::vector<RunReader<Record>> open(std::span<const std::filesystem::path> paths) const {
    std::vector<RunReader<Record>> runs;
    runs.reserve(paths.size());
    for (const auto& path : paths) runs.emplace_back(files(context_).open(path));
    return runs;
  }

  Context context_;  // a copy: runs may outlive the call that made them
  std::unique_ptr<TempFolder> temp_;
  std::vector<std::vector<std::filesystem::path>> levels_;
  std::uint64_t runs_made_ = 0;
};

}  // namespace neardup::base
