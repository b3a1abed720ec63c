#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>

#include "bindings.h"
#include "call.h"
#include "documents.h"
#include "items.h"
#include "neardup/collection.h"
#include "options.h"

namespace neardup::python {
namespace {

ItemColumns columns_of(const Options& options) {
  ItemColumns columns;
  if (options.has("text_fields")) columns.text_fields = options.texts("text_fields");
  if (options.has("id_field")) columns.id_field = options.text("id_field");
  return columns;
}

// Documents in memory say themselves what is a text and an id.
ReadOptions memory_read_options(const Options& options) {
  ReadOptions read = read_options_of(options);
  read.text_fields.reset();
  read.id_field.reset();
  return read;
}

Documents documents_of_items(const nb::tuple& objects, const nb::dict& given) {
  const auto items = std::make_shared<Items>(objects, kind_of_items(objects), columns_of(Options(given)));
  items->check_columns();
  return {item_documents(items)};
}

Collection collection_of(const Documents& documents, const nb::dict& given) {
  return Collection::from(documents.source, "data", memory_read_options(Options(given)));
}

Documents documents_of_batches(const nb::object& batches, const nb::object& first, const nb::dict& given) {
  const Options options(given);
  const ItemKind kind = kind_of_items(first);
  Items(nb::object(nb::tuple(first)), kind, columns_of(options)).check_columns();
  return {batched_documents(batches, kind, columns_of(options))};
}

InputFiles input_files_of(const std::vector<std::string>& paths, const Options& options, const std::string& named_by) {
  return {.inputs = paths,
          .files_from = options.text("files_from"),
          .include = options.texts("include"),
          .exclude = options.texts("exclude"),
          .named_by = named_by};
}

Collection open_collection(const std::vector<std::string>& paths, const nb::dict& given, const nb::dict& run,
                           const std::string& named_by) {
  const Options options(given);
  const InputFiles files = input_files_of(paths, options, named_by);
  const ReadOptions read = read_options_of(options);
  std::optional<Collection> collection;
  run_call(run_options(run), [&](const Context& context) { collection = Collection::open(files, read, context); });
  return *collection;
}

// Reads a collection one document after another, some at a time, so that the lock is rarely taken.
class DocumentStream {
 public:
  explicit DocumentStream(const Collection& collection) : reader_(collection.read(context_)) {}
  // (row, id, text, fields) of up to `count` documents; fewer only at the end.
  nb::list next(std::size_t count) {
    std::vector<Document> documents;
    {
      const nb::gil_scoped_release unlocked;
      Document document;
      while (documents.size() < count && !at_end_) {
        at_end_ = !reader_->next(document);
        if (!at_end_) documents.push_back(document);
      }
    }
    nb::list out;
    for (const Document& document : documents) {
      nb::list fields;
      for (const auto& field : document.fields) fields.append(field ? nb::cast(*field) : nb::none());
      out.append(nb::make_tuple(document.id, document.key, document.text, fields));
    }
    return out;
  }

 private:
  Context context_;  // the reader looks at it again
  std::unique_ptr<Collection::Reader> reader_;
  bool at_end_ = false;  // a reader must not be asked again then
};

}  // namespace

void bind_collections(nb::module_& module) {
  nb::class_<Documents>(module, "Documents");
  nb::class_<Collection>(module, "Collection");
  nb::class_<DocumentStream>(module, "DocumentStream")
      .def(nb::init<const Collection&>(), nb::arg("collection"))
      .def("next", &DocumentStream::next, nb::arg("count"));
  module.def("documents_of_items", &documents_of_items, nb::arg("items"), nb::arg("options"));
  module.def("documents_of_batches", &documents_of_batches, nb::arg("batches"), nb::arg("first"), nb::arg("options"));
  module.def("collection_of", &collection_of, nb::arg("documents"), nb::arg("options"));
  module.def("open_collection", &open_collection, nb::arg("paths"), nb::arg("options"), nb::arg("run"),
             nb::arg("named_by"));
}

}  // namespace neardup::python
