// Random documents with keys, fields and everything that goes wrong, held in memory and as a file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "neardup/collection.h"
#include "support/collections.h"
#include "support/held_documents.h"
#include "support/scratch.h"

namespace neardup::test {

// Near copies in two text fields, with a rank; some are bad, broken, empty or repeat a key.
inline HeldList held_near_copies(std::uint64_t seed, std::size_t count) {
  base::Random random(seed);
  HeldList documents;
  for (const std::string& text : near_copies(random, count)) {
    const std::size_t half = text.find(' ', text.size() / 2);
    HeldDocument document{.key = "d" + std::to_string(documents.size() / 3 * 2 + documents.size() % 2),
                          .texts = {text.substr(0, half), half < text.size() ? text.substr(half + 1) : ""}};
    if (random.below(3) != 0) document.fields["rank"] = std::to_string(random.below(50));
    if (random.below(20) == 0) document.problem = "no document";
    if (random.below(20) == 0) document.texts[0] += " \xFF\xC3 end";
    if (random.below(20) == 0) document.texts = {"", ""};
    documents.push_back(std::move(document));
  }
  return documents;
}

// The same documents as a file: what every call must not be able to tell from those in memory.
inline Collection as_file(const HeldList& documents, const std::string& path, const Context& context) {
  write_bytes(path, as_json_lines(documents));
  return Collection::open({path}, {.text_fields = {{"text0", "text1"}}}, context);
}

inline Collection held(const HeldList& documents, std::size_t batch = 7) {
  return Collection::from(std::make_shared<HeldDocuments>(documents, batch));
}

}  // namespace neardup::test
