// Mail. `eml`: a file is a message. `mbox`: messages one after the other, each behind a line that starts with "From ".
#include <algorithm>
#include <iterator>

#include "base/ascii.h"
#include "io/collection.h"
#include "io/formats/fields.h"
#include "io/formats/formats.h"
#include "io/formats/mail_parts.h"
#include "io/formats/page_text.h"
#include "io/read_options.h"

namespace neardup::io {
namespace {

constexpr std::string_view kSeparator = "From ";

// A message ends where a blank line is followed by the next separator.
class MboxCutter final : public Cutter {
 public:
  std::size_t scan(std::string_view bytes) override {
    for (std::size_t at = bytes.find(kSeparator); at != std::string_view::npos; at = bytes.find(kSeparator, at + 1)) {
      const std::string_view before = bytes.substr(0, at);
      if (before.ends_with("\n\n") || before.ends_with("\n\r\n")) return at;
    }
    return kOpen;
  }
  [[nodiscard]] std::size_t look_back() const override {
    return std::string_view("\n\r\n").size() + kSeparator.size() - 1;
  }

  bool take(std::string_view unit, RawRecord& out) override {
    lines_ = static_cast<std::uint64_t>(std::count(unit.begin(), unit.end(), '\n'));
    out.terminator = terminator_size(unit);
    out.size = static_cast<std::uint32_t>(unit.size()) - out.terminator;
    if (!unit.starts_with(kSeparator)) {
      if (unit.find_first_not_of("\r\n") == std::string_view::npos) return false;
      out.problem = "not a mail: it does not start with a line \"From ...\"";
    }
    return true;
  }
  bool take_last(std::string_view unit, RawRecord& out) override { return !unit.empty() && take(unit, out); }
  [[nodiscard]] std::uint64_t number() const override { return number_; }
  void next_unit() override {
    number_ += lines_;
    lines_ = 0;
  }

 private:
  std::uint64_t number_ = 1, lines_ = 0;  // of the current message
};

// In an mbox, lines of a message that look like a separator have a ">" more than they should.
std::string unescaped(std::string_view message) {
  std::string out;
  out.reserve(message.size());
  while (!message.empty()) {
    const std::size_t newline = message.find('\n');
    std::string_view line = message.substr(0, newline == std::string_view::npos ? newline : newline + 1);
    message.remove_prefix(line.size());
    const std::size_t quotes = line.find_first_not_of('>');
    if (quotes != 0 && quotes != std::string_view::npos && line.substr(quotes).starts_with(kSeparator))
      line.remove_prefix(1);
    out += line;
  }
  return out;
}

class MailParser final : public BuildingParser {
 public:
  MailParser(const ReadOptions& options, bool unescapes)
      : BuildingParser(options.extra_fields.size()),
        id_field_(base::lowered(id_field(options))),
        id_required_(options.id_field.has_value()),
        fields_(options),
        bodies_(options),
        unescapes_(unescapes) {}

  [[nodiscard]] Decoding decoding() const noexcept override { return decoding_; }

 private:
  const char* build(const RecordBatch& batch, std::size_t place, Document& out) override {
    decoding_ = {};
    std::string_view message = batch.raw(place);
    if (unescapes_ && message.find("\n>") != std::string_view::npos) {
      plain_ = unescaped(message);
      message = plain_;
    }
    const MailEntity mail = parse_entity(message);
    if (mail.headers.empty()) return "not a mail: it has no headers";
    out.key = decode_words(mail.header(id_field_));
    if (out.key.empty() && id_required_) {
      reason_ = "no header \"" + id_field_ + "\"";
      return reason_.c_str();
    }
    for (const std::string& name : fields_.wanted()) {
      fields_.set(name, decode_words(mail.header(name == "title" ? "subject" : name)), out);
    }
    for (const MailPart& part : text_parts(message)) append(part, out);
    return nullptr;
  }

  void append(const MailPart& part, Document& out) {
    Body body{.bytes = part.bytes, .known = charset_of(part.content_type)};
    if (!is_text_type(part.content_type, body.kind)) return;
    const Decoding decoding = bodies_.read(body, part_);
    if (!out.text.empty()) out.text += '\n';
    out.text += part_.text;
    std::move(part_.links.begin(), part_.links.end(), std::back_inserter(out.links));
    if (decoding_.encoding.empty()) decoding_.encoding = decoding.encoding;
    decoding_.detected |= decoding.detected;
    decoding_.repaired |= decoding.repaired;
    decoding_.lacks_main_text |= decoding.lacks_main_text;
  }

  std::string id_field_;
  bool id_required_;
  NamedFields fields_;
  BodyReader bodies_;
  bool unescapes_;
  Document part_;
  Decoding decoding_;
  std::string plain_, reason_;
};

}  // namespace

Format eml_format() {
  return {
      .name = "eml",
      .summary = "a mail (the whole file); its headers are fields",
      .extensions = {".eml"},
      .sniff = [](std::string_view, std::string_view extension,
                  const Format& self) { return self.has_extension(extension) ? Fit::name_alone_can_tell : Fit::no; },
      .cutter = [](const Source&, const ReadOptions&) -> std::unique_ptr<Cutter> {
        return std::make_unique<WholeFileCutter>();
      },
      .parser = [](const ReadOptions& options) -> std::unique_ptr<RecordParser> {
        return std::make_unique<MailParser>(options, false);
      },
      .decodes_itself = true,
      .named_fields = true,
      .whole_file = true};
}

Format mbox_format() {
  return {.name = "mbox",
          .summary = "a mail of a mailbox",
          .extensions = {".mbox", ".mbx"},
          .sniff =
              [](std::string_view first_bytes, std::string_view extension, const Format& self) {
                if (!first_bytes.starts_with(kSeparator)) return Fit::no;
                if (self.has_extension(extension)) return Fit::name_alone_can_tell;
                // A separator ends in a year, and a header follows it.
                const std::size_t end = first_bytes.find('\n');
                const std::string_view line = first_bytes.substr(0, end);
                const MailEntity mail = parse_entity(first_bytes);
                const bool has_year =
                    line.find(" 19") != std::string_view::npos || line.find(" 20") != std::string_view::npos;
                return has_year && !mail.header("from").empty() ? Fit::content : Fit::no;
              },
          .cutter = [](const Source&, const ReadOptions&) -> std::unique_ptr<Cutter> {
            return std::make_unique<MboxCutter>();
          },
          .parser = [](const ReadOptions& options) -> std::unique_ptr<RecordParser> {
            return std::make_unique<MailParser>(options, true);
          },
          .decodes_itself = true,
          .named_fields = true};
}

}  // namespace neardup::io
