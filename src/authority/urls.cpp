#include "authority/urls.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/ascii.h"

namespace neardup::authority {
namespace {

// No server takes longer ones. Bounds what a page of many links below one long base can cost.
constexpr std::size_t kLongestUrl = 8192;

constexpr bool is_alpha(char c) { return base::lower(c) >= 'a' && base::lower(c) <= 'z'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_unreserved(char c) {
  return is_alpha(c) || is_digit(c) || c == '-' || c == '.' || c == '_' || c == '~';
}
constexpr bool is_one_of(char c, std::string_view set) { return set.find(c) != set.npos; }
constexpr std::string_view kSubDelimiters = "!$&'()*+,;=";

// The byte that the escape at `at` represents; nothing when there is none.
std::optional<char> escaped_byte(std::string_view text, std::size_t at) {
  if (at + 2 >= text.size() || text[at] != '%') return std::nullopt;
  const int high = base::hex_value(text[at + 1]), low = base::hex_value(text[at + 2]);
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<char>(high * 16 + low);
}

// RFC 3986, appendix B, without the fragment. The views point into the text that was cut.
struct Parts {
  std::string_view scheme, authority, path, query;
  bool has_authority = false, has_query = false;

  [[nodiscard]] bool is_path() const { return scheme.empty() && !has_authority; }
};

// White space and control characters at either end are not part of a URL, nor are line breaks and tabs in it (as
// browsers have it). Nothing for what is too long.
std::optional<std::string> cleaned(std::string_view text) {
  const auto is_space = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  if (text.size() > kLongestUrl) return std::nullopt;
  std::string out(text);
  std::erase_if(out, [](char c) { return c == '\t' || c == '\n' || c == '\r'; });
  return out;
}

std::string_view scheme_of(std::string_view text) {
  if (text.empty() || !is_alpha(text.front())) return {};
  const auto end = std::find_if_not(text.begin(), text.end(),
                                    [](char c) { return is_alpha(c) || is_digit(c) || is_one_of(c, "+-."); });
  return end != text.end() && *end == ':' ? text.substr(0, static_cast<std::size_t>(end - text.begin()))
                                          : std::string_view{};
}

Parts cut(std::string_view text) {
  Parts parts;
  text = text.substr(0, text.find('#'));
  parts.scheme = scheme_of(text);
  if (!parts.scheme.empty()) text.remove_prefix(parts.scheme.size() + 1);
  if (const auto mark = text.find('?'); mark != text.npos) {
    parts.has_query = true;
    parts.query = text.substr(mark + 1);
    text = text.substr(0, mark);
  }
  if (text.starts_with("//")) {
    parts.has_authority = true;
    text.remove_prefix(2);
    const auto slash = std::min(text.find('/'), text.size());
    parts.authority = text.substr(0, slash);
    text.remove_prefix(slash);
  }
  parts.path = text;
  return parts;
}

// What has a scheme leads to a page only below a host, and not always then.
bool leads_somewhere(const Parts& parts) {
  if (parts.scheme.empty()) return true;
  constexpr std::array<std::string_view, 4> kNoPages{"mailto", "javascript", "data", "tel"};
  return parts.has_authority && std::none_of(kNoPages.begin(), kNoPages.end(), [&](std::string_view scheme) {
           return base::equals_any_case(parts.scheme, scheme);
         });
}

enum class Letters { kept, small };

// Escapes of unreserved characters are decoded, others in capitals; what may not be there as it is gets escaped.
void append_normalised(std::string& out, std::string_view text, std::string_view allowed, Letters letters) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::optional<char> byte = escaped_byte(text, i);
    if (byte) i += 2;
    const char c = byte.value_or(text[i]);
    if (is_unreserved(c) || (!byte && is_one_of(c, allowed))) {
      out += letters == Letters::small ? base::lower(c) : c;
    } else {
      const auto value = static_cast<unsigned char>(c);
      out += '%';
      out += kHex[value >> 4];
      out += kHex[value & 15];
    }
  }
}

// Decodes escapes, and those which that brings about. Pages in a folder are called by what their files are called,
// links to them are escaped, and files that were saved from the web often bear escapes in their names: so all forms of
// a name become one.
std::string decoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c;
    while (out.size() >= 3) {
      const std::optional<char> byte = escaped_byte(out, out.size() - 3);
      if (!byte) break;
      out.resize(out.size() - 3);
      out += *byte;
    }
  }
  return out;
}

enum class EmptySegments { kept, dropped };

// RFC 3986, section 5.2.4; a path that does not start with a slash may lead above where it starts.
std::string without_dot_segments(std::string_view path, EmptySegments empty) {
  std::string out;
  const bool absolute = path.starts_with('/');
  if (absolute) {
    out = "/";
    path.remove_prefix(1);
  }
  std::size_t floor = out.size();  // `out` is never cut below
  for (bool last = false; !last;) {
    const auto slash = path.find('/');
    last = slash == path.npos;
    const std::string_view segment = path.substr(0, slash);
    path.remove_prefix(last ? path.size() : slash + 1);
    if (segment == "." || (segment.empty() && empty == EmptySegments::dropped)) continue;
    if (segment != "..") {
      out += segment;
      if (!last) out += '/';
    } else if (out.size() > floor) {
      const auto end = out.rfind('/', out.size() - 2);
      out.resize(end == out.npos ? floor : std::max(floor, end + 1));
    } else if (!absolute) {
      out += "../";
      floor = out.size();
    }
  }
  return out;
}

