#include "arrow/documents.h"

#include <mutex>
#include <optional>
#include <utility>

#include "arrow/owned.h"
#include "base/guard.h"
#include "neardup/error.h"
#include "neardup/memory.h"

namespace neardup::arrow {
namespace {

// One reading of a stream that can be produced again.
class StreamReader final : public DocumentReader {
 public:
  StreamReader(Stream stream, std::shared_ptr<const Plan> plan) : stream_(std::move(stream)), plan_(std::move(plan)) {}

  std::shared_ptr<const DocumentBatch> next() override {
    for (;;) {
      if (chunk_) {
        if (auto batch = chunk_->next()) return batch;
        chunk_.reset();
      }
      auto array = std::make_shared<const OwnedArray>(stream_.next());
      if (array->empty()) return nullptr;
      chunk_.emplace(std::make_shared<const Chunk>(plan_, std::move(array)));
    }
  }

 private:
  Stream stream_;
  std::shared_ptr<const Plan> plan_;
  std::optional<ChunkReader> chunk_;
};

class StreamDocuments final : public DocumentSource {
 public:
  StreamDocuments(ArrowStreamFactory factory, ArrowColumns columns, std::uint64_t bytes)
      : factory_(std::move(factory)),
        columns_(std::move(columns)),
        bytes_(bytes),
        plan_(make_plan(Stream(factory_({})).schema().get(), columns_, {})) {
    // Which column is the text must not depend on how many others a reading leaves out.
    if (!columns_.text) columns_.text = {plan_->binding.texts.front().path.name};
  }

  [[nodiscard]] std::unique_ptr<DocumentReader> open(std::span<const std::string> fields) const override {
    const Binding expected = bind_columns(plan_->schema, columns_, fields);
    const std::vector<std::string> needed = expected.columns(plan_->schema);
    Stream stream = open_stream(needed);
    auto plan = plan_again(stream.schema().get(), fields);
    if (!expected.reads_like(plan->binding)) refuse_change("its columns hold something else");
    return std::make_unique<StreamReader>(std::move(stream), std::move(plan));
  }
  [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }
  [[nodiscard]] bool has_tokens() const override { return plan_->binding.has_tokens; }
  [[nodiscard]] bool may_have_field(std::string_view name) const override { return has_field(plan_->schema, name); }

 private:
  [[nodiscard]] Stream open_stream(std::span<const std::string> columns) const {
    const std::lock_guard lock(mutex_);
    return Stream(factory_(columns));
  }

  // What was there when the source was made must be there again.
  [[nodiscard]] std::shared_ptr<const Plan> plan_again(const ArrowSchema& schema,
                                                       std::span<const std::string> fields) const {
    try {
      return make_plan(schema, columns_, fields);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::usage) throw;
      refuse_change(error.what());
    }
  }
  [[noreturn]] static void refuse_change(const std::string& how) {
    throw Error(ErrorCode::input, "the Arrow stream is not the same as before: " + how);
  }

  mutable std::mutex mutex_;  // the factory is called on one thread at a time
  ArrowStreamFactory factory_;
  ArrowColumns columns_;
  std::uint64_t bytes_;
  std::shared_ptr<const Plan> plan_;
};

}  // namespace

std::shared_ptr<const Plan> make_plan(const ArrowSchema& schema, const ArrowColumns& columns,
                                      std::span<const std::string> fields) {
  auto plan = std::make_shared<Plan>();
  plan->schema = parse_schema(schema);
  plan->binding = bind_columns(plan->schema, columns, fields);
  return plan;
}

}  // namespace neardup::arrow

namespace neardup {

std::shared_ptr<const DocumentSource> arrow_documents(ArrowStreamFactory factory, const ArrowColumns& columns,
                                                      std::uint64_t bytes) {
  return base::guarded([&]() -> std::shared_ptr<const DocumentSource> {
    return std::make_shared<arrow::StreamDocuments>(std::move(factory), columns, bytes);
  });
}

std::shared_ptr<const DocumentSource> arrow_documents(ArrowArrayStream&& stream, const ArrowColumns& columns,
                                                      std::span<const std::string> fields, const Context& context) {
  return base::guarded([&] {
    arrow::Stream taken(std::move(stream));
    Context call = context;  // nothing here needs threads
    if (call.memory == nullptr) call.memory = std::make_shared<MemoryBudget>(context.memory_bytes);
    return arrow::keep_documents(std::move(taken), columns, fields, call);
  });
}

}  // namespace neardup
