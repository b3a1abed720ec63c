// When do two URLs mean the same page, and where does a link lead?
#pragma once

#include <string>
#include <string_view>

namespace neardup::authority {

// Scheme and host in small letters, default port and fragment dropped, dot segments removed, escapes of unreserved
// characters decoded and others in capitals, an empty path is "/". Of a path without scheme and host (a file's) all
// escapes are decoded, so that links meet files whose names have escapes in them; above where it starts it keeps
// "..". What comes out is to be compared, not to be made canonical again. Empty for what leads to no page: mailto:,
// javascript:, data:, tel:, what is longer than 8 KiB, and what is not a URL at all. Time is linear.
std::string canonical_url(std::string_view);

// Where `reference` leads from the page at `base` (RFC 3986, section 5), canonical. `base` may be a path: pages in a
// folder link to each other by relative paths.
std::string resolve_url(std::string_view base, std::string_view reference);

// Of a URL, in small letters; empty when it has none.
std::string host_of(std::string_view url);

}  // namespace neardup::authority
