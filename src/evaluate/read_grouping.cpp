#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/guard.h"
#include "base/tsv.h"
#include "evaluate/labelled_rows.h"
#include "neardup/choice.h"
#include "neardup/error.h"

namespace neardup {
namespace evaluation {
namespace {

namespace fs = std::filesystem;

// Takes the rows of a file one by one.
class GroupingBuilder {
 public:
  GroupingBuilder(const std::string& path, const FileShape& shape, const GroupingOptions& options)
      : path_(path), shape_(shape), options_(options) {
    out_.shape = shape.description;
    out_.scores_are_distances = options.scores_are_distances;
    const bool is_pairs = shape.form == FileShape::Form::pairs || shape.form == FileShape::Form::partners;
    out_.kind = is_pairs ? Grouping::Kind::pairs : Grouping::Kind::clusters;
  }

  void take(const LabelledRows& row) {
    if (shape_.form == FileShape::Form::partners) return take_list(row);
    auto first = row.get(shape_.first), second = row.get(shape_.second);
    if (!first) refuse(row, shape_.first);
    switch (shape_.form) {
      case FileShape::Form::labels:
        if (second == shape_.alone && !shape_.alone.empty()) second.reset();
        out_.members.push_back({std::move(*first), std::move(second).value_or("")});
        break;
      case FileShape::Form::removed:  // without a kept document: removed for its own sake
        if (second) out_.members.push_back({*second, *second});
        out_.members.push_back({std::move(*first), std::move(second).value_or("")});
        break;
      default:
        if (!second) refuse(row, shape_.second);
        take_pair(row, std::move(*first), std::move(*second));
    }
  }

  // The kept document of every removed one is named again and again.
  Grouping finish() {
    if (shape_.form == FileShape::Form::removed) {
      const auto key = [](const Grouping::Membership& member) { return std::pair(member.id, member.cluster); };
      std::ranges::sort(out_.members, {}, key);
      const auto last = std::ranges::unique(out_.members, {}, key);
      out_.members.erase(last.begin(), last.end());
    }
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(const LabelledRows& row, std::string_view column) const {
    throw Error(ErrorCode::input, fmt::format("{}:{}: no \"{}\"", path_, row.number(), column));
  }

  void take_pair(const LabelledRows& row, std::string left, std::string right) {
    Grouping::JudgedPair pair{.left = std::move(left), .right = std::move(right)};
    if (!shape_.score.empty()) {
      if (const auto score = row.get(shape_.score)) pair.score = base::parse_number(*score);
    }
    for (const std::string_view column : verdict_columns()) {
      const auto verdict = row.get(column);
      if (!verdict) continue;
      pair.is_same = verdict != "0" && verdict != "false" && verdict != "False" && verdict != "no" && verdict != "0.0";
      break;
    }
    if (options_.is_two_sided) {
      pair.left.insert(0, "left:");
      pair.right.insert(0, "right:");
    }
    out_.pairs.push_back(std::move(pair));
  }

  void take_list(const LabelledRows& row) {
    auto others = row.list(shape_.second);
    if (!others) refuse(row, shape_.second.empty() ? "list" : shape_.second);
    std::optional<std::string> first;
    if (!shape_.first.empty()) {
      first = row.get(shape_.first);
      if (!first) refuse(row, shape_.first);
    } else if (!others->empty()) {
      first = others->front();
    }
    for (std::string& other : *others)
      if (other != *first) out_.pairs.push_back({.left = *first, .right = std::move(other)});
  }

  const std::string& path_;
  const FileShape& shape_;
  const GroupingOptions& options_;
  Grouping out_;
};

// What of an output folder says which documents belong together.
std::string file_in(const std::string& folder, const GroupingOptions& options, FileSystem& files) {
  const fs::path pairs = fs::path(folder) / "pairs.tsv";
  if (options.prefers_pairs && files.exists(pairs)) return pairs.string();
  for (const char* name : {"clusters.tsv", "removed.jsonl", "pairs.tsv"})
    if (const fs::path path = fs::path(folder) / name; files.exists(path)) return path.string();
  throw Error(ErrorCode::input,
              fmt::format("{} is not the output folder of a run: there is no clusters.tsv, removed.jsonl or pairs.tsv",
                          folder));
}

Grouping read(const std::string& given, const GroupingOptions& options, const Context& context) {
  const std::vector<std::string> formats = grouping_formats();
  if (std::ranges::find(formats, options.format) == formats.end()) {
    throw Error(ErrorCode::usage, fmt::format("unknown format \"{}\" of a result or a truth", options.format),
                "format");
  }
  FileSystem& files = base::files(context);
  const bool is_folder = given != "-" && files.exists(given) && files.info(given).kind == FileKind::folder;
  const std::string path = is_folder ? file_in(given, options, files) : given;
  const RecognisedRows recognised = recognise(path, is_folder ? "auto" : options.format, context);
  if (recognised.shape == nullptr) {
    Grouping empty{.shape = "an empty file"};
    if (is_folder && path.ends_with("pairs.tsv")) empty.kind = Grouping::Kind::pairs;
    return empty;
  }
  GroupingBuilder builder(path, *recognised.shape, options);
  for (std::uint64_t row = 0; recognised.rows->next(); ++row) {
    if (row % 4096 == 0) base::check_stop(context);
    builder.take(*recognised.rows);
  }
  return builder.finish();
}

}  // namespace
}  // namespace evaluation

Grouping read_grouping(const std::string& path, const GroupingOptions& options, const Context& given) {
  return base::guarded(given, [&](const Context& context) { return evaluation::read(path, options, context); });
}

}  // namespace neardup
