#include "io/archives/archives.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <exception>
#include <utility>

#include "base/utf8.h"
#include "io/codecs/codecs.h"
#include "io/formats/formats.h"
#include "neardup/error.h"

namespace neardup::io {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostRatio = 200;
constexpr std::uint64_t kMostMembers = 10'000'000;
constexpr std::size_t kLongestName = 200;   // of a file or folder
constexpr std::size_t kLongestPath = 1024;  // of all of them together

bool is_zip(std::string_view bytes) { return bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06"); }

bool has_archive_name(std::string_view path) {
  constexpr std::array<std::string_view, 10> kNames{".zip", ".tar",  ".tgz", ".tbz",  ".tbz2",
                                                    ".txz", ".tzst", ".7z",  ".cpio", ".tlz4"};
  const std::string_view extension = format_extension(path);
  return std::any_of(kNames.begin(), kNames.end(), [&](std::string_view name) {
    return extension.size() == name.size() && ends_in(extension, name);
  });
}

// A part of a file. Where nothing is in it, there need not be a file.
class WindowFile final : public InputFile {
 public:
  WindowFile(std::unique_ptr<InputFile> file, std::uint64_t begin, std::uint64_t size)
      : file_(std::move(file)), begin_(begin), size_(size) {}
  std::size_t read(std::span<char> buffer) override {
    const auto got = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), size_ - at_));
    if (got != 0) file_->read_at(begin_ + at_, buffer.first(got));
    at_ += got;
    return got;
  }
  void read_at(std::uint64_t offset, std::span<char> buffer) const override {
    if (offset > size_ || buffer.size() > size_ - offset) {
      throw Error(ErrorCode::input, "read beyond the end of a member of an archive");
    }
    if (!buffer.empty()) file_->read_at(begin_ + offset, buffer);
  }
  [[nodiscard]] std::uint64_t size() const override { return size_; }

 private:
  std::unique_ptr<InputFile> file_;
  std::uint64_t begin_, size_, at_ = 0;
};

// What libarchive reads from: a decoder, or a plain file, in which it may also seek. Its callbacks must not throw.
class Feed {
 public:
  Feed(const Source& source, FileSystem& files, const Context& context)
      : context_(context),
        file_(source.codec == &plain_codec() ? open_source(source, files) : nullptr),
        bytes_(file_ == nullptr ? source.codec->decoder(open_source(source, files)) : nullptr),
        buffer_(kCodecBuffer) {}

  int open(::archive* archive) {
    archive_read_set_callback_data(archive, this);
    archive_read_set_read_callback(archive, &Feed::read);
    if (file_ != nullptr) archive_read_set_seek_callback(archive, &Feed::seek);
    return archive_read_open1(archive);
  }

  void rethrow() const {
    if (error_ != nullptr) std::rethrow_exception(error_);
  }
  [[nodiscard]] std::string problem() const { return bytes_ != nullptr ? bytes_->problem() : std::string(); }

  // The bytes that come next; none at the end.
  std::string_view read() {
    std::size_t got = 0;
    if (bytes_ != nullptr) {
      got = bytes_->read(buffer_);
    } else {
      got = static_cast<std::size_t>(std::min<std::uint64_t>(buffer_.size(), file_->size() - at_));
      if (got != 0) file_->read_at(at_, std::span(buffer_).first(got));
    }
    at_ += got;
    last_ = {buffer_.data(), got};
    return last_;
  }
  // What of the last read() lies behind a position.
  [[nodiscard]] std::string_view last_from(std::uint64_t position) const {
    const std::uint64_t behind = at_ - std::min(position, at_);
    return last_.substr(last_.size() - static_cast<std::size_t>(std::min<std::uint64_t>(last_.size(), behind)));
  }

 private:
  static la_ssize_t read(::archive*, void* self, const void** out) {
    auto& feed = *static_cast<Feed*>(self);
    try {
      base::check_stop(feed.context_);  // the list of a million members takes seconds
      const std::string_view bytes = feed.read();
      *out = bytes.data();
      return static_cast<la_ssize_t>(bytes.size());
    } catch (...) {
      feed.error_ = std::current_exception();
      return -1;
    }
  }

  static la_int64_t seek(::archive*, void* self, la_int64_t offset, int whence) {
    auto& feed = *static_cast<Feed*>(self);
    const auto size = static_cast<la_int64_t>(feed.file_->size());
    const la_int64_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? static_cast<la_int64_t>(feed.at_) : size;
    const la_int64_t at = std::clamp<la_int64_t>(base + std::clamp<la_int64_t>(offset, -size, size), 0, size);
    feed.at_ = static_cast<std::uint64_t>(at);
    return at;
  }

  const Context& context_;
  std::unique_ptr<InputFile> file_;
  std::unique_ptr<ByteSource> bytes_;
  std::vector<char> buffer_;
  std::uint64_t at_ = 0;   // where the next read() begins
  std::string_view last_;  // what it returned last
  std::exception_ptr error_;
};

