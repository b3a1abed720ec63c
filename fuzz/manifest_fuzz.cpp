// Arbitrary bytes as the manifest of an index; the checksum is put right, so that what lies behind it is reached.
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "index/checked_file.h"
#include "index/manifest.h"
#include "neardup/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace neardup;
  std::string json(reinterpret_cast<const char*>(data), size);
  json += fmt::format(",\n  \"checksum\": \"{:016x}\"\n}}\n", indexing::checksum(json));
  try {
    const indexing::Manifest manifest = indexing::parse_manifest(json, "manifest.json");
    const indexing::Manifest again = indexing::parse_manifest(indexing::to_json(manifest), "manifest.json");
    if (again.definition != manifest.definition) std::abort();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::corrupt && error.code() != ErrorCode::usage) std::abort();
  }
  return 0;
}
