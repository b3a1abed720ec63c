// `sets`: a line of integers is a record, its tokens used unchanged.
#include <charconv>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "io/formats/formats.h"

namespace neardup::io {
namespace {

class SetsParser final : public RecordParser {
 public:
  const char* parse(const RecordBatch& batch, std::size_t place, DocumentView& out) override {
    const std::string_view line = batch.raw(place);
    tokens_.clear();
    const char* at = line.data();
    const char* const end = at + line.size();
    for (;;) {
      while (at != end && (*at == ' ' || *at == '\t' || *at == ',')) ++at;
      if (at == end) break;
      // A negative integer is its two's complement: only data that also holds integers near 2^64 could tell.
      std::uint64_t token = 0;
      std::int64_t negative = 0;
      const auto [stop, error] = *at == '-' ? std::from_chars(at, end, negative) : std::from_chars(at, end, token);
      if (*at == '-') token = static_cast<std::uint64_t>(negative);
      const bool whole = stop == end || *stop == ' ' || *stop == '\t' || *stop == ',';
      if (error != std::errc{} || !whole) return refuse(at, end);
      tokens_.push_back(token);
      at = stop;
    }
    out = DocumentView::of_tokens(tokens_);
    out.is_valid_utf8 = true;
    return nullptr;
  }
  [[nodiscard]] Decoding decoding() const noexcept override { return {}; }

 private:
  const char* refuse(const char* at, const char* end) {
    constexpr std::size_t kShown = 40;
    std::string_view word(at, static_cast<std::size_t>(end - at));
    word = word.substr(0, word.find_first_of(" \t,"));
    base::assign_valid_utf8(reason_, word.substr(0, kShown));
    reason_ = "\"" + reason_ + "\" is not an integer of 64 bits";
    return reason_.c_str();
  }

  std::vector<std::uint64_t> tokens_;
  std::string reason_;
};

}  // namespace

Format sets_format() {
  return {
      .name = "sets",
      .summary = "a line of integers, which are its features",
      .extensions = {".sets"},
      .sniff = [](std::string_view, std::string_view extension,
                  const Format& self) { return self.has_extension(extension) ? Fit::name_alone_can_tell : Fit::no; },
      .cutter = [](const Source&, const ReadOptions&) -> std::unique_ptr<Cutter> {
        return std::make_unique<LineCutter>();
      },
      .parser = [](const ReadOptions&) -> std::unique_ptr<RecordParser> { return std::make_unique<SetsParser>(); },
      .is_guessed = true};
}

}  // namespace neardup::io
