#include "io/inputs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <glob.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "neardup/error.h"
#include "neardup/file_system.h"

namespace neardup::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStandardInput = "-";
constexpr int kPollMilliseconds = 100;

class Finder {
 public:
  explicit Finder(const Context& context) : context_(context), files_(base::files(context)) {}

  Inputs find(const std::vector<std::string>& inputs) {
    if (inputs.empty()) throw Error(ErrorCode::usage, "no input is named");
    for (const std::string& input : inputs) add(input);
    set_relative_paths();
    found_.single = inputs.size() == 1 && found_.sources.size() == 1 && !has_folder_;
    return std::move(found_);
  }

 private:
  void add(const std::string& input) {
    if (input == kStandardInput) {
      add_stream(input, STDIN_FILENO);
      return;
    }
    std::error_code error;
    const fs::file_status status = fs::status(input, error);
    if (fs::is_directory(status)) {
      add_folder(input);
    } else if (status.type() == fs::file_type::fifo || status.type() == fs::file_type::character) {
      add_once_readable(input);
    } else if (files_.exists(input)) {
      add_file(input);
    } else if (input.find_first_of("*?[") != std::string::npos) {
      add_matches(input);
    } else if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory) {
      throw Error(ErrorCode::input, fmt::format("cannot read {}: {}", input, error.message()));
    } else {
      throw Error(ErrorCode::input, fmt::format("no such file or folder: {}", input));
    }
  }

  void add_file(const std::string& path) {
    found_.sources.push_back({.path = path, .file = path, .relative = {}});
    anchors_.push_back(fs::absolute(path).lexically_normal().parent_path());
  }

  void add_matches(const std::string& pattern) {
    glob_t matches{};
    const int status = ::glob(pattern.c_str(), 0, nullptr, &matches);
    std::vector<std::string> paths;
    if (status == 0) paths.assign(matches.gl_pathv, matches.gl_pathv + matches.gl_pathc);
    ::globfree(&matches);
    if (status == GLOB_NOSPACE) throw std::bad_alloc();
    if (paths.empty()) throw Error(ErrorCode::input, fmt::format("no file matches {}", pattern));
    std::sort(paths.begin(), paths.end());
    for (const std::string& path : paths) add(path);
  }

  void add_folder(const std::string& folder) {
    has_folder_ = true;
    const std::size_t before = found_.sources.size();
    const bool entered = walk(folder);
    if (entered && found_.sources.size() == before)
      throw Error(ErrorCode::input, fmt::format("there are no files in {}", folder));
    found_.folders.emplace_back(folder);
    anchors_.push_back(fs::absolute(fs::path(folder) / ".").lexically_normal().parent_path());
  }

  // Every folder is entered once, however many links lead to it: that ends loops and stops links from multiplying
  // paths. False when this one had been entered already.
  bool walk(const fs::path& folder) {
    base::check_stop(context_);
    struct stat status {};
    if (::stat(folder.c_str(), &status) != 0) fail(folder, errno);
    if (!entered_.emplace(status.st_dev, status.st_ino).second) {
      if (context_.observer != nullptr) {
        context_.observer->warning(
            fmt::format("{} leads to a folder that was read already; not followed", folder.string()));
      }
      return false;
    }
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
      std::string name = entry->path().filename().string();
      if (!name.starts_with('.')) names.push_back(std::move(name));
    }
    if (error) fail(folder, error.value());
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
      const fs::path path = folder / name;
      const fs::file_status kind = fs::status(path, error);
      if (kind.type() == fs::file_type::not_found || kind.type() == fs::file_type::none) fail(path, ENOENT);
      if (fs::is_directory(kind)) {
        walk(path);
      } else if (fs::is_regular_file(kind)) {
        found_.sources.push_back({.path = path.string(), .file = path, .relative = {}});
      }
    }
    return true;
  }

  [[noreturn]] static void fail(const fs::path& path, int error) {
    throw Error(ErrorCode::input, fmt::format("cannot read {}: {}", path.string(), std::strerror(error)));
  }

  void add_once_readable(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) fail(path, errno);
    try {
      add_stream(path, fd);
    } catch (...) {
      ::close(fd);
      throw;
    }
    ::close(fd);
  }

  // A collection is read more than once, a stream is not: copies it as it comes to the temporary folder.
  void add_stream(const std::string& path, int fd) {
    if (std::any_of(found_.sources.begin(), found_.sources.end(), [&](const Source& s) { return s.path == path; })) {
      throw Error(ErrorCode::usage, fmt::format("{} is named twice; it can be read only once", path));
    }
    if (found_.spool == nullptr) found_.spool = std::make_shared<base::TempFolder>(context_);
    const fs::path copy = found_.spool->path() / fmt::format("input-{}", found_.sources.size());
    const auto out = files_.create(copy);
    std::vector<char> buffer(1u << 20);
    for (;;) {
      base::check_stop(context_);
      // A writer that stalls must not keep us from being stopped.
      pollfd ready{.fd = fd, .events = POLLIN, .revents = 0};
      const int events = ::poll(&ready, 1, kPollMilliseconds);
      if (events == 0 || (events < 0 && errno == EINTR)) continue;
      const ssize_t got = ::read(fd, buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail(path == kStandardInput ? "standard input" : path, errno);
      if (got == 0) break;
      out->write(std::span(buffer).first(static_cast<std::size_t>(got)));
    }
    out->close();
    found_.sources.push_back({.path = path, .file = copy, .relative = "stdin"});
  }

  // Below the deepest folder that holds all inputs. Two inputs that are the same file get different places.
  void set_relative_paths() {
    fs::path common = anchors_.empty() ? fs::path() : anchors_.front();
    for (const fs::path& anchor : anchors_) {
      const auto [end, other] = std::mismatch(common.begin(), common.end(), anchor.begin(), anchor.end());
      fs::path shared;
      for (auto part = common.begin(); part != end; ++part) shared /= *part;
      common = shared;
    }
    for (Source& source : found_.sources) {
      if (source.relative.empty()) {
        source.relative = fs::absolute(source.file).lexically_normal().lexically_relative(common);
      }
    }
    give_places(found_.sources);
  }

  const Context& context_;
  FileSystem& files_;
  Inputs found_;
  std::vector<fs::path> anchors_;  // the folders whose common part is the root of `relative`
  std::set<std::pair<dev_t, ino_t>> entered_;
  bool has_folder_ = false;
};

}  // namespace

