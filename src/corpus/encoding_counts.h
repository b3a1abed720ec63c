// Which encodings were texts in, other than UTF-8, and how many were guessed?
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "io/record.h"
#include "neardup/collection.h"

namespace neardup::corpus {

class EncodingCounts {
 public:
  void add(const io::Decoding& decoding) {
    if (!decoding.encoding.empty()) ++counts_[{std::string(decoding.encoding), decoding.detected}];
  }
  void add(const std::vector<EncodingCount>& others) {
    for (const EncodingCount& other : others) counts_[{other.name, other.detected}] += other.documents;
  }
  // By name.
  [[nodiscard]] std::vector<EncodingCount> list() const {
    std::vector<EncodingCount> out;
    for (const auto& [encoding, documents] : counts_) {
      out.push_back({encoding.first, encoding.second, documents});
    }
    return out;
  }

 private:
  std::map<std::pair<std::string, bool>, std::uint64_t> counts_;  // name and whether it was guessed
};

}  // namespace neardup::corpus
