#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/system.h"
#include "cluster/keep_rules.h"
#include "index/checked_file.h"
#include "index/index_impl.h"
#include "neardup/error.h"

namespace neardup::indexing {

std::filesystem::path truth_folder(const std::filesystem::path& index) { return index / "truth"; }
std::filesystem::path segments_folder(const std::filesystem::path& index) { return index / "segments"; }

std::unique_ptr<FileLock> lock_index(FileSystem& files, const std::filesystem::path& path) {
  try {
    return files.lock(path / "lock");
  } catch (const Error& error) {
    if (error.code() != ErrorCode::locked) throw;
    throw Error(ErrorCode::locked, fmt::format("{}: the index is in use by another process", path.string()));
  }
}

std::vector<std::string> stored_fields(const IndexOptions& options) {
  std::vector<std::string> fields = cluster::fields_of(options.keep);
  for (const std::string& field : options.fields)
    if (std::find(fields.begin(), fields.end(), field) == fields.end()) fields.push_back(field);
  return fields;
}

void check_icu(const Manifest& manifest, const std::filesystem::path& path) {
  if (manifest.icu == icu_version()) return;
  throw Error(ErrorCode::usage,
              fmt::format("{}: its texts were folded by ICU {}, this program has ICU {}; {}", path.string(),
                          manifest.icu, icu_version(),
                          manifest.options.store_texts ? "rebuild the index from its texts"
                                                       : "without stored texts it cannot be rebuilt"));
}

void create_truth(const std::filesystem::path& index) {
  const std::unique_ptr<Store> store = open_store(truth_folder(index), StoreAccess::create, std::size_t{1} << 20);
  const std::unique_ptr<StoreBatch> batch = store->begin();
  batch->put(Table::meta, "counters", encode(Counters{}));
  store->commit(*batch, true);
}

void make_folder_whole(FileSystem& files, const std::filesystem::path& path,
                       const std::function<void(const std::filesystem::path&)>& make) {
  if (files.exists(path)) throw Error(ErrorCode::output, fmt::format("{}: it exists already", path.string()));
  const std::filesystem::path whole = files.resolve(path);
  const std::filesystem::path parent = whole.parent_path();
  const std::filesystem::path temporary = parent / fmt::format(".{}.neardup-new", whole.filename().string());
  if (files.exists(temporary)) files.remove_all(temporary);
  try {
    files.create_folders(temporary);
    make(temporary);
    files.sync_all(temporary);
    files.rename(temporary, path);
    files.sync(parent);
  } catch (...) {
    files.remove_all(temporary);
    throw;
  }
}

void copy_folder(FileSystem& files, const std::filesystem::path& from, const std::filesystem::path& to,
                 const Context& context) {
  files.create_folders(to);
  std::vector<char> piece(std::size_t{1} << 20);
  for (const std::string& name : files.list(from)) {
    if (files.info(from / name).kind == FileKind::folder) {
      copy_folder(files, from / name, to / name, context);
      continue;
    }
    const std::unique_ptr<InputFile> in = files.open(from / name);
    const std::unique_ptr<OutputFile> out = files.create(to / name);
    for (std::size_t size = in->read(piece); size != 0; size = in->read(piece)) {
      base::check_stop(context);
      out->write({piece.data(), size});
    }
    out->sync();
    out->close();
  }
}

namespace {

std::size_t cache_bytes(const Context& context) {
  constexpr std::size_t kLeast = std::size_t{16} << 20, kMost = std::size_t{512} << 20;
  return std::clamp(base::memory_bytes(context) / 8, kLeast, kMost);
}

std::unique_ptr<UnitSearch> make_search(const SearchParts& parts) {
  return parts.rules.compares_sets() ? make_set_search(parts) : make_code_search(parts);
}

}  // namespace

OpenIndex::OpenIndex(const std::filesystem::path& index_path, const OpenIndexOptions& options, StoreAccess access,
                     const Context& given, SearchThreads threads)
    : path(index_path),
      context(given),
      files(base::files(given)),
      manifest(read_manifest(files, path)),
      rules(manifest.options),
      preparer(rules, stored_fields(manifest.options), context) {
  check_icu(manifest, path);
  if (!options.read_only) lock = lock_index(files, path);
  // The list of segments is read before the store is opened: what a writer adds in between is found in the store.
  folder = std::make_unique<SegmentFolder>(
      files, segments_folder(path), options.read_only ? FolderAccess::read : FolderAccess::write, manifest.definition);
  store = open_store(truth_folder(path), access, cache_bytes(context));
  search = make_search({*store, rules.content, *folder, context});
  if (options.read_only) return;
  writer = std::make_unique<Writer>(*store, rules, *search, options.durability);
  if (threads == SearchThreads::background)
    background = std::make_unique<Background>(*store, *search, options.durability);
}

void OpenIndex::change(const std::function<void(Changing&)>& body) {
  if (!writer) throw Error(ErrorCode::usage, fmt::format("{}: the index was opened read-only", path.string()));
  writer->run(body);
  if (background) background->notice();
}

StoredDocument OpenIndex::stored(const LedgerView& ledger, Sequence sequence, const DocumentRow& row) const {
  const LedgerView::Standing standing = ledger.standing(sequence, row);
  StoredDocument document{.key = row.key,
                          .sequence = sequence,
                          .cluster = standing.cluster,
                          .kept = standing.kept,
                          .features = row.features};
  if (row.content) document.fingerprint = Fingerprint{row.content->bits};
  std::string bytes;
  if (!rules.options.store_texts || !ledger.store().get(Table::texts, key_of(sequence), bytes)) return document;
  TextRow text = decode_text(bytes);
  if (rules.options.definition.features.kind != FeatureKind::tokens) document.text = std::move(text.text);
  document.fields = std::move(text.fields);
  document.tokens = std::move(text.tokens);
  return document;
}

}  // namespace neardup::indexing
