// Which files did the user mean? Files, folders, globs and standard input, made into a list of sources.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/system.h"
#include "io/collection.h"
#include "io/glob.h"
#include "neardup/collection.h"
#include "neardup/context.h"

namespace neardup::io {

struct Inputs {
  // Path, file, relative and is_named are set, and `problem` of what cannot be read; the rest is for the code that
  // looks inside.
  std::vector<Source> sources;
  std::vector<std::filesystem::path> folders;  // those that were named, or that a glob matched
  std::vector<std::string> datasets;           // folders with a dataset of Hugging Face
  PathFilter filter;                           // for members of archives, which count as folders
  bool single = false;                         // one file or stream, not a folder
  std::shared_ptr<base::TempFolder> spool;     // holds copies of what can be read only once; null when there are none
};

// Where streams go below kept/, before their format is known.
inline constexpr std::string_view kStreamPlace = "stdin";

// Throws Error{input} for what is missing, empty or unreadable, naming it. Something unreadable that was not named, but
// found in a folder or by a glob, becomes a source with a problem instead. Warns of files that are given twice.
Inputs find_inputs(const InputFiles&, const Context&);

}  // namespace neardup::io
