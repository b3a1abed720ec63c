// How is a collection read as another format, once its first records told which?
#pragma once

#include "neardup/collection.h"

namespace neardup::io {

// The same inputs with other options, whose format is named. Nothing is looked for or spooled again, so that standard
// input can be read as lines first. Only for collections of files in formats that do not decode themselves.
Collection read_as(const Collection&, const ReadOptions&);

}  // namespace neardup::io
