#include "io/columns/datasets.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/json.h"
#include "io/codecs/codecs.h"
#include "io/collection.h"
#include "io/columns/column_writer.h"
#include "io/output.h"
#include "neardup/error.h"

namespace neardup::io {
namespace {

namespace fs = std::filesystem;
namespace dom = simdjson::dom;

constexpr const char* kState = "state.json";
constexpr const char* kInfo = "dataset_info.json";
constexpr const char* kSplits = "dataset_dict.json";
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;

[[noreturn]] void refuse(const fs::path& path, std::string_view why) {
  throw Error(ErrorCode::input, fmt::format("{}: {}", path.string(), why));
}

std::string read_file(FileSystem& files, const fs::path& path) {
  const auto file = files.open(path);
  if (file->size() > kMostBytes) refuse(path, "is too large for the description of a dataset");
  std::string text(file->size(), '\0');
  file->read_at(0, text);
  return text;
}

// The object that a description is; `parser` must live as long.
dom::object parse_object(dom::parser& parser, const std::string& text, const fs::path& path) {
  dom::object object;
  if (parser.parse(text).get(object) != simdjson::SUCCESS) refuse(path, "is not a JSON object");
  return object;
}

std::vector<std::string> strings_of(const dom::element& list, const char* member, const fs::path& path) {
  dom::array array;
  if (list.get(array) != simdjson::SUCCESS) refuse(path, "does not describe a dataset");
  std::vector<std::string> out;
  for (const dom::element item : array) {
    std::string_view name;
    const auto found = member == nullptr ? item.get(name) : item[member].get(name);
    const bool is_name = found == simdjson::SUCCESS && !name.empty() && name.find('/') == name.npos && name != "..";
    if (!is_name) refuse(path, "does not describe a dataset");
    out.emplace_back(name);
  }
  return out;
}

std::vector<std::string> data_files(FileSystem& files, const fs::path& path) {
  const std::string text = read_file(files, path);
  dom::parser parser;
  const dom::object state = parse_object(parser, text, path);
  dom::element indices;
  if (state["_indices_data_files"].get(indices) == simdjson::SUCCESS && !indices.is_null())
    refuse(path, "this dataset selects rows by an index; save it again after flatten_indices()");
  dom::element list;
  if (state["_data_files"].get(list) != simdjson::SUCCESS) refuse(path, "does not describe a dataset");
  return strings_of(list, "filename", path);
}

std::vector<std::string> splits(FileSystem& files, const fs::path& path) {
  const std::string text = read_file(files, path);
  dom::parser parser;
  dom::element list;
  if (parse_object(parser, text, path)["splits"].get(list) != simdjson::SUCCESS)
    refuse(path, "does not describe a dataset");
  return strings_of(list, nullptr, path);
}

// The object with other values for some members, if it has them.
std::string with_values(const std::string& text, const fs::path& path,
                        std::span<const std::pair<std::string_view, std::string>> values) {
  dom::parser parser;
  std::string out = "{";
  for (const auto [key, value] : parse_object(parser, text, path)) {
    out += out.size() == 1 ? "\n  " : ",\n  ";
    base::append_json_string(out, key);
    const auto other = std::ranges::find(values, key, [](const auto& pair) { return pair.first; });
    out += ": " + (other == values.end() ? simdjson::minify(value) : other->second);
  }
  return out + "\n}\n";
}

void write_file(FileSystem& files, const fs::path& path, std::string_view text) {
  files.create_folders(path.parent_path());
  const auto sink = open_sink(files, path, plain_codec());
  sink->write(text);
  sink->close();
}

// Where the folder of a dataset is below the common folder; nothing when its sources went elsewhere.
std::optional<fs::path> place_of(const std::string& dataset, const Source& source) {
  const std::string tail = source.path.substr(dataset.size());  // "/data-00000-of-00001.arrow"
  const std::string placed = "/" + source.relative;
  if (!placed.ends_with(tail)) return std::nullopt;
  const std::string folder = placed.substr(0, placed.size() - tail.size());
  return folder.empty() ? fs::path() : fs::path(folder.substr(1));
}

// A name for what the rows are now: `datasets` caches by it.
std::string new_fingerprint(const std::string& state) {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const char c : state) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return fmt::format("\"{:016x}\"", hash);
}

class Descriptions {
 public:
  Descriptions(const Collection& collection, const fs::path& folder, const AddedFields& added)
      : collection_(collection), files_(*impl_of(collection).files), folder_(folder), added_(added) {}

  void write(const std::string& dataset) {
    const std::string inside = dataset + "/";
    std::optional<fs::path> place;
    for (const Source& source : impl_of(collection_).sources) {
      if (!source.path.starts_with(inside)) continue;
      if (!place) place = place_of(dataset, source);
      if (files_.exists(fs::path(dataset) / kState)) write_empty(source);
    }
    if (!place) return;
    const fs::path to = folder_ / *place;
    for (const char* name : {kState, kInfo, kSplits}) {
      const fs::path from = fs::path(dataset) / name;
      if (files_.exists(from) && !files_.exists(to / name)) write_file(files_, to / name, changed(from));
    }
  }

 private:
  void write_empty(const Source& source) {
    const fs::path path = folder_ / source.relative;
    if (!source.problem.empty() || files_.exists(path)) return;
    files_.create_folders(path.parent_path());
    make_writer(collection_, open_sink(files_, path, *source.codec), source.format, added_, &source)->close();
  }

  [[nodiscard]] std::string changed(const fs::path& path) const {
    const std::string text = read_file(files_, path);
    if (path.filename() == kSplits) return text;
    if (path.filename() == kState) return with_values(text, path, {{{"_fingerprint", new_fingerprint(text)}}});
    // Counts and sizes of rows no longer hold; of added columns the data files tell.
    std::vector<std::pair<std::string_view, std::string>> values{
        {"splits", "null"}, {"dataset_size", "null"}, {"size_in_bytes", "null"}};
    if (!added_.empty()) values.emplace_back("features", "null");
    return with_values(text, path, values);
  }

  const Collection& collection_;
  FileSystem& files_;
  const fs::path& folder_;
  const AddedFields& added_;
};

}  // namespace

std::optional<std::vector<std::string>> dataset_parts(FileSystem& files, const fs::path& folder,
                                                      std::span<const std::string> names) {
  const auto has = [&](std::string_view name) { return std::ranges::find(names, name) != names.end(); };
  const bool is_dataset = has(kState) && has(kInfo);
  if (!is_dataset && !has(kSplits)) return std::nullopt;
  std::vector<std::string> parts = is_dataset ? data_files(files, folder / kState) : splits(files, folder / kSplits);
  for (const std::string& part : parts) {
    if (!has(part)) refuse(folder / (is_dataset ? kState : kSplits), fmt::format("names {}, which is not there", part));
  }
  return parts;
}

void write_dataset_descriptions(const Collection& collection, const fs::path& folder, const AddedFields& added) {
  Descriptions descriptions(collection, folder, added);
  for (const std::string& dataset : impl_of(collection).datasets) descriptions.write(dataset);
}

}  // namespace neardup::io
