// What is an open index made of?
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "index/background.h"
#include "index/changes.h"
#include "index/ledger.h"
#include "index/manifest.h"
#include "index/preparing.h"
#include "index/segment_folder.h"
#include "index/store.h"
#include "index/unit_search.h"
#include "index/writer.h"
#include "neardup/index.h"

namespace neardup::indexing {

std::filesystem::path truth_folder(const std::filesystem::path& index);
std::filesystem::path segments_folder(const std::filesystem::path& index);
// Throws Error{locked}.
std::unique_ptr<FileLock> lock_index(FileSystem&, const std::filesystem::path&);
// The fields of keep rules, then the others, each once.
std::vector<std::string> stored_fields(const IndexOptions&);
// Throws Error{usage} when the texts were folded by another version of ICU.
void check_icu(const Manifest&, const std::filesystem::path&);
// A folder with the rows of an index without documents.
void create_truth(const std::filesystem::path& index);
// Copies files and folders below.
void copy_folder(FileSystem&, const std::filesystem::path& from, const std::filesystem::path& to, const Context&);
// Runs `make` with a temporary name beside a new folder, which then gets its name; a crash leaves no half of it.
void make_folder_whole(FileSystem&, const std::filesystem::path&,
                       const std::function<void(const std::filesystem::path&)>& make);

// Counts what became of one document.
void count_result(const AddResult&, IndexReport&);

enum class SearchThreads { none, background };

// The store, its search and everything in between. Members are destroyed in reverse order.
struct OpenIndex {
  OpenIndex(const std::filesystem::path&, const OpenIndexOptions&, StoreAccess, const Context&, SearchThreads);

  std::filesystem::path path;
  Context context;
  FileSystem& files;
  Manifest manifest;
  IndexRules rules;
  Preparer preparer;
  std::unique_ptr<FileLock> lock;  // of a writer
  std::unique_ptr<SegmentFolder> folder;
  std::unique_ptr<Store> store;
  std::unique_ptr<UnitSearch> search;
  std::unique_ptr<Writer> writer;          // null: read only
  std::unique_ptr<Background> background;  // null: read only

  // Throws Error{usage} when the index is read only.
  void change(const std::function<void(Changing&)>&);
  StoredDocument stored(const LedgerView&, Sequence, const DocumentRow&) const;
};

}  // namespace neardup::indexing

namespace neardup {

struct Index::Impl {
  std::unique_ptr<indexing::OpenIndex> open;
};

}  // namespace neardup
