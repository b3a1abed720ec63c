// What do documents of the other collection say, of which an example is to be shown?
#pragma once

#include <map>
#include <string>
#include <vector>

#include "corpus/row_names.h"
#include "neardup/collection.h"
#include "neardup/context.h"
#include "neardup/known.h"
#include "neardup/pair.h"

namespace neardup::dedup {

struct ReferenceDocument {
  std::string name, text;  // a very long text is cut
  bool is_whole = true;
};

// Reads the collection from its start on one thread as far as it has to, but no further than 64 MB: rows that lie
// behind are not in the answer.
std::map<DocId, ReferenceDocument> reference_documents(const Collection&, const std::vector<DocId>& rows,
                                                       const Context&);

// The same of documents that are known, as far as their texts are stored.
std::map<DocId, ReferenceDocument> known_references(const KnownDocuments&, const corpus::RowTexts& keys,
                                                    const std::vector<DocId>& rows);

}  // namespace neardup::dedup
