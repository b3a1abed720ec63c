// How does neardup report failures?
//
// A failure outside the program's control (a file, an option, an input) is an exception of one class with a stable
// code. A broken precondition is an assertion. A bad record among many is neither: it is counted and reported.
//
// The library knows options by id, not by their names in a front end: `threshold` is --threshold on the command line
// and threshold= in Python. Messages and warnings write ids, and settings such as `finder=exact`, between backticks, so
// that a front end can replace them with its own names.
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
  corrupt,      // an index or fingerprint file is damaged, or is not one
  locked,       // an index is in use by another process
  interrupted,  // the caller asked to stop
  internal,     // a bug in this library
};

class Error : public std::runtime_error {
 public:
  // `option` is the id of the option that the caller could change; empty when there is none.
  Error(ErrorCode code, const std::string& message, std::string option = {})
      : std::runtime_error(message), code_(code), option_(std::move(option)) {}
  [[nodiscard]] ErrorCode code() const noexcept { return code_; }
  [[nodiscard]] const std::string& option() const noexcept { return option_; }

 private:
  ErrorCode code_;
  std::string option_;
};

}  // namespace neardup
