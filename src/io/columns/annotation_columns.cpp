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

struct Columns {
  explicit Columns(std::size_t rows) : has_cluster(rows), is_kept(rows), has_score(rows), scores(rows) {}
  Bits has_cluster, is_kept, has_score;
  std::vector<std::int32_t> ends{0};
  std::string clusters;
  std::vector<double> scores;
};

std::shared_ptr<const Columns> fill(std::span<const Annotation> annotations) {
  auto out = std::make_shared<Columns>(annotations.size());
  for (std::size_t row = 0; row < annotations.size(); ++row) {
    const Annotation& annotation = annotations[row];
    out->clusters += annotation.cluster;
    if (out->clusters.size() > std::numeric_limits<std::int32_t>::max())
      throw Error(ErrorCode::limit, "the ids of clusters of one row group take more than 2 GiB", "annotate");
    out->ends.push_back(static_cast<std::int32_t>(out->clusters.size()));
    if (!annotation.cluster.empty()) out->has_cluster.set(row);
    if (annotation.kept) out->is_kept.set(row);
    const std::string& score = annotation.score;
    if (score.empty()) continue;
    std::from_chars(score.data(), score.data() + score.size(), out->scores[row]);
    out->has_score.set(row);
  }
  return out;
}

class AnnotationExporter final : public arrow::Exporter {
 public:
  explicit AnnotationExporter(std::span<const Annotation> annotations)
      : rows_(static_cast<std::int64_t>(annotations.size())), data_(fill(annotations)) {}

  [[nodiscard]] std::vector<arrow::ExportedColumn> columns() const override {
    return {{"neardup_cluster", "u", true}, {"neardup_kept", "b", false}, {"neardup_score", "g", true}};
  }
  std::optional<arrow::ExportedBatch> next() override {
    constexpr std::int64_t kNotCounted = -1;
    if (data_ == nullptr) return std::nullopt;
    const std::shared_ptr<const Columns> data = std::exchange(data_, nullptr);
    arrow::ExportedBatch batch{.rows = rows_, .columns = {}};
    batch.columns.push_back({.buffers = {data->has_cluster.bytes.data(), data->ends.data(), data->clusters.data()},
                             .null_count = kNotCounted,
                             .owner = data});
    batch.columns.push_back({.buffers = {nullptr, data->is_kept.bytes.data()}, .owner = data});
    batch.columns.push_back(
        {.buffers = {data->has_score.bytes.data(), data->scores.data()}, .null_count = kNotCounted, .owner = data});
    return batch;
  }

 private:
  std::int64_t rows_;
  std::shared_ptr<const Columns> data_;
};

ArrowArrayStream stream_of(std::span<const Annotation> annotations) {
  return arrow::export_stream(std::make_unique<AnnotationExporter>(annotations));
}

}  // namespace

ArrowSchema annotation_schema() {
  arrow::OwnedSchema schema = arrow::Stream(stream_of({})).schema();
  return std::exchange(schema.get(), ArrowSchema{});
}

ArrowArray annotation_array(std::span<const Annotation> annotations) {
  arrow::OwnedArray array = arrow::Stream(stream_of(annotations)).next();
  return std::exchange(array.get(), ArrowArray{});
}

}  // namespace neardup::io
