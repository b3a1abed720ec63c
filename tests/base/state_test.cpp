#include "base/state.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/scratch.h"

namespace neardup::base {
namespace {

using test::bytes_of;
using test::error_of;
using test::ScratchFolder;
using test::write_bytes;

void write_all(StateWriter& out, std::size_t numbers) {
  out.value<std::uint32_t>(7);
  out.text("a name");
  out.array(std::vector<std::uint64_t>(numbers, 9));
  out.text("");
  out.finish();
}

void read_all(StateReader& in, std::size_t numbers) {
  EXPECT_EQ(in.value<std::uint32_t>(), 7u);
  EXPECT_EQ(in.text(), "a name");
  EXPECT_EQ(in.array<std::uint64_t>(), std::vector<std::uint64_t>(numbers, 9));
  EXPECT_EQ(in.text(), "");
}

TEST(State, GivesBackWhatWasWrittenWhateverItsLength) {
  for (const std::size_t numbers : {0u, 1u, 8190u, 8192u, 8193u, 100'000u}) {
    const ScratchFolder scratch;
    StateWriter out(system_files(), scratch / "state");
    write_all(out, numbers);
    StateReader in(system_files(), scratch / "state");
    read_all(in, numbers);
    error_of(ErrorCode::corrupt, [&] { in.value<char>(); });
  }
}

TEST(State, CarriesWholeFiles) {
  const ScratchFolder scratch;
  const std::string content(200'000, 'x');
  write_bytes(scratch / "file", content);
  StateWriter out(system_files(), scratch / "state");
  out.file(scratch / "file");
  out.finish();
  StateReader in(system_files(), scratch / "state");
  std::string copied;
  in.file([&](std::string_view piece) { copied += piece; });
  EXPECT_EQ(copied, content);
}

TEST(State, IsRefusedWhenAnyByteIsMissingOrAnyBitDiffers) {
  const ScratchFolder scratch;
  StateWriter out(system_files(), scratch / "state");
  write_all(out, 3);
  const std::string whole = bytes_of(scratch / "state");
  const auto refused = [&](const std::string& bytes) {
    write_bytes(scratch / "damaged", bytes);
    error_of(ErrorCode::corrupt, [&] { StateReader(system_files(), scratch / "damaged"); });
  };
  for (std::size_t size = 0; size < whole.size(); ++size) refused(whole.substr(0, size));
  refused(whole + '\0');
  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
    refused(damaged);
  }
}

TEST(State, BelievesNoLengthBeyondItsEnd) {
  const ScratchFolder scratch;
  StateWriter out(system_files(), scratch / "state");
  out.value(~std::uint64_t{0});
  out.value(std::uint64_t{1} << 61);
  out.finish();
  StateReader first(system_files(), scratch / "state"), second(system_files(), scratch / "state");
  error_of(ErrorCode::corrupt, [&] { first.text(); });
  second.value<std::uint64_t>();
  error_of(ErrorCode::corrupt, [&] { second.array<std::uint64_t>(); });
}

}  // namespace
}  // namespace neardup::base
