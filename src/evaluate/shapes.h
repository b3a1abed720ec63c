// Which columns of which tools say what belongs together?
#pragma once

#include <span>
#include <string_view>

#include "neardup/evaluate.h"

namespace neardup::evaluation {

struct FileShape {
  enum class Form {
    labels,   // an id and the name of its cluster
    removed,  // an id and the id that was kept in its place
    pairs,    // two ids
    partners  // an id and a list of ids, or a list of ids; JSONL only
  };
  std::string_view format;       // the name by which it can be forced
  std::string_view description;  // for people
  Form form;
  std::string_view first;       // the id, or the left one
  std::string_view second;      // the cluster, the kept id, the right one, the list
  std::string_view also = {};   // a column that tells this shape from others
  std::string_view score = {};  // optional column
  std::string_view alone = {};  // a cluster name that means none
};

// In the order in which they are tried.
std::span<const FileShape> file_shapes();
// Columns of pairs that say whether the two belong together; each optional.
std::span<const std::string_view> verdict_columns();

}  // namespace neardup::evaluation
