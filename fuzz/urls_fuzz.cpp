// Arbitrary bytes as a page's address and a link on it, a line break between them.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "authority/urls.h"

namespace {

using namespace neardup::authority;

void require(bool condition) {
  if (!condition) std::abort();
}

void check(const std::string& url, std::size_t longest) {
  require(url.size() <= 3 * longest + 2);  // every byte escaped, and a slash or two
  if (url.find("://") == std::string::npos || url.find("://") > url.find_first_of("/?%")) return;
  require(url.find_first_of("# \t\n\"<>") == std::string::npos);
  require(canonical_url(url) == url);
  require(resolve_url("http://elsewhere/a?b", url) == url);
  require(resolve_url(url, "") == url);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(text.find('\n'), size);
  const std::string_view base = text.substr(0, end), link = text.substr(std::min(end + 1, size));
  check(canonical_url(base), size);
  check(resolve_url(base, link), size);
  check(resolve_url("http://a/b/c", link), size + 12);
  const std::string host = host_of(base);
  require(host.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ/@") == std::string::npos ||
          host.find('%') != std::string::npos);
  return 0;
}
