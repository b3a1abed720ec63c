// What document is in a web archive's record?
#pragma once

#include <string_view>

#include "io/formats/fields.h"
#include "io/formats/http_body.h"
#include "io/formats/page_text.h"
#include "io/record.h"

namespace neardup::io {

struct ArchivedPage {
  std::string_view uri, date;
  std::string_view content_type;  // of the block
  std::string_view block{};
  bool is_http = false;  // the block is what a server answered, headers and all
  bool has_text = true;
};

// Sets a field of archive records, which may hold any bytes.
void set_valid_field(const NamedFields&, std::string_view name, std::string_view value, Document& out);

// Threads: one per thread.
class PageOfRecord {
 public:
  explicit PageOfRecord(const ReadOptions& options) : http_(options.max_record_bytes), bodies_(options) {}
  // Fills `out`; returns why that cannot be, or null. What is not text (images, PDF) is a document without text.
  const char* read(const ArchivedPage&, const NamedFields&, Document& out);
  [[nodiscard]] Decoding decoding() const noexcept { return decoding_; }

 private:
  HttpReader http_;
  BodyReader bodies_;
  Decoding decoding_;
};

}  // namespace neardup::io
