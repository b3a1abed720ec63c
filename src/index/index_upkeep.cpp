#include <fmt/format.h>

#include <utility>

#include "base/guard.h"
#include "index/code_segment.h"
#include "index/index_impl.h"
#include "index/set_segment.h"
#include "index/verifying.h"
#include "neardup/error.h"

namespace neardup {

using indexing::OpenIndex;

namespace {

void remove_segments(FileSystem& files, const std::filesystem::path& path) {
  const std::filesystem::path segments = indexing::segments_folder(path);
  files.create_folders(segments);
  for (const std::string& name : files.list(segments)) files.remove(segments / name);
  files.sync(segments);
}

// Reads every document again by today's rules. Clusters get new ids.
void refill_from_texts(const std::filesystem::path& from, const std::filesystem::path& to,
                       const indexing::Manifest& manifest, const Context& context) {
  const std::unique_ptr<indexing::Store> old =
      indexing::open_store(indexing::truth_folder(from), indexing::StoreAccess::recover, std::size_t{16} << 20);
  const indexing::IndexRules old_rules(manifest.options);
  OpenIndex fresh(to, {.durability = Durability::batch}, indexing::StoreAccess::write, context,
                  indexing::SearchThreads::background);
  std::vector<indexing::PreparedDocument> batch;
  const auto add = [&] {
    if (batch.empty()) return;
    fresh.change([&](indexing::Changing& changing) {
      static_cast<void>(indexing::add_documents(changing, batch, indexing::AddMode::refuse));
    });
    batch.clear();
  };
  old->scan(indexing::Table::documents, {}, {}, [&](std::string_view key, std::string_view bytes) {
    base::check_stop(context);
    const indexing::Sequence sequence = indexing::number_at(key);
    const indexing::DocumentRow row = indexing::decode_document(sequence, bytes, old_rules.content);
    std::string text;
    if (old->get(indexing::Table::texts, key, text)) {
      batch.push_back(fresh.preparer.prepare_again(row.key, indexing::decode_text(text)));
    } else if (row.content) {
      batch.push_back({.key = row.key, .content = *row.content, .has_features = true, .features = 1, .keep = row.keep});
    } else {
      throw Error(ErrorCode::usage, fmt::format("document \"{}\" has no stored text to rebuild from", row.key));
    }
    constexpr std::size_t kAtOnce = 256;
    if (batch.size() == kAtOnce) add();
    return true;
  });
  add();
  for (const Decision& decision : indexing::all_decisions(*old))
    fresh.change([&](indexing::Changing& changing) {
      if (changing.ledger.find(decision.a) && (decision.b.empty() || changing.ledger.find(decision.b)))
        indexing::decide(changing, decision);
    });
  fresh.store->sync();
}

}  // namespace

void Index::snapshot(const std::filesystem::path& path, const Context& context) const {
  base::guarded(context, [&](const Context& call) {
    const OpenIndex& open = *impl_->open;
    FileSystem& files = open.files;
    indexing::make_folder_whole(files, path, [&](const std::filesystem::path& folder) {
      // Segments first: what the store has beyond them is found when the copy is opened.
      open.search->run_undisturbed([&] {
        indexing::copy_folder(files, indexing::segments_folder(open.path), indexing::segments_folder(folder), call);
      });
      open.store->checkpoint(indexing::truth_folder(folder));
      indexing::write_manifest(files, folder, open.manifest);
    });
  });
}

void Index::restore(const std::filesystem::path& snapshot, const std::filesystem::path& path, const Context& context) {
  base::guarded(context, [&](const Context& call) {
    FileSystem& files = base::files(call);
    const indexing::Manifest manifest = indexing::read_manifest(files, snapshot);
    indexing::make_folder_whole(files, path, [&](const std::filesystem::path& folder) {
      for (const auto& part : {indexing::segments_folder, indexing::truth_folder})
        indexing::copy_folder(files, part(snapshot), part(folder), call);
      indexing::write_manifest(files, folder, manifest);
    });
  });
}

void Index::rebuild(const std::filesystem::path& path, const RebuildOptions& options, const Context& context) {
  base::guarded(context, [&](const Context& call) {
    FileSystem& files = base::files(call);
    const indexing::Manifest manifest = indexing::read_manifest(files, path);
    if (!options.from_texts) {
      indexing::check_icu(manifest, path);
      const std::unique_ptr<FileLock> lock = indexing::lock_index(files, path);
      remove_segments(files, path);
    } else {
      if (!manifest.options.store_texts)
        throw Error(ErrorCode::usage, fmt::format("{}: the index stores no texts to rebuild from", path.string()));
      const std::unique_ptr<FileLock> lock = indexing::lock_index(files, path);
      const std::filesystem::path fresh = path / "rebuilding";
      if (files.exists(fresh)) files.remove_all(fresh);
      create(fresh, manifest.options, call);
      refill_from_texts(path, fresh, manifest, call);
      // From here on a crash leaves an index without segments, or one that must be rebuilt again.
      remove_segments(files, path);
      if (!files.exchange(indexing::truth_folder(path), indexing::truth_folder(fresh)))
        throw Error(ErrorCode::output, fmt::format("{}: this file system cannot exchange two folders", path.string()));
      indexing::write_manifest(files, path, indexing::new_manifest(manifest.options));
      files.sync(path);
      files.remove_all(fresh);
    }
    // Opening builds what is missing; what is searched in memory then becomes a file.
    OpenIndex open(path, {}, indexing::StoreAccess::recover, call, indexing::SearchThreads::none);
    open.writer->run_between([&] { open.search->seal(); });
    open.search->flush();
  });
}

VerifyReport Index::verify(const std::filesystem::path& path, const Context& context) {
  return base::guarded(context, [&](const Context& call) {
    VerifyReport report;
    const auto attempt = [&](const auto& action) {
      try {
        action();
      } catch (const Error& error) {
        if (error.code() != ErrorCode::corrupt && error.code() != ErrorCode::input) throw;
        report.problems.emplace_back(error.what());
      }
    };
    FileSystem& files = base::files(call);
    const indexing::Manifest manifest = indexing::read_manifest(files, path);
    const indexing::IndexRules rules(manifest.options);
    attempt([&] {
      const indexing::SegmentFolder folder(files, indexing::segments_folder(path), indexing::FolderAccess::read,
                                           manifest.definition);
      for (const indexing::SegmentName& name : folder.segments()) {
        ++report.segments;
        attempt([&] { indexing::CheckedBytes::open(files, folder.path_of(name.number)).check_all(); });
      }
    });
    attempt([&] {
      const std::unique_ptr<indexing::Store> store =
          indexing::open_store(indexing::truth_folder(path), indexing::StoreAccess::read, std::size_t{16} << 20);
      attempt([&] { store->verify(); });
      indexing::verify_rows(indexing::LedgerView(*store, rules), report, call);
    });
    return report;
  });
}

}  // namespace neardup