struct HostAndPort {
  std::string_view user, host, port;
};

// Nothing when it is none.
std::optional<HostAndPort> cut_authority(std::string_view text) {
  HostAndPort out;
  if (const auto at = text.rfind('@'); at != text.npos) {
    out.user = text.substr(0, at);
    text.remove_prefix(at + 1);
  }
  const auto bracket = text.rfind(']');
  if (const auto colon = text.rfind(':'); colon != text.npos && (bracket == text.npos || colon > bracket)) {
    out.port = text.substr(colon + 1);
    text = text.substr(0, colon);
  }
  out.host = text;
  const bool is_address = text.starts_with('[') && text.ends_with(']');
  if (is_address) text = text.substr(1, text.size() - 2);
  const auto is_allowed = [&](char c) {
    return is_unreserved(c) || is_one_of(c, kSubDelimiters) || c == '%' || static_cast<unsigned char>(c) >= 0x80 ||
           (is_address && c == ':');
  };
  if (!std::all_of(text.begin(), text.end(), is_allowed)) return std::nullopt;
  if (!std::all_of(out.port.begin(), out.port.end(), is_digit)) return std::nullopt;
  return out;
}

std::string normalised_host(std::string_view host) {
  std::string out;
  append_normalised(out, host, "!$&'()*+,;=[]:", Letters::small);
  return out;
}

bool is_default_port(std::string_view scheme, std::string_view port) {
  return (scheme == "http" && port == "80") || (scheme == "https" && port == "443") ||
         (scheme == "ftp" && port == "21");
}

std::string canonical_path(const Parts& parts) {
  std::string out = without_dot_segments(decoded(parts.path), EmptySegments::dropped);
  if (parts.has_query) out += '?' + decoded(parts.query);
  return out;
}

std::string canonical(const Parts& parts) {
  if (!leads_somewhere(parts)) return {};
  if (parts.is_path()) return canonical_path(parts);
  const std::optional<HostAndPort> authority = cut_authority(parts.authority);
  std::string out = base::lowered(parts.scheme);
  if (!authority || (authority->host.empty() && out != "file")) return {};
  std::string_view port = authority->port;
  port.remove_prefix(std::min(port.find_first_not_of('0'), port.size()));
  const bool names_port = !port.empty() && !is_default_port(out, port);

  out += out.empty() ? "//" : "://";
  if (!authority->user.empty()) {
    append_normalised(out, authority->user, "!$&'()*+,;=:", Letters::kept);
    out += '@';
  }
  out += normalised_host(authority->host);
  if (names_port) {
    out += ':';
    out += port;
  }
  std::string path;
  append_normalised(path, parts.path, "!$&'()*+,;=:@/", Letters::kept);
  out += path.empty() ? "/" : without_dot_segments(path, EmptySegments::kept);
  if (parts.has_query) {
    out += '?';
    append_normalised(out, parts.query, "!$&'()*+,;=:@/?", Letters::kept);
  }
  return out;
}

}  // namespace

std::string canonical_url(std::string_view url) {
  const std::optional<std::string> text = cleaned(url);
  return text ? canonical(cut(*text)) : std::string{};
}

std::string resolve_url(std::string_view base, std::string_view reference) {
  const std::optional<std::string> base_text = cleaned(base), text = cleaned(reference);
  if (!text) return {};
  Parts to = cut(*text);
  if (!to.scheme.empty()) return canonical(to);
  if (!base_text) return {};
  const Parts from = cut(*base_text);
  if (!leads_somewhere(from)) return {};
  to.scheme = from.scheme;
  if (to.has_authority) return canonical(to);
  to.authority = from.authority;
  to.has_authority = from.has_authority;
  std::string merged;
  if (to.path.empty()) {
    to.path = from.path;
    if (!to.has_query) {
      to.query = from.query;
      to.has_query = from.has_query;
    }
  } else if (!to.path.starts_with('/')) {
    merged = from.path.substr(0, from.path.rfind('/') + 1);  // nothing where there is no slash
    if (merged.empty() && from.has_authority) merged = "/";
    merged += to.path;
    to.path = merged;
  }
  return canonical(to);
}

std::string host_of(std::string_view url) {
  const std::optional<std::string> text = cleaned(url);
  if (!text) return {};
  const Parts parts = cut(*text);
  if (!parts.has_authority || !leads_somewhere(parts)) return {};
  const std::optional<HostAndPort> authority = cut_authority(parts.authority);
  return authority ? normalised_host(authority->host) : std::string{};
}

}  // namespace neardup::authority
