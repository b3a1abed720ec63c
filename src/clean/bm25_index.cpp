#include "clean/bm25_index.h"

#include <fmt/format.h>

#include "neardup/error.h"

namespace neardup {

void Bm25Options::validate() const {
  if (!(k1 >= 0 && k1 <= clean::kLargestK1)) {
    throw Error(ErrorCode::usage, fmt::format("`k1` {} is not a number from 0 to {}", k1, clean::kLargestK1), "k1");
  }
  if (!(b >= 0 && b <= 1)) throw Error(ErrorCode::usage, fmt::format("`b` {} is not a number from 0 to 1", b), "b");
  constexpr unsigned kLargestBoost = 1000;
  if (title_boost > kLargestBoost) {
    throw Error(ErrorCode::usage,
                fmt::format("`title_boost` {} is not a number from 0 to {}", title_boost, kLargestBoost),
                "title_boost");
  }
}

}  // namespace neardup

namespace neardup::clean {

std::string Bm25Index::describe() const {
  const Bm25Options& options = state_.options;
  return fmt::format("BM25 with k1 {}, b {}, a word of the title like {} of the text", options.k1, options.b,
                     options.title_boost);
}

std::uint64_t Bm25Index::memory_bytes() const {
  std::uint64_t bytes = state_.terms.capacity() * sizeof(TermList) + state_.norms.capacity() * sizeof(double) +
                        state_.query_ends.capacity() * sizeof(std::uint64_t) +
                        state_.query_terms.capacity() * sizeof(QueryTerm);
  for (const Bm25State::Group& group : state_.groups) {
    bytes += group.data.memory_bytes() + group.blocks.capacity() * sizeof(Block) + group.tops.capacity();
  }
  return bytes;
}

}  // namespace neardup::clean
