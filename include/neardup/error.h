// How does neardup say that something failed?
//
// The world failed (a file, an option, an input): one exception class with a stable code. The caller broke a
// precondition: an assertion. One bad record among many is neither; it is counted and reported as an event.
//
// The library knows options by their ids and not by what a front end calls them: `threshold` is --threshold on the
// command line and threshold= in Python. Messages and warnings write ids, and settings such as `finder=exact`, between
// backticks, so that a front end can put its own words there.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace neardup {

enum class ErrorCode {
  usage,        // the request contradicts itself or names something that does not exist
  input,        // something could not be read
  output,       // something could not be written
  limit,        // the work does not fit the stated memory or size limit
  corrupt,      // an index or fingerprint file is damaged or foreign
  locked,       // an index is in use by another process
  interrupted,  // the caller asked to stop
  internal,     // a bug of this library
};

class Error : public std::runtime_error {
 public:
  // `option` is the id of what the caller could set differently; empty when there is none.
  Error(ErrorCode code, const std::string& message, std::string option = {})
      : std::runtime_error(message), code_(code), option_(std::move(option)) {}
  [[nodiscard]] ErrorCode code() const noexcept { return code_; }
  [[nodiscard]] const std::string& option() const noexcept { return option_; }

 private:
  ErrorCode code_;
  std::string option_;
};

}  // namespace neardup
