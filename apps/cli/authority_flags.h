// Which flags determine the authority of documents?
#pragma once

#include "app.h"
#include "neardup/authority.h"

namespace neardup::cli {

void add_authority_flags(CLI::App&, AuthorityOptions&);

}  // namespace neardup::cli
