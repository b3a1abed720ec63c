// What a run decided, as columns.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow/export.h"
#include "base/guard.h"

namespace neardup::arrow {
namespace {

constexpr std::size_t kRowsPerBatch = std::size_t{1} << 16;

std::string_view status_name(RowStatus status) {
  switch (status) {
    case RowStatus::document:
      break;
    case RowStatus::without_features:
      return "without_features";
    case RowStatus::bad:
      return "bad";
    case RowStatus::set_aside:
      return "against";
    case RowStatus::same_key:
      return "same_key";
    case RowStatus::dropped:
      return "dropped";
  }
  return "document";
}

// A bit a row.
class Bits {
 public:
  explicit Bits(std::size_t rows) : bytes_((rows + 7) / 8) {}
  void set(std::size_t row) { bytes_[row >> 3] = static_cast<std::uint8_t>(bytes_[row >> 3] | 1u << (row & 7)); }
  [[nodiscard]] const void* data() const { return bytes_.data(); }

 private:
  std::vector<std::uint8_t> bytes_;
};

template <class Value>
class NullableColumn {
 public:
  explicit NullableColumn(std::size_t rows) : valid_(rows), values_(rows) {}
  void set(std::size_t row, Value value) {
    values_[row] = value;
    valid_.set(row);
    ++present_;
  }
  [[nodiscard]] ExportedData data(const std::shared_ptr<const void>& owner) const {
    const auto nulls = static_cast<std::int64_t>(values_.size() - present_);
    return {{nulls == 0 ? nullptr : valid_.data(), values_.data()}, nulls, owner};
  }

 private:
  Bits valid_;
  std::vector<Value> values_;
  std::size_t present_ = 0;
};

// The columns of one batch; all of them are owned together.
struct RowColumns {
  explicit RowColumns(std::size_t rows) : kept(rows), representative(rows), cluster(rows), score(rows) {
    status_ends.reserve(rows + 1);
  }
  Bits kept;
  NullableColumn<std::uint64_t> representative, cluster;
  std::vector<std::int32_t> status_ends{0};
  std::vector<char> status;
  NullableColumn<double> score;
};

class RowExporter final : public Exporter {
 public:
  explicit RowExporter(const DedupResult& result)
      : clusters_(result.clusters), scores_(result.scores), in_cluster_(clusters_.rows()) {
    for (std::size_t i = 0; i < clusters_.size(); ++i) {
      for (const Clusters::Member row : clusters_[i]) in_cluster_[row] = true;
    }
  }

  [[nodiscard]] std::vector<ExportedColumn> columns() const override {
    return {{"kept", "b", false},
            {"representative", "L", true},
            {"cluster", "L", true},
            {"status", "u", false},
            {"score", "g", true}};
  }

  std::optional<ExportedBatch> next() override {
    if (at_ == clusters_.rows()) return std::nullopt;
    const std::size_t from = at_, rows = std::min(kRowsPerBatch, clusters_.rows() - at_);
    const auto made = std::make_shared<RowColumns>(rows);
    for (std::size_t i = 0; i < rows; ++i) fill(from + i, i, *made);
    ExportedBatch batch{.rows = static_cast<std::int64_t>(rows), .columns = {}};
    batch.columns = {{{nullptr, made->kept.data()}, 0, made},
                     made->representative.data(made),
                     made->cluster.data(made),
                     {{nullptr, made->status_ends.data(), made->status.data()}, 0, made},
                     made->score.data(made)};
    at_ += rows;
    return batch;
  }

 private:
  void fill(DocId row, std::size_t place, RowColumns& out) const {
    const RowStatus status = clusters_.status(row);
    if (clusters_.is_kept(row)) out.kept.set(place);
    if (clusters_.has_representative(row)) out.representative.set(place, clusters_.representative(row));
    if (in_cluster_[row]) out.cluster.set(place, clusters_.representative(row));
    if (row < scores_.size() && !std::isnan(scores_[row])) out.score.set(place, scores_[row]);
    const std::string_view name = status_name(status);
    out.status.insert(out.status.end(), name.begin(), name.end());
    out.status_ends.push_back(static_cast<std::int32_t>(out.status.size()));
  }

  Clusters clusters_;
  std::vector<double> scores_;
  std::vector<bool> in_cluster_;
  std::size_t at_ = 0;
};

}  // namespace
}  // namespace neardup::arrow

namespace neardup {

ArrowArrayStream export_rows(const DedupResult& result) {
  return base::guarded([&] { return arrow::export_stream(std::make_unique<arrow::RowExporter>(result)); });
}

}  // namespace neardup
