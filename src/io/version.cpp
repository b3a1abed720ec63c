#include "neardup/version.h"

#include <fmt/core.h>
#include <simdjson.h>
#include <tbb/version.h>
#include <unicode/uvernum.h>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>

namespace neardup {

std::string version() { return NEARDUP_VERSION; }

std::vector<std::string> library_versions() {
  return {fmt::format("simdjson {}", SIMDJSON_STRINGIFY(SIMDJSON_VERSION)),
          fmt::format("zlib {}", ZLIB_VERSION),
          fmt::format("zstd {}", ZSTD_VERSION_STRING),
          fmt::format("oneTBB {}", TBB_VERSION_STRING),
          fmt::format("ICU {}", U_ICU_VERSION),
          fmt::format("xxhash {}.{}.{}", XXH_VERSION_MAJOR, XXH_VERSION_MINOR, XXH_VERSION_RELEASE),
          fmt::format("fmt {}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)};
}

}  // namespace neardup
