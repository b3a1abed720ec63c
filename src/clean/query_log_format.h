// How is a search log written?
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "neardup/clean.h"
#include "neardup/collection.h"
#include "neardup/context.h"

namespace neardup::clean {

// What a line of a log says, in formats without fields.
struct LoggedLine {
  enum class Kind { query, header, bad };
  Kind kind = Kind::query;
  std::string_view query{};
  std::uint64_t count = 1;
  std::string_view id{};  // of the query, where the line has one
  std::string reason{};   // of a bad one
};

struct LogFormat {
  std::string_view name;
  // Null: records with fields, in the reading format of the same name. `number` is that of the line, from 1.
  LoggedLine (*read)(std::string_view line, std::uint64_t number);
};

// Fields by the user's names, or those a log has without being asked.
struct LogFields {
  std::string query, count, id;
  explicit LogFields(const QueryLogOptions&);
};

// The count that a field says; kind and reason are set when it says none.
LoggedLine with_count(std::string_view query, std::string_view count);

// What `options` name, or what the log looks like. `lines` is the log opened as lines. Throws Error{usage} for a format
// that does not exist, and for fields that the log does not have as far as its format tells.
const LogFormat& log_format(const QueryLogOptions& options, const Collection& lines, const Context&);

}  // namespace neardup::clean
