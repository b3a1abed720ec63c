// What did the server send, once everything HTTP did to it is undone?
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace neardup::io {

struct HttpResponse {
  std::string_view status;        // "200"; empty when there is no status line
  std::string_view content_type;  // as it was sent
  std::string_view body;          // decoded
  bool readable = true;           // false: the body is in an encoding that is not undone here
};

// Undoes chunks and the content encodings gzip, deflate and br, several of them if need be. Tolerant, as archives hold
// what came: chunks or compressed data that are none are used unchanged, and of damaged data what comes before
// the damage. The length that HTTP announces is not looked at, as the archive knows how much there is.
// Threads: one per thread. Buffers are kept between calls.
class HttpReader {
 public:
  explicit HttpReader(std::uint64_t most_bytes);
  ~HttpReader();
  HttpReader(const HttpReader&) = delete;
  HttpReader& operator=(const HttpReader&) = delete;

  // `out` points into `message` or into this reader, until the next call. Returns why the message cannot be read, which
  // is that it unpacks to more than the limit, or null.
  const char* read(std::string_view message, HttpResponse& out);

 private:
  struct Buffers;
  const char* undo_content_encodings(std::string_view encodings, HttpResponse& out);

  std::uint64_t most_bytes_;
  std::string limit_reason_;
  std::unique_ptr<Buffers> buffers_;
};

}  // namespace neardup::io
