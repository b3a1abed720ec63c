#include <fmt/format.h>

#include <cstring>
#include <string>
#include <string_view>

#include "arrow/owned.h"
#include "base/utf8.h"
#include "neardup/error.h"

namespace neardup::arrow {

Stream::Stream(ArrowArrayStream&& taken) : stream_(std::move(taken)) {
  const ArrowArrayStream& stream = stream_.get();
  if (stream_.empty() || stream.get_schema == nullptr || stream.get_next == nullptr)
    throw Error(ErrorCode::input, "the Arrow stream was released already, or is not one");
}

OwnedSchema Stream::schema() {
  ArrowSchema schema{};
  if (const int code = stream_.get().get_schema(&stream_.get(), &schema); code != 0) fail(code);
  OwnedSchema owned(std::move(schema));
  if (owned.empty()) throw Error(ErrorCode::input, "the Arrow stream has no schema");
  return owned;
}

OwnedArray Stream::next() {
  ArrowArray array{};
  if (const int code = stream_.get().get_next(&stream_.get(), &array); code != 0) fail(code);
  return OwnedArray(std::move(array));
}

// What a failed call left in its output must not be released.
void Stream::fail(int code) {
  ArrowArrayStream& stream = stream_.get();
  const char* const said = stream.get_last_error != nullptr ? stream.get_last_error(&stream) : nullptr;
  constexpr std::size_t kLongest = 2000;
  std::string text;
  if (said != nullptr) base::append_repaired_utf8(text, base::cut_to_code_point(said, kLongest));
  if (text.empty()) text = std::strerror(code);
  throw Error(ErrorCode::input, fmt::format("the Arrow stream failed: {}", text));
}

}  // namespace neardup::arrow
