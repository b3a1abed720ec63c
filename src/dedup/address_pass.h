// What are documents called by those who speak of them from outside: links, scores, lists and run files?
#pragma once

#include <cstdint>
#include <vector>

#include "clean/links.h"
#include "clean/names.h"
#include "dedup/units.h"
#include "neardup/context.h"
#include "neardup/document.h"

namespace neardup::dedup {

struct AddressRequest {
  const Collection& collection;
  const UnitTable& table;
  const RepeatedIds& ids;
  std::uint64_t content;     // ReadResult::content
  bool wants_links = false;  // those of pages
  bool wants_names = false;  // of all documents, for outputs
};

struct Addresses {
  clean::NameTable table;              // by id and by URL
  std::vector<clean::PageLink> links;  // by document, as they stand on its page
  Names names;
};

// Reads the collection once more.
Addresses collect_addresses(const AddressRequest&, Context&);

// Whether there are pages among the documents, which may link to each other.
bool has_pages(const Collection&);

}  // namespace neardup::dedup
