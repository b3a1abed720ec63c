#include "io/columns/annotation_columns.h"

#include <charconv>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrow/export.h"
#include "arrow/owned.h"
#include "neardup/error.h"

namespace neardup::io {
namespace {

struct Bits {
  std::vector<std::uint8_t> bytes;
  explicit Bits(std::size_t size) : bytes(size / 8 + 1) {}
  void set(std::size_t at) { bytes[at / 8] = static_cast<std::uint8_t>(bytes[at / 8] | 1u << at % 8); }
};

struct AddedColumn {
  explicit AddedColumn(std::size_t rows) : is_there(rows), is_true(rows), numbers(rows), integers(rows) {}
  Bits is_there, is_true;
  std::vector<std::int32_t> ends{0};
  std::string texts;
  std::vector<double> numbers;
  std::vector<std::int64_t> integers;
};

bool is_text(const AddedField& field) {
  return field.kind == AddedField::Kind::text || field.kind == AddedField::Kind::json;
}

void fill(AddedColumn& out, const AddedField& field, std::size_t row, const std::string& value) {
  if (!value.empty()) out.is_there.set(row);
  const auto parse = [&](auto& number) { std::from_chars(value.data(), value.data() + value.size(), number); };
  if (field.kind == AddedField::Kind::number) parse(out.numbers[row]);
  if (field.kind == AddedField::Kind::integer) parse(out.integers[row]);
  if (field.kind == AddedField::Kind::boolean && value == "true") out.is_true.set(row);
  if (!is_text(field)) return;
  out.texts += value;
  if (out.texts.size() > std::numeric_limits<std::int32_t>::max()) {
    throw Error(ErrorCode::limit, "the values of " + field.name + " in one row group take more than 2 GiB",
                field.option);
  }
  out.ends.push_back(static_cast<std::int32_t>(out.texts.size()));
}

const char* format_of(const AddedField& field) {
  switch (field.kind) {
    case AddedField::Kind::boolean:
      return "b";
    case AddedField::Kind::number:
      return "g";
    case AddedField::Kind::integer:
      return "l";
    default:
      return "u";
  }
}

class AnnotationExporter final : public arrow::Exporter {
 public:
  AnnotationExporter(const AddedFields& fields, std::span<const Annotation> annotations)
      : fields_(fields), annotations_(annotations) {}

  [[nodiscard]] std::vector<arrow::ExportedColumn> columns() const override {
    std::vector<arrow::ExportedColumn> out;
    for (const AddedField& field : fields_)
      out.push_back({field.name.c_str(), format_of(field), field.kind != AddedField::Kind::boolean});
    return out;
  }
  std::optional<arrow::ExportedBatch> next() override {
    if (std::exchange(is_done_, true)) return std::nullopt;
    arrow::ExportedBatch batch{.rows = static_cast<std::int64_t>(annotations_.size()), .columns = {}};
    for (std::size_t i = 0; i < fields_.size(); ++i) batch.columns.push_back(column(i));
    return batch;
  }

 private:
  [[nodiscard]] arrow::ExportedData column(std::size_t place) const {
    constexpr std::int64_t kNotCounted = -1;
    const AddedField& field = fields_[place];
    const auto data = std::make_shared<AddedColumn>(annotations_.size());
    for (std::size_t row = 0; row < annotations_.size(); ++row)  // rows that are not written have none
      fill(*data, field, row, annotations_[row].empty() ? std::string() : annotations_[row][place]);
    if (field.kind == AddedField::Kind::boolean)
      return {.buffers = {nullptr, data->is_true.bytes.data()}, .owner = data};
    std::vector<const void*> buffers{data->is_there.bytes.data()};
    if (field.kind == AddedField::Kind::number) buffers.push_back(data->numbers.data());
    if (field.kind == AddedField::Kind::integer) buffers.push_back(data->integers.data());
    if (is_text(field)) buffers.insert(buffers.end(), {data->ends.data(), data->texts.data()});
    return {.buffers = std::move(buffers), .null_count = kNotCounted, .owner = data};
  }

  const AddedFields& fields_;
  std::span<const Annotation> annotations_;
  bool is_done_ = false;
};

ArrowArrayStream stream_of(const AddedFields& fields, std::span<const Annotation> annotations) {
  return arrow::export_stream(std::make_unique<AnnotationExporter>(fields, annotations));
}

}  // namespace

ArrowSchema annotation_schema(const AddedFields& fields) {
  arrow::OwnedSchema schema = arrow::Stream(stream_of(fields, {})).schema();
  return std::exchange(schema.get(), ArrowSchema{});
}

ArrowArray annotation_array(const AddedFields& fields, std::span<const Annotation> annotations) {
  arrow::OwnedArray array = arrow::Stream(stream_of(fields, annotations)).next();
  return std::exchange(array.get(), ArrowArray{});
}

}  // namespace neardup::io
