// Standard input as a file that can be read only once. Errors call it "standard input".
#pragma once

#include <memory>

#include "neardup/files.h"

namespace neardup::base {

std::unique_ptr<InputFile> standard_input();

}  // namespace neardup::base
