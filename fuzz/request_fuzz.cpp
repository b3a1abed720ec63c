// Arbitrary bytes as what a client sends: complete requests are the same however the bytes are split, bodies stay
// within the limit, and whatever is refused is refused by a Problem.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "body_decoder.h"
#include "json_input.h"
#include "problem.h"
#include "query.h"
#include "request_parser.h"
#include "routes.h"

namespace {

using namespace neardup::server;

constexpr std::uint64_t kMostBody = 1u << 16;

// What a connection does with its bytes, `step` of them at a time: a line for every request. What is wrong with an
// incomplete one may be noticed now or later.
std::vector<std::string> requests_of(std::string_view bytes, std::size_t step) {
  std::vector<std::string> out;
  std::string buffer;
  RequestParser parser({});
  bool has_header = false;
  try {
    for (;;) {
      const std::size_t used = parser.put(buffer);
      buffer.erase(0, used);
      if (parser.has_header() && !has_header) {
        has_header = true;
        parser.limit_body(kMostBody);
        continue;
      }
      if (parser.is_done()) {
        const Request& request = parser.request();
        if (request.body.size() > kMostBody) std::abort();
        out.push_back(request.target + ' ' + request.host + ' ' + request.body);
        parser = RequestParser({});
        has_header = false;
      } else if (used == 0 || buffer.empty()) {
        if (bytes.empty()) return out;
        buffer += bytes.substr(0, step);
        bytes.remove_prefix(std::min(step, bytes.size()));
      }
    }
  } catch (const Problem&) {
  }
  return out;
}

template <class Work>
void allow_problems(const Work& work) {
  try {
    work();
  } catch (const Problem&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::vector<std::string> whole = requests_of(bytes, std::max<std::size_t>(size, 1));
  for (const std::size_t step : {1, 7})
    if (requests_of(bytes, step) != whole) std::abort();

  allow_problems([&] {
    Query query(bytes);
    query.number("limit", 1, 1, 10);
    query.finish();
  });
  for (const std::string_view encoding : {"gzip", "zstd"})
    allow_problems([&] {
      if (decoded_body(std::string(bytes), encoding, kMostBody).size() > kMostBody) std::abort();
    });
  allow_problems([&] {
    Request request{.content_type = "application/json", .body = std::string(bytes)};
    JsonInput input(request, kMostBody);
    input.text("a");
    input.required_texts("ids", 10);
    input.finish();
  });
  return 0;
}
