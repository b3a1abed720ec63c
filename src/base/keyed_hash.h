// How are untrusted texts hashed so that no one can make a hash table slow?
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>

namespace neardup::base {

// Another one in every table, so that no one can write texts that all collide. Nothing of it may reach a result.
struct KeyedHash {
  using is_transparent = void;
  std::uint64_t key = std::random_device{}();
  std::size_t operator()(std::string_view text) const;
};

}  // namespace neardup::base
