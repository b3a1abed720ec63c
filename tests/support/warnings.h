// An observer that keeps the warnings of a call.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/context.h"

namespace neardup::test {

class Warnings final : public Observer {
 public:
  void stage(std::string_view, std::uint64_t, std::string_view) override {}
  void advance(std::uint64_t) override {}
  void warning(std::string_view message) override { messages.emplace_back(message); }
  std::vector<std::string> messages;
};

}  // namespace neardup::test
