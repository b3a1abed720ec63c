// What is left of a query once its spelling no longer matters?
#pragma once

#include <string>
#include <string_view>

#include "text/fold.h"

namespace neardup::clean {

// The words of neardup::words() with one space between them, in buffers that are kept between calls. Threads: one per
// thread.
class QueryText {
 public:
  QueryText();
  // Empty for what has no words. `query` is valid UTF-8.
  [[nodiscard]] std::string normalised(std::string_view query);

 private:
  text::Folder folder_;
};

}  // namespace neardup::clean
