#include "base/keyed_hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace neardup::base {

std::size_t KeyedHash::operator()(std::string_view text) const {
  return XXH3_64bits_withSeed(text.data(), text.size(), key);
}

}  // namespace neardup::base
