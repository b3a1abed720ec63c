// How are temporary files of killed processes removed?
//
// While a call runs, the context's temporary folder can hold copies of standard input and spilled tables. A call
// removes its own files, and a call that creates temporary files first removes those of dead processes. A program whose
// calls rarely create any can do this explicitly.
#pragma once

#include "neardup/context.h"

namespace neardup {

// Removes what killed processes of this user left in the context's temporary folder. Keeps files that are in use,
// belong to other users or are not certainly neardup's. Never fails.
void remove_abandoned_files(const Context&) noexcept;

}  // namespace neardup
