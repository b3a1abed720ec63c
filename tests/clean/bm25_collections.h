// What do the tests of the built-in search search, and what should they find?
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <vector>

#include "base/random.h"
#include "clean/bm25_builder.h"

namespace neardup::clean {

struct TestDocument {
  std::vector<Feature> text, title{};
};
using TestCollection = std::vector<TestDocument>;

// Words are small numbers; what the index sees are hashes of them, as of words.
inline Feature word(std::uint64_t number) { return base::mix64(number + 1); }
inline std::vector<Feature> words(std::initializer_list<std::uint64_t> numbers) {
  std::vector<Feature> made;
  for (const std::uint64_t number : numbers) made.push_back(word(number));
  return made;
}

// `per_part` documents a part.
inline std::unique_ptr<Bm25Index> build(const TestCollection& documents, const QueryTerms& queries,
                                        const Bm25Options& options = {}, std::size_t per_part = 1000,
                                        unsigned threads = 1) {
  Bm25Builder builder(queries, options);
  auto counter = builder.counter();
  for (std::size_t i = 0; i < documents.size(); ++i) {
    counter.add(documents[i].text, documents[i].title);
    if ((i + 1) % per_part == 0) builder.append(counter.take());
  }
  builder.append(counter.take());
  Context context{.threads = threads};
  return builder.finish(context);
}

inline std::vector<Hit> search(const Bm25Index& index, QueryNumber query, std::size_t depth,
                               const Removed& removed = {}) {
  std::vector<Hit> hits;
  index.searcher()->search(query, depth, removed, hits);
  return hits;
}

// The formula as it stands, in doubles, for every row that has a word of the query and is not removed; by row.
inline std::map<DocumentNumber, double> plain_scores(const TestCollection& documents, const std::vector<Feature>& query,
                                                     const Bm25Options& options, const Removed& removed = {}) {
  const auto occurrences = [&](const TestDocument& document, Feature term) {
    return static_cast<double>(std::count(document.text.begin(), document.text.end(), term) +
                               options.title_boost * std::count(document.title.begin(), document.title.end(), term));
  };
  const auto length = [&](const TestDocument& document) {
    return static_cast<double>(document.text.size()) + options.title_boost * static_cast<double>(document.title.size());
  };
  double count = 0, total = 0;
  for (const TestDocument& document : documents) {
    count += length(document) > 0;
    total += length(document);
  }
  std::map<DocumentNumber, double> scores;
  for (const Feature term : query) {
    std::vector<double> frequencies;
    for (const TestDocument& document : documents) frequencies.push_back(occurrences(document, term));
    const auto with = static_cast<double>(frequencies.size()) -
                      static_cast<double>(std::count(frequencies.begin(), frequencies.end(), 0.0));
    const double idf = std::log(1 + (count - with + 0.5) / (with + 0.5));
    for (DocumentNumber row = 0; row < documents.size(); ++row) {
      const double tf = frequencies[row];
      if (tf == 0 || (row < removed.size() && removed[row])) continue;
      scores[row] += idf * tf * (options.k1 + 1) /
                     (tf + options.k1 * (1 - options.b + options.b * length(documents[row]) / (total / count)));
    }
  }
  return scores;
}

// Words as often as words are: the n-th about n times rarer than the first. Some documents repeat an earlier one.
inline TestCollection random_collection(base::Random& random, std::size_t size, std::uint64_t vocabulary) {
  const auto random_word = [&] {
    const double share = static_cast<double>(random.next() >> 11) * 0x1p-53;
    return word(static_cast<std::uint64_t>(std::pow(static_cast<double>(vocabulary), share)) - 1);
  };
  TestCollection documents;
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t kind = random.below(10);
    TestDocument document{};
    if (kind == 0 && i > 0) {
      document = documents[random.below(i)];
    } else if (kind > 1) {
      for (std::uint64_t left = 1 + random.below(60); left > 0; --left) document.text.push_back(random_word());
      for (std::uint64_t left = random.below(4); left > 0; --left) document.title.push_back(random_word());
    }
    documents.push_back(std::move(document));
  }
  return documents;
}

inline QueryTerms random_queries(base::Random& random, std::size_t size, std::uint64_t vocabulary,
                                 std::uint64_t longest) {
  QueryTerms queries(size);
  for (auto& query : queries) {
    for (std::uint64_t left = 1 + random.below(longest); left > 0; --left) {
      const std::uint64_t range = random.below(2) == 0 ? 10 : vocabulary + 5;
      query.push_back(word(random.below(range)));
    }
  }
  return queries;
}

inline Removed random_removed(base::Random& random, std::size_t size, std::uint64_t one_in) {
  Removed removed(size);
  for (std::size_t i = 0; i < size; ++i) removed[i] = random.below(one_in) == 0;
  return removed;
}

}  // namespace neardup::clean
