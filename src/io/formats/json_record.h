// What does a JSON object say about a document? Shared by the two formats whose records are JSON objects.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "io/record.h"
#include "neardup/collection.h"

namespace neardup::io {

// The whole record is validated, fields that were not requested too. Numbers are checked but never converted.
std::unique_ptr<RecordParser> make_json_parser(const ReadOptions&);

// Appends the record with line breaks outside strings as spaces, so that it fits on one line.
void append_json_on_one_line(std::string& out, const RecordBatch&, std::size_t place);

// First character that is not JSON white space; npos when there is none.
std::size_t skip_json_space(std::string_view text, std::size_t from = 0);

}  // namespace neardup::io
