// What was fixed when an index was created?
//
// manifest.json: one JSON object whose last member is a checksum of all bytes before that line. It is written once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "neardup/files.h"
#include "neardup/index.h"

namespace neardup::indexing {

inline constexpr std::uint64_t kFormatVersion = 1;

struct Manifest {
  IndexOptions options{};
  std::string icu{};             // the version that folded the texts: "72.1"
  std::uint64_t definition = 0;  // a hash of everything that segments depend on
};

std::string icu_version();
// With this program's versions.
Manifest new_manifest(const IndexOptions&);
std::string to_json(const Manifest&);
// Throws Error{corrupt} for damage, Error{usage} for a newer format. `name` is used in messages.
Manifest parse_manifest(std::string_view json, const std::string& name);

Manifest read_manifest(FileSystem&, const std::filesystem::path& index);
void write_manifest(FileSystem&, const std::filesystem::path& index, const Manifest&);

}  // namespace neardup::indexing
