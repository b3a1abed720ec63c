// How much text will a collection hold, as far as its files tell?
#pragma once

#include <cstdint>

#include "neardup/collection.h"

namespace neardup::io {
struct Source;
}

namespace neardup::corpus {

// Bytes of text. A guess where files are compressed.
std::uint64_t expected_bytes(const io::Source&);
std::uint64_t expected_bytes(const Collection&);

}  // namespace neardup::corpus