// What a member is called, in valid UTF-8; empty when it cannot be said.
std::string name_of(::archive_entry* entry) {
  const char* name = archive_entry_pathname_utf8(entry);
  if (name == nullptr) name = archive_entry_pathname(entry);
  std::string valid;
  if (name != nullptr) base::assign_valid_utf8(valid, name);
  return valid;
}

bool is_hidden(std::string_view name) {
  while (!name.empty()) {
    const std::size_t end = std::min(name.find_first_of("/\\"), name.size());
    const std::string_view part = name.substr(0, end);
    if (part.starts_with('.') && part != "." && part != "..") return true;
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return false;
}

class Unpacking {
 public:
  Unpacking(const Source& archive, UnpackBudget& budget, const PathFilter& filter, const fs::path& spool,
            const Context& context)
      : archive_(archive),
        budget_(budget),
        filter_(filter),
        context_(context),
        files_(base::files(context)),
        spool_(spool),
        feed_(archive, files_, context),
        reader_(archive_read_new(), &archive_read_free) {
    if (reader_ == nullptr) throw std::bad_alloc();
    archive_read_support_format_zip(reader_.get());
    archive_read_support_format_tar(reader_.get());
    archive_read_support_format_7zip(reader_.get());
    archive_read_support_format_cpio(reader_.get());
  }

  std::deque<Source> run() {
    out_ = files_.create(spool_);
    if (feed_.open(reader_.get()) < ARCHIVE_WARN) {
      stop("");
    } else {
      while (next_member()) {
      }
    }
    out_->close();
    feed_.rethrow();
    return std::move(members_);
  }

 private:
  bool next_member() {
    base::check_stop(context_);
    ::archive_entry* entry = nullptr;
    const int status = archive_read_next_header(reader_.get(), &entry);
    if (status == ARCHIVE_EOF) {
      look_behind_end();
      return false;
    }
    if (status < ARCHIVE_WARN) return stop("");
    if (status == ARCHIVE_RETRY) {  // a damaged header; libarchive looks for the next one
      if (!std::exchange(is_damaged_, true)) {
        members_.push_back(bad_source(archive_, fmt::format("damaged archive ({}); members may be missing", reason())));
      }
      return true;
    }
    if (++budget_.members > kMostMembers) {
      throw Error(ErrorCode::input, fmt::format("{}: has more than {} members (unpack it yourself if you trust it)",
                                                budget_.path, kMostMembers));
    }
    const std::string name = name_of(entry);
    const bool is_file = archive_entry_filetype(entry) == AE_IFREG && archive_entry_hardlink(entry) == nullptr;
    if (!is_file || is_hidden(name)) return true;
    if (!is_wanted(name)) return true;
    if (archive_entry_is_encrypted(entry) != 0) return stop_because("the archive is encrypted", name);
    return copy(name);
  }

  // A member is below its folders, which may be excluded.
  [[nodiscard]] bool is_wanted(const std::string& name) const {
    if (filter_.wants_everything()) return true;
    for (std::size_t slash = name.find('/'); slash != name.npos; slash = name.find('/', slash + 1)) {
      const std::string folder = name.substr(0, slash);
      if (!filter_.wants_folder(folder, archive_.path + '/' + folder)) return false;
    }
    return filter_.wants_file(name, archive_.path + '/' + name);
  }

  // A tar says where it ends, and nobody looks at what follows: more members, because a damaged one looked like the
  // end, or the checksum of compressed data, which may not be met. All of it is read, within the budget.
  void look_behind_end() {
    if ((archive_format(reader_.get()) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_TAR) {
      const auto is_more = [](std::string_view bytes) { return bytes.find_first_not_of('\0') != bytes.npos; };
      bool more = is_more(feed_.last_from(static_cast<std::uint64_t>(archive_filter_bytes(reader_.get(), 0))));
      for (std::string_view bytes = feed_.read(); !bytes.empty(); bytes = feed_.read()) {
        base::check_stop(context_);
        more |= is_more(bytes);
        charge(bytes.size());
      }
      if (more && !is_damaged_) {
        stop_because("data follows the end of the archive, or it is damaged", "");
        return;
      }
    }
    // A file that merely ends is no error to libarchive, but a decoder may know better.
    if (!feed_.problem().empty()) stop_because(feed_.problem(), "");
  }

  void charge(std::uint64_t bytes) {
    budget_.unpacked += bytes;
    if (budget_.unpacked > budget_.always_allowed && budget_.unpacked / kMostRatio > budget_.archive_bytes) {
      throw Error(ErrorCode::input, fmt::format("{}: unpacks to more than {} times its size (unpack it yourself if "
                                                "you trust it)",
                                                budget_.path, kMostRatio));
    }
  }

  bool copy(const std::string& name) {
    const std::uint64_t begin = written_;
    std::array<char, 64u << 10> piece;
    for (;;) {
      base::check_stop(context_);
      const la_ssize_t got = archive_read_data(reader_.get(), piece.data(), piece.size());
      if (got == 0) break;
      if (got < 0) return stop(name);
      out_->write(std::span(piece).first(static_cast<std::size_t>(got)));
      written_ += static_cast<std::uint64_t>(got);
      charge(static_cast<std::uint64_t>(got));
    }
    Source member;
    member.path = archive_.path + '/' + (name.empty() ? fmt::format("member-{}", budget_.members) : name);
    member.spooled = spool_path_;
    member.relative = archive_.relative + '/' + safe_path(name, budget_.members);
    member.is_named = false;
    member.part = FilePart{begin, written_ - begin};
    budget_.list_bytes += sizeof(Source) + member.path.capacity() + member.relative.capacity();
    if (budget_.list_bytes > most_list_bytes(context_)) {
      throw Error(
          ErrorCode::limit,
          fmt::format("{}: the list of its first {} members does not fit `memory`", budget_.path, budget_.members),
          "memory");
    }
    members_.push_back(std::move(member));
    return true;
  }

  bool stop(const std::string& where) {
    feed_.rethrow();
    if (const std::string problem = feed_.problem(); !problem.empty()) return stop_because(problem, where);
    return stop_because(fmt::format("damaged archive ({})", reason()), where);
  }

  [[nodiscard]] std::string reason() const {
    const char* reason = archive_error_string(reader_.get());
    return reason != nullptr ? reason : "no reason is given";
  }

  bool stop_because(const std::string& why, const std::string& where) {
    members_.push_back(
        bad_source(archive_, fmt::format("{}; {}what follows is not read", why, where.empty() ? "" : where + " and ")));
    return false;
  }

  const Source& archive_;
  UnpackBudget& budget_;
  const PathFilter& filter_;
  const Context& context_;
  FileSystem& files_;
  fs::path spool_;
  std::shared_ptr<const std::string> spool_path_ = std::make_shared<const std::string>(spool_.string());
  Feed feed_;
  std::unique_ptr<::archive, decltype(&archive_read_free)> reader_;
  std::unique_ptr<OutputFile> out_;
  std::uint64_t written_ = 0;
  std::deque<Source> members_;
  bool is_damaged_ = false;  // and a bad source says so
};

}  // namespace

Container container_of(std::string_view first_bytes, std::string_view path) {
  constexpr std::size_t kTarMagic = 257;
  const bool named = has_archive_name(path);
  if (is_zip(first_bytes)) {
    return named || format_extension(path).empty() ? Container::archive : Container::foreign;
  }
  const bool known = first_bytes.starts_with("7z\xBC\xAF\x27\x1C") ||
                     (first_bytes.size() >= kArchiveMagicBytes && first_bytes.substr(kTarMagic, 5) == "ustar");
  return known || named ? Container::archive : Container::none;
}

std::deque<Source> unpack(const Source& archive, UnpackBudget& budget, const PathFilter& filter,
                          std::shared_ptr<base::TempFolder>& spool, const Context& context) {
  if (spool == nullptr) spool = std::make_shared<base::TempFolder>(context);
  FileSystem& files = base::files(context);
  fs::path place;
  for (std::size_t i = 0; place.empty() || files.exists(place); ++i)
    place = spool->path() / fmt::format("members-{}", i);
  return Unpacking(archive, budget, filter, place, context).run();
}

std::size_t most_list_bytes(const Context& context) {
  return std::max(base::memory_bytes(context) / 2, std::size_t{16} << 20);
}

Source bad_source(const Source& like, std::string problem) {
  Source source = like;
  source.format = &format_named("text");
  source.codec = &plain_codec();
  source.part = FilePart{0, 0};
  source.file_bytes = 0;
  source.problem = std::move(problem);
  return source;
}

std::string safe_path(std::string_view name, std::uint64_t number) {
  std::string out;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find_first_of("/\\"), name.size());
    std::string part(name.substr(0, end));
    name.remove_prefix(std::min(end + 1, name.size()));
    const bool is_drive = out.empty() && part.size() == 2 && part[1] == ':';
    if (part.empty() || part == "." || part == ".." || is_drive) continue;
    for (char& c : part) {
      if (static_cast<unsigned char>(c) < 0x20) c = '_';
    }
    if (part.size() > kLongestName) {  // the end tells the format
      std::size_t cut = part.size() - kLongestName;
      while (cut < part.size() && base::is_continuation(part[cut])) ++cut;
      part.erase(0, cut);
    }
    if (!out.empty()) out += '/';
    out += part;
  }
  if (out.empty() || out.size() > kLongestPath) {
    return fmt::format("member-{}{}", number, fs::path(out).extension().string());
  }
  return out;
}

std::unique_ptr<InputFile> open_source(const Source& source, FileSystem& files) {
  if (!source.problem.empty()) return std::make_unique<WindowFile>(nullptr, 0, 0);
  auto file = files.open(source.file());
  if (!source.part) return file;
  return std::make_unique<WindowFile>(std::move(file), source.part->begin, source.part->size);
}

}  // namespace neardup::io
