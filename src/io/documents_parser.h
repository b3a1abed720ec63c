// How are records read that are documents already, and not bytes?
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/record.h"

namespace neardup::io {

// Passes on the views of a batch's documents. Only what is not valid UTF-8 is copied. Threads: one per thread.
class DocumentsParser : public RecordParser {
 public:
  DocumentsParser();
  explicit DocumentsParser(std::uint64_t max_record_bytes);
  const char* parse(const RecordBatch&, std::size_t place, DocumentView& out) override;
  [[nodiscard]] Decoding decoding() const noexcept override { return {.repaired = !repaired_.empty()}; }

 private:
  void repair(DocumentView& out);
  std::string_view repaired(std::string_view text);

  std::uint64_t most_bytes_;
  std::string too_long_;
  std::deque<std::string> repaired_;  // views lead into them
  std::vector<std::string_view> texts_;
  std::vector<std::optional<std::string_view>> fields_;
};

}  // namespace neardup::io
