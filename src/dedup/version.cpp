#include "neardup/version.h"

#include <fmt/core.h>
#include <unicode/uvernum.h>
#include <xxhash.h>

#include "io/library_versions.h"

namespace neardup {

std::string version() { return NEARDUP_VERSION; }

std::vector<std::string> library_versions() {
  std::vector<std::string> versions = io::library_versions();
  versions.push_back(std::string("ICU ") + U_ICU_VERSION);
  versions.push_back(fmt::format("xxhash {}.{}.{}", XXH_VERSION_MAJOR, XXH_VERSION_MINOR, XXH_VERSION_RELEASE));
  versions.push_back(fmt::format("fmt {}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100));
  return versions;
}

}  // namespace neardup
