// Arbitrary bytes as a file of fingerprints: read everything, and check what must hold of whatever is accepted.
//
// With FUZZ_MENDED the checksums are put right first, so that what lies behind them is reached.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "io/fps/file.h"
#include "io/fps/layout.h"
#include "io/memory_files.h"
#include "neardup/error.h"

namespace {

using namespace neardup;
namespace fps = io::fps;

void require(bool condition) {
  if (!condition) std::abort();
}

template <class T>
T at(const std::string& bytes, std::size_t offset) {
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

void put(std::string& bytes, std::size_t offset, std::uint64_t value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

// Gives the header, the closing and every block that lies within the file the checksums they should have.
void mend(std::string& bytes) {
  if (bytes.size() < sizeof(fps::Opening) + 8 + sizeof(fps::Closing)) return;
  std::memcpy(bytes.data(), io::kFpsMagic.data(), io::kFpsMagic.size());
  const std::string_view all = bytes;
  const std::size_t header = sizeof(fps::Opening) + at<fps::Opening>(bytes, 0).text_bytes % 4097;
  if (header + 8 > bytes.size()) return;
  put(bytes, header, fps::checksum_of(all.substr(0, header), {}, 0));
  const std::size_t closing = bytes.size() - sizeof(fps::Closing);
  const std::uint64_t blocks = at<fps::Closing>(bytes, closing).blocks;
  std::memcpy(bytes.data() + bytes.size() - 8, fps::kEndMagic.data(), 8);
  if (blocks > closing / 8) return;
  const std::size_t index = closing - static_cast<std::size_t>(blocks) * 8;
  for (std::uint64_t block = 0; block < blocks; ++block) {
    const auto offset = at<std::uint64_t>(bytes, index + static_cast<std::size_t>(block) * 8);
    if (offset > index || index - offset < sizeof(fps::BlockHeader)) continue;
    const auto begin = static_cast<std::size_t>(offset);
    const std::size_t n = at<fps::BlockHeader>(bytes, begin).records;
    const std::size_t first = begin + sizeof(fps::BlockHeader), bits = n * 8 + (n + 63) / 64 * 8;
    if (n <= index / 8 && first + bits <= index) {
      put(bytes, begin + offsetof(fps::BlockHeader, fingerprints_checksum),
          fps::checksum_of(all.substr(first, bits), block));
      put(bytes, begin + offsetof(fps::BlockHeader, ids_checksum),
          fps::checksum_of(all.substr(first + bits, index - first - bits), block));
    }
    put(bytes, begin + offsetof(fps::BlockHeader, checksum),
        fps::checksum_of(all.substr(begin, offsetof(fps::BlockHeader, checksum)), block));
  }
  put(bytes, closing + offsetof(fps::Closing, checksum),
      fps::checksum_of(all.substr(index, closing - index), all.substr(closing, offsetof(fps::Closing, checksum)), 0));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  test::MemoryFiles files;
  std::string& bytes = files.contents["x.fps"];
  bytes.assign(reinterpret_cast<const char*>(data), size);
#ifdef FUZZ_MENDED
  mend(bytes);
#endif
  try {
    const io::FingerprintFile file(files.open("x.fps"), "x.fps");
    io::FingerprintBlock block;
    std::uint64_t rows = 0;
    for (std::size_t i = 0; i < file.blocks(); ++i) {
      file.load(i, {.volatility = true, .ids = true}, block);
      require(block.first_row == rows && block.size() == file.rows(i));
      require(block.volatility.size() == (file.header().volatility ? block.size() : 0));
      std::size_t id_bytes = 0;
      for (std::size_t j = 0; file.header().ids && j < block.size(); ++j) id_bytes += block.id(j).size();
      require(id_bytes == block.id_bytes.size());
      rows += block.size();
    }
    require(rows == file.records());
  } catch (const Error& error) {
    require(error.code() == ErrorCode::corrupt);
  }
  return 0;
}
