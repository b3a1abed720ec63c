// Documents over a stream that can be read only once.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "arrow/array_memory.h"
#include "arrow/documents.h"
#include "arrow/row_spool.h"
#include "base/memory_plan.h"
#include "base/system.h"
#include "neardup/memory.h"

namespace neardup::arrow {
namespace {

// What the stream held: arrays first, then rows in a file.
struct Kept {
  std::shared_ptr<const Plan> plan;
  std::vector<std::string> fields;  // that plan is about
  std::vector<std::shared_ptr<const OwnedArray>> arrays{};
  Reservation memory{};
  std::optional<RowSpool> spool{};
  std::uint64_t weight = 0;
};

class SpooledBatch final : public DocumentBatch {
 public:
  SpooledBatch(std::shared_ptr<const Kept> kept, std::size_t block, std::span<const std::optional<std::size_t>> fields)
      : kept_(std::move(kept)), weight_(kept_->spool->weight(block)) {
    kept_->spool->load(block, fields, rows_, bytes_);
  }
  [[nodiscard]] std::size_t size() const override { return rows_.size(); }
  [[nodiscard]] std::uint64_t bytes() const override { return weight_; }
  const char* get(std::size_t place, DocumentView& out) const override { return rows_.get(place, out); }

 private:
  std::shared_ptr<const Kept> kept_;
  std::uint64_t weight_;
  std::vector<std::uint64_t> bytes_;
  Rows rows_;
};

class KeptReader final : public DocumentReader {
 public:
  KeptReader(std::shared_ptr<const Kept> kept, std::span<const std::string> fields) : kept_(std::move(kept)) {
    auto plan = std::make_shared<Plan>(*kept_->plan);
    plan->binding.fields.clear();
    for (const std::string& field : fields) {
      const auto known = std::ranges::find(kept_->fields, field);
      std::optional<std::size_t> number;
      if (known != kept_->fields.end()) number = static_cast<std::size_t>(known - kept_->fields.begin());
      plan->binding.fields.push_back(number ? kept_->plan->binding.fields[*number] : std::nullopt);
      fields_.push_back(number);
    }
    plan_ = std::move(plan);
  }

  std::shared_ptr<const DocumentBatch> next() override {
    for (;;) {
      if (chunk_) {
        if (auto batch = chunk_->next()) return batch;
        chunk_.reset();
      }
      if (array_ == kept_->arrays.size()) break;
      chunk_.emplace(std::make_shared<const Chunk>(plan_, kept_->arrays[array_++]));
    }
    if (!kept_->spool || block_ == kept_->spool->blocks()) return nullptr;
    return std::make_shared<SpooledBatch>(kept_, block_++, fields_);
  }

 private:
  std::shared_ptr<const Kept> kept_;
  std::shared_ptr<const Plan> plan_;
  std::vector<std::optional<std::size_t>> fields_;  // which of those kept
  std::optional<ChunkReader> chunk_;
  std::size_t array_ = 0, block_ = 0;
};

class KeptDocuments final : public DocumentSource {
 public:
  explicit KeptDocuments(std::shared_ptr<const Kept> kept) : kept_(std::move(kept)) {}

  [[nodiscard]] std::unique_ptr<DocumentReader> open(std::span<const std::string> fields) const override {
    return std::make_unique<KeptReader>(kept_, fields);
  }
  [[nodiscard]] std::uint64_t bytes() const override { return kept_->weight; }
  [[nodiscard]] bool has_tokens() const override { return kept_->plan->binding.has_tokens; }
  [[nodiscard]] bool may_have_field(std::string_view name) const override {
    return std::ranges::find(kept_->fields, name) != kept_->fields.end() && has_field(kept_->plan->schema, name);
  }

 private:
  std::shared_ptr<const Kept> kept_;
};

// Holds the rows of a chunk, or writes them to the file.
void keep(const std::shared_ptr<const OwnedArray>& array, bool fits, Kept& kept, const Context& context) {
  const Chunk chunk(kept.plan, array);
  if (!fits && !kept.spool) kept.spool.emplace(kept.plan, context);
  for (std::int64_t at = 0; at < chunk.rows();) {
    base::check_stop(context);
    std::uint64_t weight = 0;
    const std::int64_t from = std::exchange(at, chunk.cut(at, weight));
    kept.weight += weight;
    if (fits) continue;
    Rows rows;
    chunk.fill(from, at, rows);
    kept.spool->add(rows, weight);
  }
  if (fits) kept.arrays.push_back(array);
}

}  // namespace

std::shared_ptr<const DocumentSource> keep_documents(Stream stream, const ArrowColumns& columns,
                                                     std::span<const std::string> fields, const Context& context) {
  auto kept = std::make_shared<Kept>();
  kept->plan = make_plan(stream.schema().get(), columns, fields);
  kept->fields.assign(fields.begin(), fields.end());
  kept->memory = base::reservation(context);
  const std::uint64_t most = base::plan_memory(context).arrow_arrays;
  ArrayMemory memory;
  std::uint64_t held = 0;
  for (;;) {
    base::check_stop(context);
    const auto array = std::make_shared<const OwnedArray>(stream.next());
    if (array->empty()) break;
    held += memory.bytes_of(kept->plan->schema, array->get());
    const bool fits = !kept->spool && held <= most && kept->memory.try_resize(static_cast<std::size_t>(held));
    keep(array, fits, *kept, context);
  }
  if (kept->spool) kept->spool->finish();
  return std::make_shared<KeptDocuments>(std::move(kept));
}

}  // namespace neardup::arrow
