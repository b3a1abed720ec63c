// Which segment files belong to an index?
//
// A folder with numbered files (12.seg) and a list of those that count. The list is replaced as a whole, so that a
// crash leaves the old list or the new one; files that are not in it are worthless and are removed by the next writer.
//
//   neardup segments 1
//   12 FIRST LAST              one line per file: its number, and the range of units that it covers, ascending
//   checksum 16 hex digits     of everything before this line
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "index/checked_file.h"
#include "neardup/files.h"

namespace neardup::indexing {

struct SegmentName {
  std::uint64_t number = 0;
  std::uint64_t first = 0, last = 0;  // units
  friend bool operator==(const SegmentName&, const SegmentName&) = default;
};

enum class FolderAccess { read, write };

// Threads: one at a time.
class SegmentFolder {
 public:
  // Reads the list; a folder without one has no segments. Throws Error{corrupt}. With write access removes what is not
  // in the list.
  SegmentFolder(FileSystem&, std::filesystem::path, FolderAccess, std::uint64_t definition);

  [[nodiscard]] const std::vector<SegmentName>& segments() const { return segments_; }
  [[nodiscard]] bool can_write() const { return access_ == FolderAccess::write; }
  [[nodiscard]] std::filesystem::path path_of(std::uint64_t number) const;
  [[nodiscard]] FileSystem& files() const { return files_; }
  [[nodiscard]] std::uint64_t definition() const { return definition_; }  // a hash of what segments depend on

  // Throws Error{corrupt} when a file is damaged. One that is missing is damage for a writer; beside a writer it may
  // have been replaced, which is Error{input}.
  [[nodiscard]] CheckedBytes open(std::uint64_t number) const;
  // Writes a file that is not in the list yet.
  std::uint64_t write(std::string_view body);
  // Replaces the list and removes the files that are no longer in it.
  void replace(std::vector<SegmentName>);

 private:
  void remove_others() noexcept;

  FileSystem& files_;
  std::filesystem::path path_;
  FolderAccess access_;
  std::uint64_t definition_;
  std::vector<SegmentName> segments_;
  std::uint64_t next_ = 1;
};

// For tests and fuzzing. Throws Error{corrupt}.
std::vector<SegmentName> parse_segment_list(std::string_view text, const std::string& name);
std::string segment_list_text(std::span<const SegmentName>);

}  // namespace neardup::indexing
