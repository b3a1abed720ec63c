#include "base/guard.h"
#include "base/system.h"
#include "compare/find_documents.h"
#include "neardup/compare.h"
#include "neardup/error.h"

namespace neardup {
namespace {

using comparison::Search;
using comparison::Wanted;

constexpr std::string_view kStandardInput = "-";

// A file, FILE#ID, or the name of a member of an archive as outputs print it: ARCHIVE/MEMBER.
Wanted parse_wanted(const std::string& argument, FileSystem& files) {
  for (std::size_t at = argument.find('#'); at != std::string::npos; at = argument.find('#', at + 1)) {
    const std::string path = argument.substr(0, at);
    const FileKind kind = files.exists(path) ? files.info(path).kind : FileKind::none;
    if (kind != FileKind::none && kind != FileKind::folder) return {path, argument.substr(at + 1)};
  }
  const std::string file = argument == kStandardInput ? argument : comparison::existing_file(argument, files);
  if (!file.empty() && file != argument) return {file, argument};
  return {argument, std::nullopt};
}

}  // namespace

std::array<NamedDocument, 2> read_two(const std::string& a, const std::string& b, const ReadOptions& reading,
                                      const Context& context) {
  return base::guarded(context, [&](const Context& call) -> std::array<NamedDocument, 2> {
    FileSystem& files = base::files(call);
    const Wanted left = parse_wanted(a, files), right = parse_wanted(b, files);
    if (left.path != right.path) return read_two(a, b, reading, reading, call);
    if (left.path == kStandardInput)
      throw Error(ErrorCode::usage, "- is named twice, but standard input can be only one of the two documents");
    Search first(left), second(right);
    comparison::scan({left.path}, reading, {&first, &second}, call);
    return {first.result(), second.result()};
  });
}

std::array<NamedDocument, 2> read_two(const std::string& a, const std::string& b, const ReadOptions& reading_a,
                                      const ReadOptions& reading_b, const Context& context) {
  return base::guarded(context, [&](const Context& call) -> std::array<NamedDocument, 2> {
    FileSystem& files = base::files(call);
    const Wanted left = parse_wanted(a, files), right = parse_wanted(b, files);
    if (left.path == kStandardInput && right.path == kStandardInput)
      throw Error(ErrorCode::usage, "- is named twice, but standard input can be only one of the two documents");
    Search first(left), second(right);
    comparison::scan({left.path}, reading_a, {&first}, call);
    comparison::scan({right.path}, reading_b, {&second}, call);
    return {first.result(), second.result()};
  });
}

}  // namespace neardup
