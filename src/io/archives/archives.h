// Which files are in this zip, tar or 7z?
//
// An archive counts as a folder: its regular files become sources. They are unpacked once, one after another, into a
// file in the temporary folder. Nothing is ever written under a name that an archive chose.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "base/system.h"
#include "io/collection.h"
#include "io/glob.h"
#include "neardup/context.h"

namespace neardup::io {

enum class Container {
  none,     // a file like any other
  archive,  // to be entered
  foreign,  // a document of an office program or the like, made as a zip: neither
};
// From the first bytes, decompressed, and the name.
Container container_of(std::string_view first_bytes, std::string_view path);

inline constexpr int kDeepestArchive = 3;  // an archive in an archive in an archive
inline constexpr std::size_t kArchiveMagicBytes = 512;

// What the members of one archive that the user named, those of archives within it included, may come to.
struct UnpackBudget {
  std::string path;
  std::uint64_t archive_bytes = 0;
  std::uint64_t unpacked = 0, members = 0;
  std::uint64_t list_bytes = 0;                           // that the list of members takes
  std::uint64_t always_allowed = std::uint64_t{1} << 30;  // bytes, however small the archive is
};

// How many bytes a list of files may take: half of the memory allowed, or what is not worth refusing anybody for.
std::size_t most_list_bytes(const Context&);

// Unpacks `archive`, whose codec is known. The members come in the archive's order, with path, file, range and relative
// set; files and folders whose name starts with a dot are left out, as in folders, and so is what the filter does not
// want. Where the archive is damaged, cut short or encrypted, one source has no bytes
// and says so. Throws Error{input} or Error{limit} when the budget is exceeded. `spool` is created when there is none.
std::deque<Source> unpack(const Source& archive, UnpackBudget&, const PathFilter&,
                          std::shared_ptr<base::TempFolder>& spool, const Context&);

// A source without bytes that yields one bad record.
Source bad_source(const Source& like, std::string problem);

// Where a member of this name may go below a folder: no way up, no root, no drive, nothing empty. `number` names it
// when nothing is left.
std::string safe_path(std::string_view name, std::uint64_t number);

// Opens what a source represents: a file, or its part of one.
std::unique_ptr<InputFile> open_source(const Source&, FileSystem&);

}  // namespace neardup::io
