#include "index_lines.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace neardup::cli {
namespace {

std::string escaped(std::string_view id) {
  std::string out;
  for (const char c : id) {
    if (c == '\t') {
      out += "\\t";
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\\') {
      out += "\\\\";
    } else {
      out += c;
    }
  }
  return out;
}

// Texts of an index are valid UTF-8.
void append_json(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      (out += '\\') += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += c == '\n'   ? std::string("\\n")
             : c == '\t' ? std::string("\\t")
                         : fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
  out += '"';
}

std::string match_columns(const std::optional<IndexMatch>& match, Measure measure) {
  if (!match) return "\t";
  return escaped(match->key) + "\t" + format_score(measure, match->score);
}

}  // namespace

std::string match_line(std::string_view key, const std::optional<IndexMatch>& match, Measure measure) {
  return fmt::format("{}\t{}\t{}", escaped(key), match_columns(match, measure),
                     match ? std::to_string(match->cluster) : "");
}

std::string result_line(std::string_view key, const AddResult& result, Measure measure) {
  return fmt::format("{}\t{}\t{}\t{}", escaped(key), to_string(result.status), match_columns(result.match, measure),
                     result.cluster);
}

std::string member_line(ClusterId cluster, const ClusterMember& member) {
  return fmt::format("{}\t{}\t{}", cluster, escaped(member.key), member.kept ? 1 : 0);
}

std::string change_line(const IndexChange& change) {
  return fmt::format("{}\t{:%Y-%m-%dT%H:%M:%S}Z\t{}\t{}\t{}\t{}\t{}", change.token,
                     fmt::gmtime(std::chrono::system_clock::to_time_t(change.time)), to_string(change.kind),
                     change.cluster, change.other == 0 ? "" : std::to_string(change.other), escaped(change.document),
                     change.reason);
}

std::string json_line(const StoredDocument& document, const std::vector<std::string>& field_names) {
  std::string out = "{\"id\":";
  append_json(out, document.key);
  if (document.text) append_json(out += ",\"text\":", *document.text);
  for (std::size_t i = 0; i < document.fields.size() && i < field_names.size(); ++i) {
    if (!document.fields[i]) continue;
    append_json(out += ",", field_names[i]);
    append_json(out += ":", *document.fields[i]);
  }
  if (!document.tokens.empty()) out += fmt::format(",\"tokens\":[{}]", fmt::join(document.tokens, ","));
  if (document.fingerprint) append_json(out += ",\"neardup_fingerprint\":", to_hex(document.fingerprint));
  return out + fmt::format(",\"neardup_cluster\":{},\"neardup_kept\":{}}}", document.cluster,
                           document.kept ? "true" : "false");
}

std::string unescaped(std::string_view id) {
  std::string out;
  for (std::size_t i = 0; i < id.size(); ++i) {
    const char next = i + 1 < id.size() ? id[i + 1] : '\0';
    if (id[i] != '\\' || (next != 't' && next != 'n' && next != '\\')) {
      out += id[i];
      continue;
    }
    out += next == 't' ? '\t' : next == 'n' ? '\n' : '\\';
    ++i;
  }
  return out;
}

}  // namespace neardup::cli
