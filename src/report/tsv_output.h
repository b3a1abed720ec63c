// Where do pairs go in the end: a file under a temporary name, or standard output?
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "io/output.h"
#include "neardup/context.h"
#include "neardup/report.h"

namespace neardup::report {

class TsvOutput {
 public:
  // Throws Error{usage} for a name that does not end like a TSV file's, and what OutputTransaction throws.
  TsvOutput(const std::string& path, Overwrite, const Context&);

  void write(std::string_view text) { out_->write(text); }
  void close() { out_->close(); }
  // Null for standard output.
  [[nodiscard]] io::OutputTransaction* transaction() { return transaction_.get(); }

 private:
  std::unique_ptr<io::OutputTransaction> transaction_;
  std::unique_ptr<io::ByteSink> out_;
};

}  // namespace neardup::report
