// By which names do links, scores, lists and run files refer to documents?
#pragma once

#include <vector>

#include "authority/links.h"
#include "authority/names.h"
#include "corpus/corpus.h"
#include "neardup/context.h"
#include "neardup/memory.h"

namespace neardup::authority {

struct AddressOptions {
  bool links = false;  // of pages
  bool names = false;  // of all documents, for outputs
};

struct Addresses {
  NameTable table;              // by id and by URL
  std::vector<PageLink> links;  // by document, as written on its page
  corpus::RowTexts names;
  Reservation memory;  // for table and links
};

// Reads the collection once more.
Addresses collect_addresses(const corpus::Corpus&, const AddressOptions&, const Context&);

}  // namespace neardup::authority
