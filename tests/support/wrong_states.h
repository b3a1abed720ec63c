// States that somebody else wrote: any byte may be wrong, but the checksum is right.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <string>

#include "base/state.h"
#include "base/system.h"
#include "neardup/error.h"
#include "support/scratch.h"

namespace neardup::test {

// Calls load(reader) with the state that save(writer) makes, cut after every byte and with every byte changed. Only
// Error{corrupt} may come out. Returns how many were refused, as a share of all.
template <class Save, class Load>
double refused_share_of_wrong_states(const Save& save, const Load& load) {
  const ScratchFolder scratch;
  const auto write = [&](const auto& put) {
    std::filesystem::remove(scratch / "state");
    base::StateWriter out(system_files(), scratch / "state");
    put(out);
    out.finish();
  };
  write(save);
  std::string body = bytes_of(scratch / "state");
  body.resize(body.size() - sizeof(std::uint64_t));  // the checksum
  double all = 0, refused = 0;
  const auto try_state = [&](const std::string& state) {
    write([&](base::StateWriter& out) { out.bytes(state); });
    ++all;
    try {
      base::StateReader in(system_files(), scratch / "state");
      load(in);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::corrupt) << error.what();
      ++refused;
    }
  };
  for (std::size_t at = 0; at < body.size(); ++at) {
    for (const char change : {'\x01', '\x80', '\xff'}) {
      std::string wrong = body;
      wrong[at] = static_cast<char>(wrong[at] ^ change);
      try_state(wrong);
    }
    try_state(body.substr(0, at));
  }
  return refused / all;
}

}  // namespace neardup::test
