// A file to be read whose bytes are in memory.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "neardup/error.h"
#include "neardup/files.h"

namespace neardup::test {

class BytesFile final : public InputFile {
 public:
  explicit BytesFile(std::string bytes) : bytes_(std::move(bytes)) {}
  std::size_t read(std::span<char> buffer) override {
    const std::size_t size = std::min(buffer.size(), bytes_.size() - at_);
    std::memcpy(buffer.data(), bytes_.data() + at_, size);
    at_ += size;
    return size;
  }
  void read_at(std::uint64_t offset, std::span<char> buffer) const override {
    if (offset + buffer.size() > bytes_.size()) throw Error(ErrorCode::input, "read beyond the end");
    std::memcpy(buffer.data(), bytes_.data() + offset, buffer.size());
  }
  std::uint64_t size() const override { return bytes_.size(); }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

}  // namespace neardup::test
