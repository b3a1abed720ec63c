#include "io/library_versions.h"

#include <simdjson.h>
#include <tbb/version.h>
#include <zlib.h>
#include <zstd.h>

namespace neardup::io {

std::vector<std::string> library_versions() {
  return {std::string("simdjson ") + SIMDJSON_STRINGIFY(SIMDJSON_VERSION), std::string("zlib ") + ZLIB_VERSION,
          std::string("zstd ") + ZSTD_VERSION_STRING, std::string("oneTBB ") + TBB_VERSION_STRING};
}

}  // namespace neardup::io
