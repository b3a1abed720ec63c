#include "report/list_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/system.h"
#include "io/codecs/codecs.h"
#include "io/formats/formats.h"
#include "neardup/error.h"

namespace neardup::report {
namespace {

// "tsv, csv or jsonl", with `before` in front of each.
std::string listed(std::span<const std::string_view> formats, std::string_view before) {
  std::string out;
  for (std::size_t i = 0; i < formats.size(); ++i) {
    out += i == 0 ? "" : i + 1 == formats.size() ? " or " : ", ";
    out += fmt::format("{}{}", before, formats[i]);
  }
  return out;
}

const std::string_view* find(std::span<const std::string_view> allowed, std::string_view format) {
  const auto found = std::ranges::find(allowed, format);
  return found == allowed.end() ? nullptr : &*found;
}

[[noreturn]] void refuse(std::span<const std::string_view> allowed) {
  throw Error(ErrorCode::usage,
              fmt::format("`output` must be - or end in {} (also compressed: .{}.gz, .{}.zst)", listed(allowed, "."),
                          allowed.front(), allowed.front()),
              "output");
}

}  // namespace

ListOutput::ListOutput(const std::string& path, std::span<const std::string_view> allowed, std::string_view format,
                       Overwrite overwrite, const Context& context) {
  const std::string_view* asked = format.empty() ? nullptr : find(allowed, format);
  if (!format.empty() && asked == nullptr) {
    throw Error(ErrorCode::usage, fmt::format("`output_format` {}: expected {}", format, listed(allowed, "")),
                "output_format");
  }
  const io::Target target = io::parse_target(path);
  const bool is_stdout = target.kind == io::Target::Kind::stdout_stream;
  if (is_stdout || target.kind == io::Target::Kind::null_device) {
    format_ = asked != nullptr ? *asked : allowed.front();
    out_ = is_stdout ? io::stdout_sink(io::plain_codec()) : io::null_sink();
    return;
  }
  if (target.kind != io::Target::Kind::file || target.format == nullptr) refuse(allowed);
  const std::string_view* ending = find(allowed, target.format->name);
  if (ending == nullptr) refuse(allowed);
  if (asked != nullptr && asked != ending) {
    throw Error(ErrorCode::usage,
                fmt::format("`output_format={}` contradicts the ending of {}: leave one of them out", format, path),
                "output_format");
  }
  format_ = *ending;
  transaction_ = std::make_unique<io::OutputTransaction>(target.path, overwrite, context);
  out_ = io::open_sink(base::files(context), transaction_->working_path(), *target.codec);
}

}  // namespace neardup::report
