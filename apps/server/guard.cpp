#include "guard.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <algorithm>
#include <cctype>

#include "neardup/error.h"
#include "problem.h"

namespace neardup::server {
namespace {

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

// The name of a Host header without its port.
std::string_view host_name(std::string_view host) {
  if (host.starts_with('[')) return host.substr(0, std::min(host.find(']'), host.size() - 1) + 1);
  return host.substr(0, host.rfind(':'));
}

bool is_address(std::string_view name) {
  in6_addr address{};
  const bool is_six = name.size() > 2 && name.front() == '[' && name.back() == ']';
  const std::string text(is_six ? name.substr(1, name.size() - 2) : name);
  return inet_pton(is_six ? AF_INET6 : AF_INET, text.c_str(), &address) == 1;
}

std::string_view next_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(" \t\r"));
  line.remove_prefix(word.size());
  return word;
}

}  // namespace

Tokens::Tokens(std::string_view text, std::string_view name) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::string_view role = next_word(line);
    if (role.empty() || role.starts_with('#')) continue;
    const std::string_view digits = next_word(line);
    Entry entry;
    if (role == "write") entry.access = Access::write;
    if (role == "admin") entry.access = Access::admin;
    const bool is_role = role == "read" || entry.access != Access::read;
    std::size_t length = 0;
    const bool is_digest = OPENSSL_hexstr2buf_ex(entry.digest.data(), entry.digest.size(), &length,
                                                 std::string(digits).c_str(), '\0') == 1 &&
                           length == entry.digest.size();
    if (!is_role || !is_digest)
      throw Error(ErrorCode::usage,
                  fmt::format("{}:{}: expected read, write or admin, then the SHA-256 of a token (printf %s TOKEN | "
                              "sha256sum)",
                              name, number));
    tokens_.push_back(entry);
  }
  if (tokens_.empty()) throw Error(ErrorCode::usage, fmt::format("{}: there is no token in it", name));
}

Access Tokens::access(std::string_view token) const {
  Digest digest{};
  SHA256(reinterpret_cast<const unsigned char*>(token.data()), token.size(), digest.data());
  Access found = Access::open;
  for (const Entry& entry : tokens_) {  // all of them, whichever one it is
    const bool is_same = CRYPTO_memcmp(entry.digest.data(), digest.data(), digest.size()) == 0;
    if (is_same) found = std::max(found, entry.access);
  }
  return found;
}

Guard::Guard(Tokens tokens, std::vector<std::string> hosts, std::string scheme)
    : tokens_(std::move(tokens)), hosts_(std::move(hosts)), scheme_(std::move(scheme)) {
  for (std::string& host : hosts_) host = lower_case(host);
}

void Guard::check(const Request& request, const Route& route) const {
  check_host(request);
  check_origin(request, route);
  check_token(request, route);
}

// A page elsewhere can make its own name resolve to this machine (DNS rebinding), but not an address.
void Guard::check_host(const Request& request) const {
  if (request.hosts == 0) {
    if (request.is_http_1_0) return;
    throw Problem(ProblemCode::bad_http, "the Host header is missing");
  }
  const std::string name = lower_case(host_name(request.host));
  if (name == "localhost" || is_address(name) || std::ranges::find(hosts_, name) != hosts_.end()) return;
  throw Problem(ProblemCode::bad_host, "the server does not know this Host; --allow-host adds a name");
}

void Guard::check_origin(const Request& request, const Route& route) const {
  if (!request.origin.empty() &&
      lower_case(request.origin) != fmt::format("{}://{}", scheme_, lower_case(request.host)))
    throw Problem(ProblemCode::bad_origin, "the Origin header names another site");
  // A link from another site to the page is harmless; anything else that it makes a browser send is not wanted.
  const bool is_foreign = request.fetch_site == "cross-site" || request.fetch_site == "same-site";
  if (is_foreign && route.pattern != "page")
    throw Problem(ProblemCode::bad_origin, "a browser sent this for another site");
}

void Guard::check_token(const Request& request, const Route& route) const {
  if (tokens_.empty() || route.access == Access::open) return;
  constexpr std::string_view kBearer = "bearer ";
  if (lower_case(std::string_view(request.authorization).substr(0, kBearer.size())) != kBearer)
    throw Problem(ProblemCode::unauthorized, "send the header Authorization: Bearer TOKEN");
  const Access access = tokens_.access(std::string_view(request.authorization).substr(kBearer.size()));
  if (access == Access::open) throw Problem(ProblemCode::unauthorized, "the token is not valid");
  if (access < route.access) throw Problem(ProblemCode::forbidden, "the token does not allow this");
}

}  // namespace neardup::server
