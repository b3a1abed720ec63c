// Files of other machines, by URI.
#pragma once

#include <arrow/filesystem/filesystem.h>
#include <arrow/result.h>

#include <memory>
#include <string>
#include <string_view>

namespace neardup::arrow_plugin {

// A file system and a path in it.
struct RemotePlace {
  std::shared_ptr<arrow::fs::FileSystem> files;
  std::string path;
};
// Connections are kept, one for each scheme and host or bucket. Threads: may run concurrently.
arrow::Result<RemotePlace> remote_place(std::string_view uri);

// The failure with a code that says whether something is missing or refused.
arrow::Status remote_failure(const arrow::Status&);

}  // namespace neardup::arrow_plugin
