#include "io/sides.h"

#include <set>
#include <string_view>

#include "io/collection.h"
#include "neardup/error.h"
#include "neardup/files.h"

namespace neardup::io {
namespace {

bool is_member(const Source& source) { return source.part.has_value(); }

}  // namespace

std::optional<std::string> shared_input(const Collection& first, const Collection& second) {
  const CollectionImpl &left = impl_of(first), &right = impl_of(second);
  std::set<std::string_view> paths;  // members of archives are in copies, and are known by their paths alone
  std::set<FileId> files;
  for (const Source& source : left.sources) {
    if (source.documents != nullptr || !source.problem.empty()) continue;
    paths.insert(source.path);
    if (!is_member(source)) files.insert(left.files->info(source.file()).id);
  }
  for (const Source& source : right.sources) {
    if (source.documents != nullptr || !source.problem.empty()) continue;
    const bool is_shared =
        paths.contains(source.path) || (!is_member(source) && files.contains(right.files->info(source.file()).id));
    if (!is_shared) continue;
    if (source.path == "-")
      throw Error(ErrorCode::usage, "standard input (-) can be only one of the two sides (`against`)", "against");
    return source.path;
  }
  return std::nullopt;
}

}  // namespace neardup::io
