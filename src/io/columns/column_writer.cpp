#include "io/columns/column_writer.h"

#include <exception>
#include <utility>

#include "arrow/owned.h"
#include "io/annotations.h"
#include "io/columns/annotation_columns.h"
#include "io/columns/chosen_groups.h"
#include "io/columns/plugin.h"
#include "neardup/error.h"

namespace neardup::io {
namespace {

class ColumnWriter final : public RecordWriter {
 public:
  ColumnWriter(Collection collection, std::unique_ptr<ByteSink> sink, NeardupKind kind, const Source& first,
               const AddedFields& added)
      : collection_(std::move(collection)),
        sink_(std::move(sink)),
        kind_(kind),
        first_(first),
        added_(added),
        groups_(*impl_of(collection_).files, [this](auto&&... group) { put(group...); }) {}
  ~ColumnWriter() override {
    if (writer_ != nullptr) plugin_->close_writer(writer_);
  }

  void write(const RecordBatch& batch, std::span<const std::uint8_t> chosen) override {
    groups_.add(batch, chosen, {});
  }
  void write_annotated(const RecordBatch& batch, std::span<const std::uint8_t> chosen,
                       std::span<const Annotation> annotations) override {
    groups_.add(batch, chosen, annotations);
  }

  // Without a single row there is still a schema.
  void close() override {
    groups_.flush();
    if (writer_ == nullptr) {
      ColumnFile like(first_, *impl_of(collection_).files);
      open(like);
    }
    NeardupError error{};
    check(plugin_->finish_writer(writer_, &error), error, first_.path);
    sink_->close();
  }

 private:
  void put(ColumnFile& file, std::int64_t group, std::span<const std::uint8_t> chosen,
           std::span<const Annotation> annotations) {
    if (writer_ == nullptr) open(file);
    NeardupError error{};
    int code = 0;
    if (!added_.empty()) {
      arrow::OwnedArray added(annotation_array(added_, annotations));
      code = plugin_->write_group(writer_, file.handle(), group, chosen.data(), &added.get(), &error);
    } else {
      code = plugin_->write_group(writer_, file.handle(), group, chosen.data(), nullptr, &error);
    }
    if (code != NEARDUP_OK) file.rethrow_read_error();
    check(code, error, file.path());
  }

  void open(ColumnFile& like) {
    refuse_added_columns(like.path(), like.column_names(), added_);
    plugin_ = &like.plugin();
    const NeardupSink sink{.self = this, .write = &write_bytes};
    arrow::OwnedSchema added;
    if (!added_.empty()) added = arrow::OwnedSchema(annotation_schema(added_));
    NeardupError error{};
    check(plugin_->open_writer(like.handle(), kind_, &sink, added_.empty() ? nullptr : &added.get(), &writer_, &error),
          error, like.path());
  }

  void check(int code, const NeardupError& error, const std::string& path) const {
    if (code == NEARDUP_OK) return;
    if (failure_ != nullptr) std::rethrow_exception(failure_);
    throw_plugin_error(error, path);
  }

  static int write_bytes(void* self, const void* bytes, std::int64_t size) {
    auto& writer = *static_cast<ColumnWriter*>(self);
    try {
      writer.sink_->write({static_cast<const char*>(bytes), static_cast<std::size_t>(size)});
      return 0;
    } catch (...) {
      writer.failure_ = std::current_exception();
      return 1;
    }
  }

  Collection collection_;
  std::unique_ptr<ByteSink> sink_;
  NeardupKind kind_;
  const Source& first_;
  AddedFields added_;
  const NeardupArrowPlugin* plugin_ = nullptr;
  NeardupRowWriter* writer_ = nullptr;
  std::exception_ptr failure_;  // of the sink
  ChosenGroups groups_;
};

}  // namespace

std::unique_ptr<RecordWriter> make_column_writer(const Collection& collection, std::unique_ptr<ByteSink> sink,
                                                 const Format& to, const Source& first, const AddedFields& added) {
  return std::make_unique<ColumnWriter>(collection, std::move(sink), kind_of_format(to), first, added);
}

}  // namespace neardup::io
