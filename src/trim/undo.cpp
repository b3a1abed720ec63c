// Puts back what a run cut.
#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <map>

#include "base/ascii.h"
#include "base/guard.h"
#include "io/codecs/codecs.h"
#include "io/output.h"
#include "neardup/error.h"
#include "neardup/trim.h"

namespace neardup {
namespace trimming {
namespace {

namespace dom = simdjson::dom;
namespace fs = std::filesystem;

[[noreturn]] void refuse_run(const fs::path& path, const std::string& why) {
  throw Error(ErrorCode::input, fmt::format("{}: {}", path.string(), why), "undo");
}

std::string read_all(const fs::path& path, const Context& context) {
  const auto file = base::files(context).open(path);
  std::string bytes(file->size(), '\0');
  if (!bytes.empty()) file->read_at(0, bytes);
  return bytes;
}

struct TrimmedFile {
  std::string input, output, relative;
};

std::vector<TrimmedFile> read_run(const fs::path& folder, const Context& context) {
  const fs::path path = folder / "run.json";
  dom::parser parser;
  dom::element run;
  const std::string bytes = read_all(path, context);
  if (parser.parse(bytes).get(run) != simdjson::SUCCESS) refuse_run(path, "not a JSON object");
  std::string_view verb;
  if (run["verb"].get(verb) != simdjson::SUCCESS || verb != "trim") refuse_run(path, "not the record of a run of trim");
  bool can_undo = false;
  if (run["can_undo"].get(can_undo) != simdjson::SUCCESS || !can_undo)
    refuse_run(path, "this run cannot be undone: it wrote another format, or some bytes of a bad record are not known");
  std::vector<TrimmedFile> files;
  dom::array listed;
  if (run["files"].get(listed) != simdjson::SUCCESS) refuse_run(path, "it lists no files");
  for (const dom::element file : listed) {
    std::string_view input, output, relative;
    if (file["input"].get(input) != simdjson::SUCCESS || file["output"].get(output) != simdjson::SUCCESS ||
        file["relative"].get(relative) != simdjson::SUCCESS)
      refuse_run(path, "its list of files is damaged");
    files.push_back({std::string(input), std::string(output), std::string(relative)});
  }
  return files;
}

// Lines of cuts.jsonl, one after the other.
class Insertions {
 public:
  Insertions(fs::path path, const Context& context) : path_(std::move(path)), file_(base::files(context).open(path_)) {
    next();
  }

  [[nodiscard]] bool done() const { return is_done_; }
  [[nodiscard]] const std::string& file() const { return input_; }
  [[nodiscard]] std::uint64_t at() const { return at_; }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

  void next() {
    std::string line;
    if (!read_line(line)) {
      is_done_ = true;
      return;
    }
    ++number_;
    dom::element object;
    std::string_view input, removed;
    const bool reads = parser_.parse(line).get(object) == simdjson::SUCCESS &&
                       object["file"].get(input) == simdjson::SUCCESS && object["at"].get(at_) == simdjson::SUCCESS;
    if (!reads) damaged();
    input_ = input;
    if (object["removed"].get(removed) == simdjson::SUCCESS) {
      bytes_ = removed;
    } else if (object["removed_hex"].get(removed) == simdjson::SUCCESS) {
      bytes_.clear();
      for (std::size_t i = 0; i + 1 < removed.size(); i += 2)
        bytes_ += static_cast<char>(base::hex_value(removed[i]) * 16 + base::hex_value(removed[i + 1]));
    } else {
      damaged();
    }
  }
  [[noreturn]] void damaged() const { refuse_run(path_, fmt::format("line {} is damaged", number_)); }

 private:
  bool read_line(std::string& line) {
    for (;;) {
      const std::size_t end = buffer_.find('\n', at_line_);
      if (end != std::string::npos) {
        line.assign(buffer_, at_line_, end - at_line_);
        at_line_ = end + 1;
        return true;
      }
      buffer_.erase(0, at_line_);
      at_line_ = 0;
      const std::size_t had = buffer_.size();
      buffer_.resize(had + (std::size_t{1} << 20));
      const std::size_t got = file_->read(std::span(buffer_).subspan(had));
      buffer_.resize(had + got);
      if (got == 0) {
        if (buffer_.empty()) return false;
        buffer_ += '\n';
      }
    }
  }

