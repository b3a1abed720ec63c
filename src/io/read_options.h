// What do options for reading mean where the caller left them open?
#pragma once

#include <string>
#include <vector>

#include "neardup/collection.h"

namespace neardup::io {

inline std::vector<std::string> text_fields(const ReadOptions& options) {
  return options.text_fields.value_or(std::vector<std::string>{"text"});
}
inline std::string id_field(const ReadOptions& options) { return options.id_field.value_or("id"); }

}  // namespace neardup::io
