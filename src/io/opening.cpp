#include "io/opening.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "base/system.h"
#include "io/archives/archives.h"
#include "io/binary.h"
#include "io/codecs/codecs.h"
#include "io/columns/column_file.h"
#include "io/columns/plugin.h"
#include "io/formats/formats.h"
#include "io/output.h"
#include "io/places.h"
#include "neardup/error.h"
#include "text/encoding.h"

namespace neardup::io {
namespace {

constexpr std::size_t kSniffBytes = 4096;

const text::Encoding* forced_encoding(const ReadOptions& options) {
  if (options.encoding.empty()) return nullptr;
  const text::Encoding* encoding = text::encoding_named(options.encoding);
  if (encoding == nullptr) {
    throw Error(ErrorCode::usage,
                fmt::format("`encoding` {}: unknown encoding; examples are utf-8, latin1, "
                            "windows-1251, shift_jis, gb18030, big5, euc-kr, utf-16le",
                            options.encoding),
                "encoding");
  }
  return encoding;
}

std::string read_start(ByteSource& source, std::size_t most) {
  std::string start(most, '\0');
  std::size_t filled = 0;
  while (filled < most) {
    const std::size_t got = source.read(std::span(start).subspan(filled));
    if (got == 0) break;
    filled += got;
  }
  start.resize(filled);
  return start;
}

// What a look at the first bytes found.
struct Look {
  Container container = Container::none;
  std::string_view binary{};  // what kind of binary file it is; empty: none
};

class Opener {
 public:
  Opener(const ReadOptions& options, Inputs& found, const Context& context)
      : options_(options),
        rows_(options.rows),
        forced_(options.format == "auto" ? nullptr : &format_named(options.format)),
        encoding_(forced_encoding(options)),
        found_(found),
        context_(context) {}

  std::uint64_t open() {
    for (Source& source : std::exchange(found_.sources, {})) add(std::move(source), nullptr, 0);
    if (found_.sources.empty()) {
      throw Error(ErrorCode::input, binaries_ == 0
                                        ? fmt::format("there are no files in {}", found_.folders.back().string())
                                        : fmt::format("all files are binary; the first is {}", first_binary_));
    }
    if (binaries_ != 0 && context_.observer != nullptr) {
      context_.observer->warning(fmt::format("{} binary {} skipped; the first is {}", binaries_,
                                             binaries_ == 1 ? "file" : "files", first_binary_));
    }
    if (entered_) found_.single = false;
    give_places(found_.sources, context_);
    return binaries_;
  }

 private:
  void add(Source source, UnpackBudget* budget, int depth) {
    base::check_stop(context_);
    if (!source.problem.empty()) return keep(bad_source(source, source.problem));
    Look look;
    try {
      look = look_at(source);
    } catch (const Error& error) {
      if (source.is_named || error.code() != ErrorCode::input) throw;
      return keep(bad_source(source, error.what()));
    }
    if (!look.binary.empty()) return leave_out(source, look.binary);
    if (look.container == Container::foreign) {
      source = bad_source(source,
                          fmt::format("{} files are not read; save it as text or HTML", format_extension(source.path)));
    } else if (look.container == Container::archive && depth == kDeepestArchive) {
      source = bad_source(source, fmt::format("archives are read {} levels deep", kDeepestArchive));
    } else if (look.container == Container::archive) {
      UnpackBudget own{.path = source.path, .archive_bytes = source.file_bytes};
      if (budget == nullptr) budget = &own;
      if (depth == 0) found_.folders.emplace_back(source.path);
      entered_ = true;
      std::deque<Source> members = unpack(source, *budget, found_.filter, found_.spool, context_);
      found_.sources.reserve(found_.sources.size() + members.size());
      for (; !members.empty(); members.pop_front()) add(std::move(members.front()), budget, depth + 1);
      return;
    }
    keep(std::move(source));
  }

