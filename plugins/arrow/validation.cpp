#include "validation.h"

#include <arrow/api.h>
#include <arrow/extension_type.h>

#include <memory>

namespace neardup::arrow_plugin {
namespace {

using Data = std::shared_ptr<arrow::ArrayData>;
using Type = std::shared_ptr<arrow::DataType>;

Type struct_of(const arrow::DataType& type, const arrow::ArrayData& data) {
  arrow::FieldVector fields;
  for (int i = 0; i < type.num_fields(); ++i)
    fields.push_back(type.field(i)->WithType(data.child_data[static_cast<std::size_t>(i)]->type));
  return arrow::struct_(std::move(fields));
}

// `type` with the types that its children have now.
Type with_children(const Type& type, const arrow::ArrayData& data) {
  const auto item = [&] { return type->field(0)->WithType(data.child_data[0]->type); };
  switch (type->id()) {
    case arrow::Type::STRING:
      return arrow::binary();
    case arrow::Type::LARGE_STRING:
      return arrow::large_binary();
    case arrow::Type::STRING_VIEW:
      return arrow::binary_view();
    case arrow::Type::LIST:
      return arrow::list(item());
    case arrow::Type::LARGE_LIST:
      return arrow::large_list(item());
    case arrow::Type::LIST_VIEW:
      return arrow::list_view(item());
    case arrow::Type::LARGE_LIST_VIEW:
      return arrow::large_list_view(item());
    case arrow::Type::FIXED_SIZE_LIST:
      return arrow::fixed_size_list(item(), static_cast<const arrow::FixedSizeListType&>(*type).list_size());
    case arrow::Type::MAP:
      return std::make_shared<arrow::MapType>(item());
    case arrow::Type::STRUCT:
      return struct_of(*type, data);
    case arrow::Type::DICTIONARY:
      return arrow::dictionary(static_cast<const arrow::DictionaryType&>(*type).index_type(), data.dictionary->type);
    default:
      return type;
  }
}

// The same data with strings as plain bytes. Its shape is known to be that of its type.
Data without_text(const arrow::ArrayData& data) {
  Data out = data.Copy();
  for (Data& child : out->child_data) child = without_text(*child);
  if (out->dictionary != nullptr) out->dictionary = without_text(*out->dictionary);
  const bool is_extension = data.type->id() == arrow::Type::EXTENSION;
  out->type = with_children(
      is_extension ? static_cast<const arrow::ExtensionType&>(*data.type).storage_type() : data.type, *out);
  return out;
}

}  // namespace

arrow::Status validate(const arrow::RecordBatch& batch) {
  for (const auto& column : batch.columns()) {
    ARROW_RETURN_NOT_OK(column->Validate());
    ARROW_RETURN_NOT_OK(arrow::MakeArray(without_text(*column->data()))->ValidateFull());
  }
  return arrow::Status::OK();
}

}  // namespace neardup::arrow_plugin
