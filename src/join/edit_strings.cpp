#include "join/edit_strings.h"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "base/ascii.h"
#include "base/parallel.h"
#include "base/utf8.h"
#include "neardup/error.h"

namespace neardup::joins {
namespace {

constexpr std::size_t kCodePoints = 0x110000;

// Where a string goes, most important part first; the rest of the text decides between equal keys.
struct SortKey {
  std::uint32_t length_and_side;
  std::uint32_t source;
  std::uint64_t first_bytes;
};

std::uint64_t first_bytes(std::string_view text) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < 8; ++i) bytes = bytes << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0);
  return bytes;
}

// How often each code point occurs, and how long each string is.
class Census {
 public:
  std::uint32_t count(std::string_view text) {
    std::uint64_t length = 0;
    for (const char *at = text.data(), *end = at + text.size(); at != end; ++length) {
      if (base::is_ascii(*at)) {
        ++occurrences_[static_cast<unsigned char>(*at++)];
      } else {
        if (occurrences_.size() < kCodePoints) occurrences_.resize(kCodePoints);
        ++occurrences_[base::decode(at, end)];
      }
    }
    if (length > std::numeric_limits<std::int32_t>::max()) {
      throw Error(ErrorCode::limit, "a string of 2^31 or more code points cannot be joined; shorten it");
    }
    return static_cast<std::uint32_t>(length);
  }

  // By code point: its rank in descending order of frequency.
  std::vector<std::uint32_t> symbols(std::uint32_t& alphabet) const {
    std::vector<std::uint32_t> present, symbol_of(occurrences_.size());
    for (std::uint32_t c = 0; c < occurrences_.size(); ++c) {
      if (occurrences_[c] != 0) present.push_back(c);
    }
    std::stable_sort(present.begin(), present.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return occurrences_[a] > occurrences_[b]; });
    for (std::uint32_t rank = 0; rank < present.size(); ++rank) symbol_of[present[rank]] = rank;
    alphabet = static_cast<std::uint32_t>(present.size());
    return symbol_of;
  }

 private:
  std::vector<std::uint64_t> occurrences_ = std::vector<std::uint64_t>(0x80);
};

}  // namespace

StringSet::StringSet(unsigned sides, std::span<const SourceString> sources, const Context& context) : sides_(sides) {
  Census census;
  std::vector<SortKey> keys;
  keys.reserve(sources.size());
  for (std::uint32_t i = 0; i < sources.size(); ++i) {
    if (sources[i].text.empty()) continue;
    const std::uint32_t length = census.count(sources[i].text);
    keys.push_back({length << 1 | sources[i].side, i, first_bytes(sources[i].text)});
  }
  base::with_threads(context, [&] {
    tbb::parallel_sort(keys.begin(), keys.end(), [&](const SortKey& a, const SortKey& b) {
      if (a.length_and_side != b.length_and_side) return a.length_and_side < b.length_and_side;
      if (a.first_bytes != b.first_bytes) return a.first_bytes < b.first_bytes;
      const int order = sources[a.source].text.compare(sources[b.source].text);
      return order != 0 ? order < 0 : a.source < b.source;
    });
  });

  numbers_.reserve(keys.size());
  number_begins_.clear();
  std::vector<std::uint32_t> firsts;  // the source of each place
  std::uint32_t group_key = 0;        // no length is 0
  for (const SortKey& key : keys) {
    const bool repeated = key.length_and_side == group_key && sources[firsts.back()].text == sources[key.source].text;
    if (!repeated) {
      if (key.length_and_side != group_key) {
        group_key = key.length_and_side;
        const auto place = static_cast<StringPlace>(firsts.size());
        groups_.push_back({group_key >> 1, group_key & 1, place, place, total_symbols_});
      }
      ++groups_.back().last;
      total_symbols_ += group_key >> 1;
      firsts.push_back(key.source);
      number_begins_.push_back(static_cast<std::uint32_t>(numbers_.size()));
    }
    numbers_.push_back(sources[key.source].number);
  }
  number_begins_.push_back(static_cast<std::uint32_t>(numbers_.size()));
  keys = {};

  const std::vector<std::uint32_t> symbol_of = census.symbols(alphabet_);
  std::vector<SourceString> distinct(firsts.size());
  std::transform(firsts.begin(), firsts.end(), distinct.begin(), [&](std::uint32_t i) { return sources[i]; });
  if (alphabet_ <= 0x100) {
    fill<std::uint8_t>(distinct, symbol_of, context);
  } else if (alphabet_ <= 0x10000) {
    fill<std::uint16_t>(distinct, symbol_of, context);
  } else {
    fill<std::uint32_t>(distinct, symbol_of, context);
  }
}

template <class Symbol>
void StringSet::fill(std::span<const SourceString> distinct, std::span<const std::uint32_t> symbol_of,
                     const Context& context) {
  auto& symbols = symbols_.emplace<std::vector<Symbol>>();
  symbols.resize(total_symbols_ + kPaddingBytes / sizeof(Symbol));
  base::parallel_for(context, groups_.size(), [&](std::size_t first, std::size_t last) {
    for (const Group& group : std::span(groups_).subspan(first, last - first)) {
      Symbol* out = symbols.data() + group.symbols_begin;
      for (StringPlace place = group.first; place < group.last; ++place) {
        const std::string_view text = distinct[place].text;
        for (const char *at = text.data(), *end = at + text.size(); at != end;) {
          *out++ = static_cast<Symbol>(symbol_of[base::decode(at, end)]);
        }
      }
    }
  });
}

const StringSet::Group& StringSet::group_of(StringPlace place) const {
  return *std::prev(std::upper_bound(groups_.begin(), groups_.end(), place,
                                     [](StringPlace p, const Group& group) { return p < group.first; }));
}

std::vector<const StringSet::Group*> StringSet::partner_groups(const Group& group, std::uint32_t max_distance) const {
  const std::uint32_t shortest = group.length > max_distance ? group.length - max_distance : 0;
  const std::uint32_t partner_side = sides_ == 1 ? 0 : 1 - group.side;
  auto at = std::lower_bound(groups_.begin(), groups_.end(), shortest,
                             [](const Group& g, std::uint32_t length) { return g.length < length; });
  std::vector<const Group*> partners;
  for (; at != groups_.end() && at->first <= group.first; ++at) {
    if (at->side == partner_side) partners.push_back(&*at);
  }
  return partners;
}

}  // namespace neardup::joins