  // Codec, byte-order mark, format.
  Look look_at(Source& source) const {
    auto file = open_source(source, base::files(context_));
    source.file_bytes = file->size();
    std::array<char, kMagicBytes> magic{};
    const std::size_t magic_size = std::min<std::size_t>(magic.size(), source.file_bytes);
    file->read_at(0, std::span(magic).first(magic_size));
    source.codec = &sniff_codec({magic.data(), magic_size}, source.path);

    const auto decoder = source.codec->decoder(std::move(file));
    const std::string start = read_start(*decoder, kSniffBytes);
    if (const Container container = container_of(start, source.path); container != Container::none)
      return {.container = container};
    if (const auto kind = ColumnFile::kind_of(start)) return look_at_columns(source, format_of_kind(*kind));
    if (const std::string_view kind = known_binary(start); !kind.empty()) return {.binary = kind};
    const text::Mark mark = text::byte_order_mark(start);
    const text::Encoding* encoding = encoding_ != nullptr ? encoding_ : mark.encoding;
    std::string text = start.substr(mark.size);
    if (encoding != nullptr && encoding->wide) {
      std::string decoded;
      text::StreamDecoder(*encoding).append(decoded, text, false);
      text = std::move(decoded);
    }
    source.format = forced_ != nullptr ? forced_ : &format_of(text, source.path);
    if (source.format->framing == Format::Framing::columns) throw_not_columns(source);
    const bool may_be_binary = forced_ == nullptr && encoding == nullptr && source.format->is_guessed;
    if (may_be_binary && has_stray_nul(start)) return {.binary = "a binary file (it has NUL bytes)"};
    if (!source.format->decodes_itself) {
      source.encoding = encoding;
      source.mark_size = mark.size;
    }
    return {};
  }

  // Reads the footer, so that a damaged file is noticed before any work is done.
  Look look_at_columns(Source& source, const Format& format) const {
    if (forced_ != nullptr && forced_->framing != Format::Framing::columns) {
      throw Error(ErrorCode::input,
                  fmt::format("{} is a file of format {}, not {}", source.path, format.name, forced_->name), "format");
    }
    if (source.codec != &plain_codec()) {
      throw Error(ErrorCode::input, fmt::format("{}: {} within {} is not read; decompress it first", source.path,
                                                format.name, source.codec->name));
    }
    if (!source.is_named && find_arrow_plugin() == nullptr)
      return {.binary = "a Parquet or Arrow file, which needs libneardup-arrow.so"};
    source.format = &format;
    ColumnFile file(source, base::files(context_));
    try {
      source.has_sets = column_documents(file, options_, 0)->has_tokens();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::usage) throw;  // whoever reads says which column is missing
    }
    return {};
  }

  // Who says how rows are written says that there are rows.
  [[nodiscard]] const Format& format_of(std::string_view text, std::string_view path) const {
    const Format& format = sniff_format(text, path);
    const bool says_rows = rows_ != RowOptions{};
    return says_rows && format.name == "text" ? format_named(rows_.delimiter == '\t' ? "tsv" : "csv") : format;
  }

  void leave_out(const Source& source, std::string_view kind) {
    if (source.is_named) {
      throw Error(ErrorCode::input,
                  fmt::format("{} is {}, which is not read{}", source.path, kind,
                              kind.find("NUL") != kind.npos ? "; if it is text, `format=text` reads it" : ""));
    }
    if (binaries_++ == 0) first_binary_ = fmt::format("{} ({})", source.path, kind);
  }

  void keep(Source source) {
    bytes_ += sizeof(Source) + source.path.capacity() + source.relative.capacity();
    if (bytes_ > most_list_bytes(context_)) {
      throw Error(
          ErrorCode::limit,
          fmt::format("the list of the first {} files does not fit `memory`; allow more, or read a part of them",
                      found_.sources.size()),
          "memory");
    }
    // What a stream is called where its kept records go can be said only now.
    if (source.relative == kStreamPlace && source.spooled != nullptr)
      source.relative = name_like(std::string(kStreamPlace), source).string();
    found_.sources.push_back(std::move(source));
  }

  const ReadOptions& options_;
  const RowOptions& rows_;
  const Format* forced_;
  const text::Encoding* encoding_;
  Inputs& found_;
  const Context& context_;
  bool entered_ = false;
  std::size_t bytes_ = 0;  // that the list takes
  std::uint64_t binaries_ = 0;
  std::string first_binary_;
};

}  // namespace

std::uint64_t look_inside(Inputs& found, const ReadOptions& options, const Context& context) {
  return Opener(options, found, context).open();
}

}  // namespace neardup::io
