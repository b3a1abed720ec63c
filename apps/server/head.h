// How does the head of a response look?
#pragma once

#include <string>
#include <string_view>

#include "http.h"

namespace neardup::server {

struct HeadOptions {
  std::string_view date;  // the whole header line
  bool closes = false;
  bool is_http_1_0 = false;
  bool is_chunked = false;  // the length is not known
};

// Replaces `out` with the status line and headers.
void write_head(std::string& out, const Response&, const HeadOptions&);
// "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
std::string date_line();

}  // namespace neardup::server
