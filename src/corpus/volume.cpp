#include "corpus/volume.h"

#include "io/codecs/codecs.h"
#include "io/collection.h"

namespace neardup::corpus {

std::uint64_t expected_bytes(const io::Source& source) {
  constexpr std::uint64_t kInflated = 4;  // what a compressed byte of text mostly stands for
  return source.file_bytes * (source.codec == &io::plain_codec() ? 1 : kInflated);
}

std::uint64_t expected_bytes(const Collection& collection) {
  std::uint64_t bytes = 0;
  for (const io::Source& source : io::impl_of(collection).sources) bytes += expected_bytes(source);
  return bytes;
}

}  // namespace neardup::corpus
