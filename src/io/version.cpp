#include "neardup/version.h"

#include <archive.h>
#include <brotli/decode.h>
#include <bzlib.h>
#include <fmt/core.h>
#include <lz4.h>
#include <lzma.h>
#include <rocksdb/version.h>
#include <simdjson.h>
#include <tbb/version.h>
#include <unicode/uvernum.h>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>

#include "io/columns/plugin.h"
#include "neardup/error.h"

namespace neardup {

std::string version() { return NEARDUP_VERSION; }

std::vector<std::string> library_versions() {
  return {fmt::format("simdjson {}", SIMDJSON_STRINGIFY(SIMDJSON_VERSION)),
          fmt::format("zlib {}", ZLIB_VERSION),
          fmt::format("zstd {}", ZSTD_VERSION_STRING),
          fmt::format("bzip2 {}", BZ2_bzlibVersion()),
          fmt::format("liblzma {}", LZMA_VERSION_STRING),
          fmt::format("lz4 {}", LZ4_versionString()),
          fmt::format("brotli {}.{}.{}", BrotliDecoderVersion() >> 24, BrotliDecoderVersion() >> 12 & 0xFFF,
                      BrotliDecoderVersion() & 0xFFF),
          fmt::format("libarchive {}", ARCHIVE_VERSION_ONLY_STRING),
          fmt::format("RE2 {}", NEARDUP_RE2_VERSION),
          fmt::format("uchardet {}", NEARDUP_UCHARDET_VERSION),
          fmt::format("libstemmer {}", NEARDUP_STEMMER_VERSION),
          fmt::format("oneTBB {}", TBB_VERSION_STRING),
          fmt::format("ICU {}", U_ICU_VERSION),
          fmt::format("xxhash {}.{}.{}", XXH_VERSION_MAJOR, XXH_VERSION_MINOR, XXH_VERSION_RELEASE),
          fmt::format("RocksDB {}.{}.{}", ROCKSDB_MAJOR, ROCKSDB_MINOR, ROCKSDB_PATCH),
          fmt::format("fmt {}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)};
}

std::vector<std::string> plugin_versions() {
  try {
    if (const NeardupArrowPlugin* plugin = io::find_arrow_plugin())
      return {fmt::format("Arrow {}", plugin->arrow_version)};
    return {};
  } catch (const Error& error) {
    return {fmt::format("Arrow: {}", error.what())};
  }
}

}  // namespace neardup
