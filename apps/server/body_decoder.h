// How is a compressed body read without trusting its size?
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace neardup::server {

// Undoes Content-Encoding piece by piece. Threads: one at a time.
class BodyDecoder {
 public:
  // Throws Problem for an encoding other than identity, gzip and zstd.
  static std::unique_ptr<BodyDecoder> make(std::string_view encoding);
  virtual ~BodyDecoder() = default;

  // Appends at most about `most` bytes to `out` and removes from `in` what it used. True when there may be more output,
  // even with no more input. Throws Problem for damaged input.
  virtual bool step(std::string_view& in, std::string& out, std::size_t most) = 0;
  // Throws Problem when the input so far is not complete.
  virtual void finish() = 0;
};

// The whole of a body. Throws Problem when it is damaged or has more than `most` bytes.
std::string decoded_body(std::string body, std::string_view encoding, std::uint64_t most);

}  // namespace neardup::server
