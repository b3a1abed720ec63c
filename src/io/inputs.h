// Which files did the user mean? Files, folders, globs and standard input, made into a list of sources.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/system.h"
#include "io/collection.h"
#include "neardup/context.h"

namespace neardup::io {

struct Inputs {
  std::vector<Source> sources;                 // path, file and relative are set; the rest is for whoever looks inside
  std::vector<std::filesystem::path> folders;  // those that were named, or that a glob matched
  bool single = false;                         // one file or stream, not a folder
  std::shared_ptr<base::TempFolder> spool;     // holds copies of what can be read only once; null when there are none
};

// Gives every source a place of its own: `relative` changes for one that another source has already, or that would have
// to be a file and a folder at once.
void give_places(std::vector<Source>&);

// Throws Error{input} for what is missing, empty or unreadable, naming it.
Inputs find_inputs(const std::vector<std::string>& inputs, const Context&);

}  // namespace neardup::io
