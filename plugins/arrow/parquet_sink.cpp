#include "parquet_sink.h"

#include <arrow/api.h>
#include <parquet/arrow/schema.h>
#include <parquet/arrow/writer.h>
#include <parquet/properties.h>
#include <parquet/schema.h>
#include <parquet/types.h>

#include <algorithm>
#include <array>
#include <utility>

#include "failures.h"

namespace neardup::arrow_plugin {
namespace {

class ParquetSink final : public BatchSink {
 public:
  explicit ParquetSink(std::unique_ptr<parquet::arrow::FileWriter> writer) : writer_(std::move(writer)) {}
  arrow::Status write(const arrow::RecordBatch& batch) override {
    return caught([&] { return writer_->WriteRecordBatch(batch); });
  }
  arrow::Status finish() override {
    return caught([&] { return writer_->Close(); });
  }

 private:
  std::unique_ptr<parquet::arrow::FileWriter> writer_;
};

// The encoding of values that are in no dictionary; UNKNOWN: the default.
parquet::Encoding::type plain_encoding(const parquet::ColumnChunkMetaData& chunk) {
  using parquet::Encoding;
  constexpr std::array kKept{Encoding::DELTA_BINARY_PACKED, Encoding::DELTA_LENGTH_BYTE_ARRAY,
                             Encoding::DELTA_BYTE_ARRAY, Encoding::BYTE_STREAM_SPLIT};
  const auto& used = chunk.encodings();
  const auto kept = std::ranges::find_if(
      kKept, [&](Encoding::type encoding) { return std::ranges::find(used, encoding) != used.end(); });
  return kept == kKept.end() ? Encoding::UNKNOWN : *kept;
}

parquet::Compression::type codec_of(const parquet::ColumnChunkMetaData& chunk) {
  const parquet::Compression::type codec = chunk.compression();
  if (codec == parquet::Compression::LZ4_HADOOP || !parquet::IsCodecSupported(codec)) return parquet::Compression::LZ4;
  return codec;
}

void add_column(const parquet::ColumnChunkMetaData& chunk, parquet::WriterProperties::Builder& out) {
  const auto path = chunk.path_in_schema();
  out.compression(path, codec_of(chunk));
  if (chunk.has_dictionary_page()) {
    out.enable_dictionary(path);
  } else {
    out.disable_dictionary(path);
  }
  if (const auto encoding = plain_encoding(chunk); encoding != parquet::Encoding::UNKNOWN) out.encoding(path, encoding);
  if (chunk.is_stats_set()) {
    out.enable_statistics(path);
  } else {
    out.disable_statistics(path);
  }
  if (chunk.GetOffsetIndexLocation()) {
    out.enable_write_page_index(path);
  } else {
    out.disable_write_page_index(path);
  }
}

bool stores_decimals_as_integers(const parquet::SchemaDescriptor& schema) {
  for (int i = 0; i < schema.num_columns(); ++i) {
    const parquet::ColumnDescriptor& column = *schema.Column(i);
    const bool is_integer =
        column.physical_type() == parquet::Type::INT32 || column.physical_type() == parquet::Type::INT64;
    if (is_integer && column.logical_type() != nullptr && column.logical_type()->is_decimal()) return true;
  }
  return false;
}

std::shared_ptr<parquet::WriterProperties> properties_like(const parquet::FileMetaData& like) {
  parquet::WriterProperties::Builder out;
  out.version(like.version());
  if (stores_decimals_as_integers(*like.schema())) out.enable_store_decimal_as_integer();
  int64_t rows = 0;
  for (int group = 0; group < like.num_row_groups(); ++group) rows = std::max(rows, like.RowGroup(group)->num_rows());
  if (rows > 0) out.max_row_group_length(rows);
  if (like.num_row_groups() == 0) return out.build();
  const auto group = like.RowGroup(0);
  out.set_sorting_columns(group->sorting_columns());
  for (int column = 0; column < group->num_columns(); ++column) {
    const auto chunk = group->ColumnChunk(column);
    if (column == 0) out.compression(codec_of(*chunk));  // of columns that are added
    add_column(*chunk, out);
  }
  return out.build();
}

bool has_arrow_schema(const parquet::FileMetaData& like) {
  return like.key_value_metadata() != nullptr && like.key_value_metadata()->Contains("ARROW:schema");
}

// Of the ways to say these Arrow types in Parquet, the one that gives the schema of the old file.
std::shared_ptr<parquet::ArrowWriterProperties> arrow_properties_like(const parquet::FileMetaData& like,
                                                                      const arrow::Schema& schema,
                                                                      const parquet::WriterProperties& properties) {
  const arrow::Schema old(arrow::FieldVector(schema.fields().begin(),
                                             schema.fields().begin() + like.schema()->group_node()->field_count()));
  std::shared_ptr<parquet::ArrowWriterProperties> first;
  for (const bool int96 : {false, true}) {
    for (const bool compliant : {true, false}) {
      parquet::ArrowWriterProperties::Builder builder;
      if (has_arrow_schema(like)) builder.store_schema();
      if (!compliant) builder.disable_compliant_nested_types();
      if (int96) builder.enable_deprecated_int96_timestamps();
      const auto candidate = builder.build();
      if (first == nullptr) first = candidate;
      std::shared_ptr<parquet::SchemaDescriptor> made;
      const bool is_same =
          parquet::arrow::ToParquetSchema(&old, properties, *candidate, &made).ok() && made->Equals(*like.schema());
      if (is_same) return candidate;
    }
  }
  return first;
}

}  // namespace

arrow::Result<std::unique_ptr<BatchSink>> create_parquet_like(const parquet::FileMetaData& like,
                                                              const arrow::Schema& schema,
                                                              const std::shared_ptr<arrow::io::OutputStream>& sink) {
  std::unique_ptr<BatchSink> out;
  ARROW_RETURN_NOT_OK(caught([&]() -> arrow::Status {
    const auto properties = properties_like(like);
    ARROW_ASSIGN_OR_RAISE(auto writer,
                          parquet::arrow::FileWriter::Open(schema, arrow::default_memory_pool(), sink, properties,
                                                           arrow_properties_like(like, schema, *properties)));
    out = std::make_unique<ParquetSink>(std::move(writer));
    return arrow::Status::OK();
  }));
  return out;
}

}  // namespace neardup::arrow_plugin
