// A sink for tests of searches that end early.
#pragma once

#include <cstddef>
#include <span>

#include "neardup/pair.h"

namespace neardup::hamming::test {

// Has enough after the first call.
struct OneCall final : PairSink {
  bool accept(std::span<const Pair> batch) override {
    ++calls;
    seen += batch.size();
    return false;
  }
  std::size_t calls = 0, seen = 0;
};

}  // namespace neardup::hamming::test
