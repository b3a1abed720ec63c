// What should a person know before they trust the numbers?
#pragma once

#include "neardup/advise.h"

namespace neardup::advising {

void add_warnings(const AdviseOptions&, Advice&);

}  // namespace neardup::advising