void give_places(std::vector<Source>& sources) {
  std::set<fs::path> files, folders;
  std::map<fs::path, int> copies;  // how many want the same place
  const auto parents = [](const fs::path& path, const auto& each) {
    for (fs::path up = path.parent_path(); !up.empty() && up != up.parent_path(); up = up.parent_path()) each(up);
  };
  const auto is_free = [&](const fs::path& path) {
    bool free = !files.contains(path) && !folders.contains(path);
    parents(path, [&](const fs::path& up) { free = free && !files.contains(up); });
    return free;
  };
  for (Source& source : sources) {
    const fs::path wished = source.relative;
    while (!is_free(source.relative)) {
      const int copy = ++copies.try_emplace(wished, 1).first->second;
      source.relative = wished.parent_path() / fmt::format("{}-{}", copy, wished.filename().string());
      if (is_free(source.relative)) break;
      // Some folder above is a file: another one takes its place.
      fs::path elsewhere;
      for (const fs::path& part : wished) {
        elsewhere /= elsewhere.empty() ? fs::path(fmt::format("{}-{}", copy, part.string())) : part;
      }
      source.relative = elsewhere;
    }
    files.insert(source.relative);
    parents(source.relative, [&](const fs::path& up) { folders.insert(up); });
  }
}

Inputs find_inputs(const std::vector<std::string>& inputs, const Context& context) { return Finder(context).find(inputs); }

}  // namespace neardup::io
