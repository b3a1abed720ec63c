// What does a column hold, as its Arrow schema tells?
//
// The tree of C structs becomes a tree of values that nothing foreign can change, so that everything else asks this and
// not the schema. Extension types are what they are stored as.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/arrow.h"

namespace neardup::arrow {

enum class Kind : std::uint8_t {
  unread,       // known to Arrow or not: nothing here can be made of it
  null,         // no cell has a value
  boolean,      // a bit each
  integer,      // Type::width bytes, signed or not
  real,         // the same, IEEE 754
  decimal,      // Type::width bytes, two's complement, scaled
  date,         // days (4 bytes) or milliseconds (8)
  time,         // since midnight, in Type::unit
  timestamp,    // since 1970, in Type::unit
  text,         // strings or bytes: offsets of Type::width bytes into one buffer
  text_view,    // strings or bytes: 16 bytes each, which lead into several buffers
  fixed_bytes,  // Type::width bytes
  list,         // offsets of Type::width bytes into the child
  list_view,    // the same, and sizes
  fixed_list,   // Type::width cells of the child
  structure,
  dictionary,  // integers of Type::width bytes that number the cells of the child
  runs,        // children: where runs end, and their values
};

struct Type {
  Kind kind = Kind::unread;
  bool is_signed = false;
  bool has_zone = false;   // timestamps: they are instants
  char unit = 's';         // s, m, u or n
  std::int64_t width = 0;  // as the kinds say
  int scale = 0;           // decimals: digits behind the point
  std::string name{};      // of the column, in valid UTF-8
  std::string said{};      // "int64", for messages
  std::vector<Type> children{};

  [[nodiscard]] bool is_list() const {
    return kind == Kind::list || kind == Kind::list_view || kind == Kind::fixed_list;
  }
};

// A type that is nested deeper is Kind::unread.
inline constexpr int kMaxDepth = 64;

// The type of the rows of a stream, a structure whose children are the columns. Throws Error{input} for a schema that
// is damaged or is not a structure.
Type parse_schema(const ArrowSchema&);

// What a cell is at last: of dictionaries and runs the type of their values.
const Type& value_type(const Type&);

}  // namespace neardup::arrow
