// Arbitrary bytes as what a server answered: whatever is undone stays within the limit.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "io/formats/http_body.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::uint64_t kMost = 1u << 16;
  neardup::io::HttpReader reader(kMost);
  neardup::io::HttpResponse response;
  const std::string_view message(reinterpret_cast<const char*>(data), size);
  if (reader.read(message, response) == nullptr && response.body.size() > std::max<std::uint64_t>(kMost, size))
    std::abort();
  return 0;
}
