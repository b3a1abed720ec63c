#include "index/segment_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/tsv.h"
#include "neardup/error.h"

namespace neardup::indexing {
namespace {

constexpr std::string_view kListTitle = "neardup segments 1\n";
constexpr std::string_view kListChecksum = "checksum ";
constexpr std::string_view kListName = "list";
constexpr std::string_view kSegmentEnding = ".seg";

[[noreturn]] void fail_list(const std::string& name, std::string_view why) {
  throw Error(ErrorCode::corrupt, fmt::format("{}: damaged: {}", name, why));
}

std::string checksum_line(std::string_view text) { return fmt::format("{}{:016x}\n", kListChecksum, checksum(text)); }

// Takes the next number and the character behind it off a text.
std::uint64_t take_number(std::string_view& text, char behind, const std::string& name) {
  const std::size_t end = text.find(behind);
  const std::optional<std::uint64_t> number = end == text.npos ? std::nullopt : base::parse_whole(text.substr(0, end));
  if (!number) fail_list(name, "a line cannot be read");
  text.remove_prefix(end + 1);
  return *number;
}

std::string read_whole(FileSystem& files, const std::filesystem::path& path) {
  const std::unique_ptr<InputFile> file = files.open(path);
  std::string bytes(file->size(), '\0');
  file->read_at(0, bytes);
  return bytes;
}

}  // namespace

std::string segment_list_text(std::span<const SegmentName> segments) {
  std::string text(kListTitle);
  for (const SegmentName& segment : segments)
    text += fmt::format("{} {} {}\n", segment.number, segment.first, segment.last);
  return text + checksum_line(text);
}

std::vector<SegmentName> parse_segment_list(std::string_view text, const std::string& name) {
  const std::size_t end = text.rfind(kListChecksum);
  if (end == text.npos || text.substr(end) != checksum_line(text.substr(0, end))) fail_list(name, "wrong checksum");
  if (!text.starts_with(kListTitle)) fail_list(name, "written by another version");
  text = text.substr(0, end);
  text.remove_prefix(kListTitle.size());
  std::vector<SegmentName> segments;
  while (!text.empty()) {
    SegmentName segment;
    segment.number = take_number(text, ' ', name);
    segment.first = take_number(text, ' ', name);
    segment.last = take_number(text, '\n', name);
    const std::uint64_t least = segments.empty() ? 0 : segments.back().last + 1;
    if (segment.first < least || segment.last < segment.first) fail_list(name, "segments out of order");
    segments.push_back(segment);
  }
  return segments;
}

SegmentFolder::SegmentFolder(FileSystem& files, std::filesystem::path path, FolderAccess access,
                             std::uint64_t definition)
    : files_(files), path_(std::move(path)), access_(access), definition_(definition) {
  const std::filesystem::path list = path_ / kListName;
  if (files_.exists(list)) segments_ = parse_segment_list(read_whole(files_, list), list.string());
  for (const SegmentName& segment : segments_) next_ = std::max(next_, segment.number + 1);
  if (access_ == FolderAccess::write) remove_others();
}

std::filesystem::path SegmentFolder::path_of(std::uint64_t number) const {
  return path_ / fmt::format("{}{}", number, kSegmentEnding);
}

CheckedBytes SegmentFolder::open(std::uint64_t number) const {
  const std::filesystem::path path = path_of(number);
  if (can_write() && !files_.exists(path)) fail_list(path.string(), "it is missing");
  return CheckedBytes::open(files_, path);
}

std::uint64_t SegmentFolder::write(std::string_view body) {
  const std::uint64_t number = next_++;
  write_checked_file(files_, path_of(number), body);
  return number;
}

void SegmentFolder::replace(std::vector<SegmentName> segments) {
  replace_file(files_, path_ / kListName, segment_list_text(segments));
  segments_ = std::move(segments);
  remove_others();
}

// A file that cannot be removed now is removed by the next writer.
void SegmentFolder::remove_others() noexcept {
  try {
    for (const std::string& name : files_.list(path_)) {
      const bool is_listed = std::any_of(segments_.begin(), segments_.end(), [&](const SegmentName& segment) {
        return path_of(segment.number).filename() == name;
      });
      if (!is_listed && name != kListName) files_.remove(path_ / name);
    }
  } catch (...) {  // NOLINT(bugprone-empty-catch)
  }
}

}  // namespace neardup::indexing
