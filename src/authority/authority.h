// How much authority does each document of a collection have?
#pragma once

#include <string>
#include <vector>

#include "authority/addresses.h"
#include "neardup/authority.h"
#include "neardup/collection.h"

namespace neardup::authority {

struct Authority {
  std::vector<double> scores;  // by row; minus infinity: none; empty: there is no authority at all
  AuthorityReport report;
  std::vector<std::string> warnings;
};

// Whether scores have to be looked up by the names of documents, and whether by the links of their pages.
bool needs_addresses(const AuthorityOptions&, const Collection&);
bool needs_page_links(const AuthorityOptions&, const Collection&);

// PageRank, or the scores of a file. Nothing (and a warning) when pages do not link to each other.
// Precondition: needs_addresses().
Authority find_authority(const AuthorityOptions&, const corpus::Units&, const Addresses&, const Context&);

}  // namespace neardup::authority
