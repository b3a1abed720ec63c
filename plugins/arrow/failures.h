// How do Arrow's failures cross the border?
#pragma once

#include <arrow/status.h>

#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "plugin_abi.h"

namespace neardup::arrow_plugin {

// Fills `error` and returns its code. A detail of `status` may say the code (with_code).
int fail(const arrow::Status& status, NeardupError* error);
int fail_with_exception(NeardupError* error);  // the one that is being handled

// The same failure with a code of our own, and with words in front.
arrow::Status with_code(NeardupCode, const arrow::Status&);
bool has_code(const arrow::Status&);
arrow::Status in_front(std::string_view words, const arrow::Status&);
inline arrow::Status refuse(NeardupCode code, std::string text) {
  return with_code(code, arrow::Status::Invalid(std::move(text)));
}

// Calls what returns a Status; nothing that it throws gets out.
template <class Call>
int guarded(NeardupError* error, Call&& call) noexcept {
  try {
    const arrow::Status status = call();
    return status.ok() ? NEARDUP_OK : fail(status, error);
  } catch (...) {
    return fail_with_exception(error);
  }
}

// The same for calls within Arrow that return a Status and may throw, as those of Parquet do.
template <class Call>
arrow::Status caught(Call&& call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return arrow::Status::OutOfMemory("not enough memory");
  } catch (const std::exception& exception) {
    return arrow::Status::Invalid(exception.what());
  }
}

}  // namespace neardup::arrow_plugin
