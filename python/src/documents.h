// What does the Python layer hold of documents that are no collection yet?
#pragma once

#include <memory>

#include "neardup/document.h"

namespace neardup::python {

struct Documents {
  std::shared_ptr<const DocumentSource> source;
};

}  // namespace neardup::python
