// Files of fingerprints for tests, and what stands in them.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/system.h"
#include "io/codecs/codecs.h"
#include "io/fps/file.h"
#include "io/fps/source.h"
#include "io/output.h"
#include "neardup/context.h"

namespace neardup::test {

struct NamedFingerprint {
  std::optional<Fingerprint> fingerprint;
  std::string id;
  friend bool operator==(const NamedFingerprint&, const NamedFingerprint&) = default;
};

inline std::vector<NamedFingerprint> random_fingerprints(std::uint64_t seed, std::size_t count) {
  base::Random random(seed);
  std::vector<NamedFingerprint> records;
  for (std::size_t i = 0; i < count; ++i) records.push_back({Fingerprint{random.next()}, "d" + std::to_string(i)});
  return records;
}

// Volatilities, where the header promises them, are the record's number.
inline void write_fps(const std::string& path, const std::vector<NamedFingerprint>& records,
                      const io::FingerprintHeader& header) {
  io::FingerprintFileWriter writer(io::open_sink(system_files(), path, io::plain_codec()), header);
  Volatility volatility;
  for (const NamedFingerprint& record : records) {
    volatility.level.fill(static_cast<std::uint8_t>(&record - records.data()));
    writer.add({record.fingerprint, &volatility, record.id});
  }
  writer.close();
}

inline std::vector<NamedFingerprint> read_fingerprints(const std::string& path, const Context& context) {
  const auto source = io::open_fingerprints(path, context);
  std::vector<NamedFingerprint> records;
  io::FingerprintBlock block;
  for (const auto reader = source->read(0); reader->next();) {
    reader->load({.ids = true}, block);
    for (std::size_t i = 0; i < block.size(); ++i) {
      records.push_back({block.record(i).fingerprint, std::string(block.id(i))});
    }
  }
  EXPECT_EQ(records.size(), source->rows());
  return records;
}

}  // namespace neardup::test
