#include "option_names.h"

#include <algorithm>
#include <array>

namespace neardup::cli {
namespace {

constexpr std::array kNames = std::to_array<OptionName>({
    {"algorithm", "--algorithm"},
    {"action", "--action"},
    {"against", "--against"},
    {"against_delimiter", "--against-delimiter"},
    {"against_id_field", "--against-id", "--against-id names the column", ErrorCode::input},
    {"against_text_fields", "--against-text", "--against-text names the column", ErrorCode::input},
    {"against_only", "--against-only"},
    {"against_show", "--against-show"},
    {"annotate", "--annotate"},
    {"as_is", "--as-is"},
    {"authority", "--authority"},
    {"authority_below", "--authority-below"},
    {"b", "--b"},
    {"bag", "--bag"},
    {"budget_seconds", "--budget-time"},
    {"by", "--by"},
    {"clusters", "--clusters"},
    {"code", "--code"},
    {"collect", "--collect"},
    {"collect_limit", "--collect-limit"},
    {"copies", "--copies"},
    {"count", "--count"},
    {"count_field", "--count-field"},
    {"cut", "--cut"},
    {"damping", "--damping"},
    {"decisions", "--decisions"},
    {"delimiter", "--delimiter"},
    {"depth", "--depth"},
    {"design", "--design"},
    {"distance", "--distance"},
    {"drop_empty", "--drop-empty"},
    {"durability", "--durability"},
    {"encoding", "--encoding"},
    {"exclude", "--exclude"},
    {"features", "--features"},
    {"field_weights", "--fields"},
    {"files_from", "--files-from"},
    {"finder", "--finder"},
    {"form", "--as"},
    {"format", "--format", "--format says what it is"},
    {"has_header", "--no-header"},
    {"header_bits", "--header-bits"},
    {"html", "--html"},
    {"id_field", "--id", "--id names the column", ErrorCode::input},
    {"ignore", "--ignore"},
    {"ignore_common", "--ignore-common"},
    {"include", "--include"},
    {"index", "--index"},
    {"k", "--distance"},
    {"k1", "--k1"},
    {"k_by_results", "--distance-by-results"},
    {"keep", "--keep"},
    {"length_ratio", "--length-ratio"},
    {"limit", "--limit", "--limit reads less"},
    {"links", "--links"},
    {"matches=first", "--first"},
    {"max_pairs", "--max-pairs"},
    {"max_record_bytes", "--max-record"},
    {"measure", "--measure"},
    {"measure_recall", "--no-recall"},
    {"memory", "--memory", "--memory bounds what is used; --limit and --sample read less"},
    {"method", "--method"},
    {"min_copies", "--min-copies"},
    {"min_count", "--min-count"},
    {"min_left", "--min-left"},
    {"min_share", "--min-share"},
    {"min_word", "--min-word"},
    {"min_words", "--min-words"},
    {"mode", "--mode"},
    {"numbers", "--numbers"},
    {"on_bad_record", "--on-bad-record", "--on-bad-record skip leaves such records out and goes on", ErrorCode::input},
    {"one_to_one", "--one-to-one"},
    {"output", "-o"},
    {"output_format", "--output-format"},
    {"overwrite", "--force", "--force replaces it"},
    {"pairs", "--pairs"},
    {"projection", "--projection"},
    {"protect", "--protect"},
    {"queries", "--queries"},
    {"queries_format", "--queries-format", "--queries-format says what it is"},
    {"query_field", "--query-field", "--query-field names it"},
    {"query_id_field", "--query-id-field"},
    {"quote", "--quote"},
    {"require", "--require"},
    {"results", "--results"},
    {"resume", "--resume"},
    {"same", "--same"},
    {"same_only", "--same-only"},
    {"sample", "--sample"},
    {"report", "--report"},
    {"report_by", "--report-by"},
    {"save_removed", "--save-removed"},
    {"save_results", "--save-results"},
    {"seed", "--seed"},
    {"select", "--select"},
    {"short_documents", "--short"},
    {"show", "--show"},
    {"stats", "--stats"},
    {"stem", "--stem"},
    {"stop_words", "--stop-words"},
    {"strip", "--strip"},
    {"sweep", "--sweep"},
    {"target_recall", "--target-recall"},
    {"temp_folder", "--temp", "--temp DIR names another place"},
    {"text_fields", "--text", "--text names the column", ErrorCode::input},
    {"threshold", "--threshold"},
    {"title_boost", "--title-boost"},
    {"tolerance", "--tolerance"},
    {"top_queries", "--top-queries"},
    {"truth", "--truth"},
    {"undo", "--undo"},
    {"unit", "--unit"},
    {"url_rules", "--url-rules"},
    {"verify=false", "--no-verify"},
    {"volatility", "--no-volatility", "write it with neardup fingerprint -o FILE.fps, without --no-volatility"},
    {"weights", "--weights"},
    {"window", "--window"},
    {"within", "--within"},
});

const OptionName* find(std::string_view id) {
  const auto* const found = std::ranges::find(kNames, id, &OptionName::id);
  return found == kNames.end() ? nullptr : found;
}

// The flags for an option between backticks; nothing when it is not an option.
std::string flags_for(std::string_view quoted) {
  if (const OptionName* name = find(quoted)) return std::string(name->flag);
  const std::size_t equals = quoted.find('=');
  const OptionName* name = equals == quoted.npos ? nullptr : find(quoted.substr(0, equals));
  if (name == nullptr) return {};
  return std::string(name->flag) + " " + std::string(quoted.substr(equals + 1));
}

// "--b" is not in "--bag".
bool names_flag(std::string_view text, std::string_view flag) {
  for (std::size_t at = text.find(flag); at != text.npos; at = text.find(flag, at + 1)) {
    const std::size_t end = at + flag.size();
    const bool goes_on = end < text.size() && (text[end] == '-' || (text[end] >= 'a' && text[end] <= 'z') ||
                                               (text[end] >= '0' && text[end] <= '9'));
    if (!goes_on) return true;
  }
  return false;
}

}  // namespace

std::span<const OptionName> option_names() { return kNames; }

std::string with_flags(std::string_view message) {
  std::string out;
  while (true) {
    const std::size_t open = message.find('`');
    const std::size_t close = open == message.npos ? open : message.find('`', open + 1);
    out += message.substr(0, open);
    if (close == message.npos) {
      if (open != message.npos) out += message.substr(open);
      return out;
    }
    const std::string flags = flags_for(message.substr(open + 1, close - open - 1));
    if (flags.empty()) {  // the closing one may open something else
      out += message.substr(open, close - open);
      message.remove_prefix(close);
    } else {
      out += flags;
      message.remove_prefix(close + 1);
    }
  }
}

std::string explain(const Error& error) {
  std::string text = with_flags(error.what());
  const OptionName* name = find(error.option());
  if (name == nullptr || names_flag(text, name->flag)) return text;
  const bool has_remedy = !name->remedy.empty() && name->code.value_or(error.code()) == error.code();
  return text + " (" + std::string(has_remedy ? name->remedy : name->flag) + ")";
}

}  // namespace neardup::cli
