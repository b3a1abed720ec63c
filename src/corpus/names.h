// What are the names of the documents in the outputs, and which of their fields are shown?
#pragma once

#include <string>
#include <vector>

#include "corpus/corpus.h"
#include "neardup/context.h"

namespace neardup::corpus {

struct NamedRows {
  RowTexts names;
  std::vector<RowTexts> fields;  // by field; empty where a record does not have it
};

// Reads the collection once more, or not at all when no row is wanted. Where a record has no field called "text", that
// is the text of the document.
NamedRows collect_names(const Corpus&, const PerRow<bool>& wanted, const std::vector<std::string>& fields,
                        const Context&);
inline RowTexts collect_names(const Corpus& corpus, const PerRow<bool>& wanted, const Context& context) {
  return collect_names(corpus, wanted, {}, context).names;
}

}  // namespace neardup::corpus
