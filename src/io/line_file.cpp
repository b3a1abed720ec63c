#include "io/line_file.h"

#include <fmt/format.h>

#include "neardup/error.h"

namespace neardup::io {

Collection open_lines(const LineFile& file, const Context& context) {
  try {
    return Collection::open({file.path}, {.format = "lines"}, context);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::interrupted) throw;
    throw Error(error.code(), error.what(), file.option);
  }
}

void refuse_line(const LineFile& file, const io::Source& source, std::uint64_t number, const std::string& reason) {
  throw Error(ErrorCode::input, fmt::format("{}:{}: {}", source.path, number, reason), file.option);
}

}  // namespace neardup::io
