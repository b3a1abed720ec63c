#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/choices.h"
#include "base/tsv.h"
#include "neardup/error.h"
#include "neardup/trim.h"

namespace neardup {
namespace {

constexpr std::array kBorders{
    Choice<CutAt>{"word", CutAt::word, "between words"},
    Choice<CutAt>{"sentence", CutAt::sentence, "whole sentences only"},
    Choice<CutAt>{"line", CutAt::line, "whole lines only"},
};

constexpr std::array kShort{
    Choice<ShortDocuments>{"keep", ShortDocuments::keep, "left whole"},
    Choice<ShortDocuments>{"empty", ShortDocuments::empty, "kept without its text"},
    Choice<ShortDocuments>{"remove", ShortDocuments::remove, "not written"},
};

constexpr unsigned kLongest = 100'000;

}  // namespace

TrimUnit parse_trim_unit(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const std::optional<std::uint64_t> given =
      colon == std::string_view::npos ? std::nullopt : base::parse_whole(text.substr(colon + 1));
  const std::uint64_t length = given.value_or(0);
  const bool is_counted = name == "spans" || name == "sentences";
  if (colon == std::string_view::npos ? !(is_counted || name == "lines" || name == "paragraphs")
                                      : !is_counted || length == 0 || length > kLongest) {
    throw Error(ErrorCode::usage,
                fmt::format("`unit` {}: expected lines, paragraphs, sentences:N or spans:N, with N from 1 to {}", text,
                            kLongest),
                "unit");
  }
  if (name == "lines") return {TrimUnit::Kind::lines, 1};
  if (name == "paragraphs") return {TrimUnit::Kind::paragraphs, 1};
  if (name == "sentences") return {TrimUnit::Kind::sentences, length == 0 ? 3 : static_cast<unsigned>(length)};
  return {TrimUnit::Kind::spans, length == 0 ? 50 : static_cast<unsigned>(length)};
}

std::string to_string(const TrimUnit& unit) {
  switch (unit.kind) {
    case TrimUnit::Kind::lines:
      return "lines";
    case TrimUnit::Kind::paragraphs:
      return "paragraphs";
    case TrimUnit::Kind::sentences:
      return fmt::format("sentences:{}", unit.length);
    case TrimUnit::Kind::spans:
      break;
  }
  return fmt::format("spans:{}", unit.length);
}

CutAt parse_cut_at(std::string_view text) { return base::parse_choice<CutAt>("cut", text, kBorders); }
std::string to_string(CutAt cut) { return base::choice_name<CutAt>(cut, kBorders); }
ShortDocuments parse_short_documents(std::string_view text) {
  return base::parse_choice<ShortDocuments>("short_documents", text, kShort);
}
std::string to_string(ShortDocuments choice) { return base::choice_name<ShortDocuments>(choice, kShort); }

MinLeft parse_min_left(std::string_view text) {
  const auto refuse = [&]() -> MinLeft {
    throw Error(ErrorCode::usage,
                fmt::format("`min_left` {}: expected a number of words, or a share such as 0.3 or 30%", text),
                "min_left");
  };
  if (const auto whole = base::parse_whole(text)) return *whole == 0 ? refuse() : MinLeft{.items = *whole};
  const bool is_percent = text.ends_with('%');
  try {
    Threshold share = parse_threshold(is_percent ? text.substr(0, text.size() - 1) : text);
    if (is_percent) share.den *= 100;
    if (share.num == 0 || share.num > share.den) return refuse();
    return {.share = share};
  } catch (const Error&) {
    return refuse();
  }
}

void TrimOptions::validate() const {
  const auto refuse = [](const std::string& message, const char* option) {
    throw Error(ErrorCode::usage, message, option);
  };
  if (unit.length == 0 || unit.length > kLongest)
    refuse(fmt::format("`unit`: the length must be from 1 to {}", kLongest), "unit");
  const bool has_length = unit.kind == TrimUnit::Kind::spans || unit.kind == TrimUnit::Kind::sentences;
  if (!has_length && unit.length != 1) refuse("`unit`: lines and paragraphs have no length", "unit");
  if (min_copies < 2)
    refuse("`min_copies` must be at least 2: a passage that stands once is not repeated", "min_copies");
  if (cut == CutAt::sentence && unit.kind != TrimUnit::Kind::spans)
    refuse("`cut=sentence` applies to `unit=spans`", "cut");
  if (cut == CutAt::line && unit.kind != TrimUnit::Kind::spans && unit.kind != TrimUnit::Kind::sentences)
    refuse("`cut=line` applies to `unit=spans` and `unit=sentences`", "cut");
  const bool asks_for_rank = std::ranges::any_of(
      keep, [](const KeepRule& rule) { return rule.kind == KeepRule::Kind::authority && rule.field.empty(); });
  if (asks_for_rank) refuse("`keep=authority` is not offered here; use max:FIELD with your own scores", "keep");
  if (output.annotate && short_documents != ShortDocuments::keep)
    refuse("`annotate` keeps every record: leave out `short_documents`", "annotate");
  if (!min_left.is_given() && short_documents != ShortDocuments::keep)
    refuse("`short_documents` needs `min_left`", "min_left");
}

}  // namespace neardup
