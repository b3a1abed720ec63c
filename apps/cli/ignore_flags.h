// Which flags say what is not evidence of similarity?
#pragma once

#include <string>
#include <vector>

#include "app.h"
#include "neardup/collection.h"
#include "neardup/context.h"
#include "neardup/ignore.h"

namespace neardup::cli {

struct IgnoreFlags {
  IgnoreOptions options;
  std::vector<std::string> files;

  // Reads of the files what the first reading needs: they are opened as the input is, but each in its own format.
  void open(ReadOptions as_input, const Context&);
};
// --ignore only, or also the flags that count documents.
enum class Counted { offered, none };
void add_ignore_flags(CLI::App&, IgnoreFlags&, Counted);

}  // namespace neardup::cli
