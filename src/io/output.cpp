#include "io/output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/system.h"
#include "io/codecs/codecs.h"
#include "io/formats/formats.h"
#include "neardup/error.h"

namespace neardup::io {

namespace fs = std::filesystem;

namespace {

// A name that ends like this means a file, never a folder; none of these is written.
void refuse_foreign(const std::string& path, std::string_view extension) {
  for (const std::string_view foreign : {".zip", ".tar", ".tgz", ".tbz2", ".txz", ".7z", ".fps"}) {
    if (!ends_in(extension, foreign)) continue;
    throw Error(
        ErrorCode::usage,
        fmt::format("`output` {}: {} is not written (formats: {}; compressions: {}; a folder of that name ends in /)",
                    path, foreign, fmt::join(format_names(), ", "), fmt::join(codec_names(), ", ")),
        "output");
  }
}

// A folder whose name ends nearly like a format, or in something behind a format, would be a slip.
void refuse_mistyped(const std::string& path, std::string_view extension) {
  if (extension.empty()) return;
  base::Nearest near(extension);
  for (const FormatChoice& format : format_choices())
    for (const std::string& ending : format.endings) near.offer(ending);
  const std::string_view before = std::string_view(path).substr(0, path.size() - extension.size());
  const bool follows_format = format_of_extension(format_extension(before)) != nullptr;
  if (near.best().empty() && !follows_format) return;
  const std::string meant = near.best().empty() ? "" : fmt::format("; did you mean {}?", near.best());
  throw Error(ErrorCode::usage,
              fmt::format("`output` {}: {} is not a format or compression that is written{} (a folder of that name "
                          "ends in /)",
                          path, extension, meant),
              "output");
}

// None when there is no such file, or when it cannot be looked at.
std::optional<FileId> id_of(FileSystem& files, const fs::path& path) {
  try {
    const FileInfo info = files.info(path);
    return info.kind == FileKind::none ? std::nullopt : std::optional(info.id);
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool is_within(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

}  // namespace

void check_apart_from_inputs(const Collection& collection, const fs::path& output, const char* option) {
  const CollectionImpl& impl = impl_of(collection);
  if (impl.is_held()) return;
  FileSystem& files = *impl.files;
  const fs::path target = files.resolve(output.has_filename() ? output : output.parent_path());
  for (const fs::path& folder : impl.folders) {
    if (is_within(target, files.resolve(folder))) {
      throw Error(ErrorCode::usage,
                  fmt::format("`{}` {} is inside the input folder {}: the next run would read it "
                              "(name a place outside)",
                              option, output.string(), folder.string()),
                  option);
    }
  }
  if (!files.exists(output)) return;
  for (const Source& source : impl.sources) {
    if (is_within(files.resolve(source.file()), target)) {
      throw Error(
          ErrorCode::usage,
          fmt::format("`{}` {} would replace the input {} (name another output)", option, output.string(), source.path),
          option);
    }
  }
}

void check_apart_from_files(std::span<const std::string> inputs, const fs::path& output, const Context& context,
                            const char* option) {
  FileSystem& files = base::files(context);
  const auto target = id_of(files, output);
  for (const std::string& input : inputs) {
    if (target && input != "-" && id_of(files, input) == target)
      throw Error(
          ErrorCode::usage,
          fmt::format("`{}` {} would replace the input {} (name another output)", option, output.string(), input),
          option);
  }
}

Target parse_target(const std::string& path) {
  if (path.empty()) return {};
  if (path == "/dev/null") return {.kind = Target::Kind::null_device, .path = path};
  if (path == "-" || path == "/dev/stdout")
    return {.kind = Target::Kind::stdout_stream, .path = path, .format = nullptr, .codec = &plain_codec()};
  const std::string_view extension = format_extension(path);
  const Format* format = format_of_extension(extension);
  // Written by `fingerprint`; they hold no documents and so are not formats.
  const bool fingerprints = ends_in(extension, ".hex") || ends_in(path, ".fps");
  if (format == nullptr && !fingerprints) {
    refuse_foreign(path, extension);
    if (const Codec& codec = codec_of_name(path); &codec != &plain_codec()) {
      throw Error(ErrorCode::usage,
                  fmt::format("`output` {}: the name does not say the format (for example .jsonl{}; a folder "
                              "of that name ends in /)",
                              path, codec.extension),
                  "output");
    }
    refuse_mistyped(path, extension);
    return {.kind = Target::Kind::folder, .path = path};
  }
  const Codec& codec = codec_of_name(path);
  if (format != nullptr && format->framing == Format::Framing::columns && &codec != &plain_codec()) {
    throw Error(ErrorCode::usage,
                fmt::format("`output` {}: {} files have their compression inside; leave out {}", path, format->name,
                            codec.extension),
                "output");
  }
  return {.kind = Target::Kind::file, .path = path, .format = format, .codec = &codec};
}

fs::path name_like(const std::string& stem, const Source& source) {
  std::string_view extension = format_extension(source.path);
  if (extension.empty() && !source.format->extensions.empty()) extension = source.format->extensions.front();
  return fmt::format("{}{}{}", stem, extension, source.codec->extension);
}

}  // namespace neardup::io