  fs::path path_;
  std::unique_ptr<InputFile> file_;
  std::string buffer_;
  std::size_t at_line_ = 0;
  dom::parser parser_;
  bool is_done_ = false;
  std::uint64_t number_ = 0, at_ = 0;
  std::string input_, bytes_;
};

// What is left of a file and what is put back, merged by place.
void restore(const fs::path& trimmed, const std::string& input, Insertions& insertions, io::ByteSink& out,
             RestoreReport& report, const Context& context) {
  FileSystem& files = base::files(context);
  std::unique_ptr<io::ByteSource> left;
  if (files.exists(trimmed)) left = io::codec_of_name(trimmed.string()).decoder(files.open(trimmed));
  std::vector<char> buffer(std::size_t{1} << 18);
  std::uint64_t at = 0;
  const auto copy = [&](std::uint64_t bytes) {
    while (bytes > 0 && left != nullptr) {
      const std::size_t got =
          left->read(std::span(buffer).first(static_cast<std::size_t>(std::min<std::uint64_t>(bytes, buffer.size()))));
      if (got == 0) {
        if (!left->problem().empty()) refuse_run(trimmed, left->problem());
        return;
      }
      out.write({buffer.data(), got});
      at += got;
      bytes -= got;
    }
  };
  for (; !insertions.done() && insertions.file() == input; insertions.next()) {
    base::check_stop(context);
    if (insertions.at() < at) insertions.damaged();
    copy(insertions.at() - at);
    if (at != insertions.at()) refuse_run(trimmed, "it is shorter than cuts.jsonl says");
    out.write(insertions.bytes());
    at += insertions.bytes().size();
    ++report.insertions;
  }
  copy(~std::uint64_t{0});
  report.bytes += at;
}

RestoreReport undo(const std::string& folder, const std::string& output, Overwrite overwrite, const Context& context) {
  const std::vector<TrimmedFile> files = read_run(folder, context);
  Insertions insertions(fs::path(folder) / "cuts.jsonl", context);
  RestoreReport report;
  if (output == "-") {
    if (files.size() != 1)
      throw Error(ErrorCode::usage, "several inputs are restored to a folder, not to standard output", "output");
    const auto sink = io::stdout_sink(io::plain_codec());
    restore(fs::path(folder) / files[0].output, files[0].input, insertions, *sink, report, context);
    sink->close();
    return report;
  }
  io::OutputTransaction transaction(output, overwrite, context);
  const fs::path& work = transaction.working_path();
  FileSystem& system = base::files(context);
  const bool is_single = files.size() == 1 && !files[0].output.starts_with("kept/");
  if (!is_single) system.create_folders(work);
  for (const TrimmedFile& file : files) {
    // Without the ending of its compression: restored files are not compressed.
    std::string relative = file.relative;
    const io::Codec& codec = io::codec_of_name(relative);
    if (!codec.extension.empty() && io::ends_in(relative, codec.extension))
      relative.resize(relative.size() - codec.extension.size());
    const fs::path path = is_single ? work : work / relative;
    if (!is_single) system.create_folders(path.parent_path());
    const auto sink = io::open_sink(system, path, io::plain_codec());
    restore(fs::path(folder) / file.output, file.input, insertions, *sink, report, context);
    sink->close();
  }
  if (!insertions.done()) insertions.damaged();
  base::check_stop(context);
  transaction.commit();
  report.outputs.push_back(output);
  return report;
}

}  // namespace
}  // namespace trimming

RestoreReport undo_trim(const std::string& folder, const std::string& output, Overwrite overwrite,
                        const Context& given) {
  return base::guarded(given,
                       [&](const Context& context) { return trimming::undo(folder, output, overwrite, context); });
}

}  // namespace neardup
