// How much text will a collection hold, as far as its files tell?
#pragma once

#include <cstdint>

#include "io/codecs/codecs.h"
#include "io/collection.h"
#include "io/pass.h"

namespace neardup::corpus {

// Bytes of text. A guess where files are compressed.
inline std::uint64_t expected_bytes(const io::Source& source) {
  constexpr std::uint64_t kInflated = 4;  // what a compressed byte of text mostly represents
  return source.file_bytes * (source.codec == &io::plain_codec() ? 1 : kInflated);
}
inline std::uint64_t expected_bytes(const Collection& collection) {
  std::uint64_t bytes = 0;
  for (const io::Source& source : io::impl_of(collection).sources) bytes += expected_bytes(source);
  return bytes;
}

// What reading a collection once more will take for a while.
inline std::size_t reading_bytes(const Context& context) { return io::pass_bytes(context); }

}  // namespace neardup::corpus
