// What do the edit-distance joins see of a string?
//
// Distinct strings in ascending order of length, their code points as symbols: numbers from 0, the most frequent code
// point first. Up to 256 different code points in a collection make a symbol one byte, up to 65,536 two.
//
// Memory: the symbols, and eight bytes a string.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "neardup/context.h"

namespace neardup::joins {

using StringPlace = std::uint32_t;  // of a distinct string, in the order of lengths

struct SourceString {
  std::string_view text;     // UTF-8
  std::uint32_t number = 0;  // the caller's
  std::uint32_t side = 0;    // 0, or 1 for the right side of a join of two collections
};

class StringSet {
 public:
  // Strings of one length and side, one after another.
  struct Group {
    std::uint32_t length = 0;
    std::uint32_t side = 0;
    StringPlace first = 0, last = 0;  // places from first to before last, in the order of their bytes
    std::uint64_t symbols_begin = 0;
    [[nodiscard]] StringPlace size() const { return last - first; }
  };

  StringSet() = default;
  // Equal strings of one side become one with several numbers, in the order given; empty ones are left out, for they
  // have no partner. `sides` is 1 or 2, and sources are fewer than 2^32. The texts are not needed afterwards.
  StringSet(unsigned sides, std::span<const SourceString>, const Context&);

  [[nodiscard]] StringPlace size() const { return static_cast<StringPlace>(number_begins_.size() - 1); }
  [[nodiscard]] unsigned sides() const { return sides_; }
  [[nodiscard]] std::uint32_t longest() const { return groups_.empty() ? 0 : groups_.back().length; }
  [[nodiscard]] std::uint64_t total_symbols() const { return total_symbols_; }
  [[nodiscard]] std::uint32_t alphabet() const { return alphabet_; }  // symbols are below

  // In the order of (length, side).
  [[nodiscard]] std::span<const Group> groups() const { return groups_; }
  [[nodiscard]] const Group& group_of(StringPlace) const;
  // The groups where a member of a group finds partners that are not longer, from the shortest on; the last may be the
  // group itself. Every pair is found once: by its longer string, and among equally long ones by the later place.
  [[nodiscard]] std::vector<const Group*> partner_groups(const Group&, std::uint32_t max_distance) const;

  // The caller's numbers of the string.
  [[nodiscard]] std::span<const std::uint32_t> numbers(StringPlace place) const {
    return std::span(numbers_).subspan(number_begins_[place], number_begins_[place + 1] - number_begins_[place]);
  }

  // Calls `visitor.template operator()<Symbol>()` with the type of the symbols.
  template <class Visitor>
  decltype(auto) with_symbol_type(Visitor&& visitor) const {
    return std::visit(
        [&](const auto& symbols) -> decltype(auto) {
          using Symbol = typename std::decay_t<decltype(symbols)>::value_type;
          return std::forward<Visitor>(visitor).template operator()<Symbol>();
        },
        symbols_);
  }
  // All symbols, place after place. At least kPaddingBytes readable bytes follow the last one.
  template <class Symbol>
  [[nodiscard]] const Symbol* symbols() const {
    return std::get<std::vector<Symbol>>(symbols_).data();
  }

  static constexpr std::size_t kPaddingBytes = 8;

 private:
  template <class Symbol>
  void fill(std::span<const SourceString>, std::span<const std::uint32_t> symbol_of, const Context&);

  unsigned sides_ = 1;
  std::uint32_t alphabet_ = 0;
  std::uint64_t total_symbols_ = 0;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> number_begins_ = std::vector<std::uint32_t>(1);
  std::vector<std::uint32_t> numbers_;
  std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>> symbols_;
};

// The symbols of one string of a group.
template <class Symbol>
std::span<const Symbol> symbols_of(const Symbol* all, const StringSet::Group& group, StringPlace place) {
  return {all + group.symbols_begin + std::uint64_t{place - group.first} * group.length, group.length};
}

// How many pairs a group and a group of its partners have; see partner_groups().
inline double pairs_between(const StringSet::Group& group, const StringSet::Group& partners) {
  const double pairs = static_cast<double>(group.size()) * partners.size();
  return &group == &partners ? (pairs - group.size()) / 2 : pairs;
}

}  // namespace neardup::joins
