// How does neardup say that something failed?
//
// The world failed (a file, an option, an input): one exception class with a stable code. The caller broke a
// precondition: an assertion. One bad record among many is neither; it is counted and reported as an event.
#pragma once

#include <stdexcept>
#include <string>

namespace neardup {

enum class ErrorCode {
  usage,        // the request contradicts itself or names something that does not exist
  input,        // something could not be read
  output,       // something could not be written
  limit,        // the work does not fit the stated memory or size limit
  corrupt,      // an index or fingerprint file is damaged or foreign
  locked,       // an index is in use by another process
  interrupted,  // the caller asked to stop
};

class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace neardup
