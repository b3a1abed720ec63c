// Folders as the Python package `datasets` saves them: data-*.arrow files and what describes them.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "neardup/collection.h"
#include "neardup/files.h"

namespace neardup::io {

// Of a folder with a dataset the names of its data files in order, of one with several splits the names of their
// folders; nothing for other folders. `names` is what the folder holds. Throws Error{input} for one that is damaged or
// that selects rows by an index of its own.
std::optional<std::vector<std::string>> dataset_parts(FileSystem&, const std::filesystem::path& folder,
                                                      std::span<const std::string> names);

// Completes a folder of written records, so that `datasets.load_from_disk` reads it: descriptions are those of the
// input without what no longer holds, and a file without a record is there all the same.
void write_dataset_descriptions(const Collection&, const std::filesystem::path& folder, const AddedFields&);

}  // namespace neardup::io
