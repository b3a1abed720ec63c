// What becomes of the temporary files of a process that was killed?
//
// Large inputs and standard input leave copies and spilled tables in the context's temporary folder while a call works.
// A call removes its own, and whoever makes temporary files first removes those of dead processes. A program whose runs
// often need none can ask for it.
#pragma once

#include "neardup/context.h"

namespace neardup {

// Removes what killed processes of this user left in the context's temporary folder. What is in use, of other users or
// not certainly ours stays. Never fails.
void remove_abandoned_files(const Context&) noexcept;

}  // namespace neardup
