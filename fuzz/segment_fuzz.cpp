// Arbitrary bytes as a segment of an index: the list of segments, a segment of sets, a row of features.
//
// With FUZZ_MENDED the header, the checksums and the footer are put right first, so that what lies behind is reached.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "index/checked_file.h"
#include "index/content.h"
#include "index/segment_folder.h"
#include "index/segment_layout.h"
#include "index/set_segment.h"
#include "io/memory_files.h"
#include "neardup/error.h"

namespace {

using namespace neardup;

constexpr std::uint64_t kDefinition = 5;

// Whatever is accepted can be searched.
void search(indexing::CheckedBytes bytes) {
  const indexing::SetSegment segment(std::move(bytes), kDefinition);
  const Verifier verifier({.measure = Measure::jaccard, .threshold = {1, 2}});
  std::vector<Feature> set;
  for (std::uint64_t i = 0; i < 40; ++i) set.push_back(i << 58 | i * 0x9E3779B97F4A7C15u >> 6);
  std::sort(set.begin(), set.end());
  std::vector<indexing::UnitId> found;
  segment.candidates(set, verifier, found);
}

template <class Read>
void try_to(const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::corrupt) std::abort();
  }
}

void read_row(std::string_view bytes) {
  indexing::RowReader row(bytes, "fuzz");
  std::vector<Feature> set;
  indexing::read_set(row, set);
  if (!std::is_sorted(set.begin(), set.end())) std::abort();
  std::string again;
  indexing::append_set(again, set);
  std::vector<Feature> same;
  indexing::RowReader second(again, "fuzz");
  indexing::read_set(second, same);
  if (set != same) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  test::MemoryFiles files;
#ifdef FUZZ_MENDED
  std::string body = bytes;
  body.resize((std::max<std::size_t>(body.size(), indexing::kSegmentHeaderBytes) + 63) / 64 * 64);
  std::memcpy(body.data(), &indexing::kSetSegmentMagic, sizeof(std::uint64_t));
  std::memcpy(body.data() + 8, &kDefinition, sizeof(kDefinition));
  indexing::write_checked_file(files, "x.seg", body);
#else
  files.contents["x.seg"] = bytes;
  try_to([&] { read_row(bytes); });
  try_to([&] { indexing::parse_segment_list(bytes, "list"); });
#endif
  try_to([&] { search(indexing::CheckedBytes::open(files, "x.seg")); });
  return 0;
}
