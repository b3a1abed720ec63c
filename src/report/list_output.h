// Where is a list of pairs written, and in which format: to a file under a temporary name, or to standard output?
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "io/output.h"
#include "neardup/context.h"
#include "neardup/report.h"

namespace neardup::report {

inline constexpr std::string_view kTsvOnly[] = {"tsv"};
inline constexpr std::string_view kListFormats[] = {"tsv", "csv", "jsonl"};

class ListOutput {
 public:
  // `format`: one of `allowed`, or empty: what the ending of a file says, and the first of them for standard output.
  // Throws Error{usage} for a name that ends in another way, and what OutputTransaction throws.
  ListOutput(const std::string& path, std::span<const std::string_view> allowed, std::string_view format, Overwrite,
             const Context&);

  [[nodiscard]] std::string_view format() const { return format_; }
  void write(std::string_view text) { out_->write(text); }
  void close() { out_->close(); }
  [[nodiscard]] bool reader_left() const { return out_->reader_left(); }
  // Null for standard output.
  [[nodiscard]] io::OutputTransaction* transaction() { return transaction_.get(); }

 private:
  std::string_view format_;  // one of the allowed ones
  std::unique_ptr<io::OutputTransaction> transaction_;
  std::unique_ptr<io::ByteSink> out_;
};

}  // namespace neardup::report
