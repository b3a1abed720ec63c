// How do chosen rows of Parquet and Arrow files become JSON?
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "io/columns/chosen_groups.h"
#include "io/output.h"

namespace neardup::io {

// Reads whole rows again, group by group, and shows each chosen one as a JSON object. Throws Error{usage} for columns
// and values that JSON cannot say.
class JsonRows {
 public:
  // `annotation` is null where there is none.
  using Put = std::function<void(std::string_view object, const Annotation* annotation)>;
  JsonRows(Collection, AddedFields, Put);

  // As ChosenGroups has them.
  void add(const RecordBatch&, std::span<const std::uint8_t> chosen, std::span<const Annotation> annotations);
  void flush();

 private:
  void put_group(ColumnFile&, std::int64_t group, std::span<const std::uint8_t> chosen,
                 std::span<const Annotation> annotations);

  Collection collection_;
  AddedFields added_;
  Put put_;
  ChosenGroups groups_;
};

}  // namespace neardup::io
