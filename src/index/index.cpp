#include "neardup/index.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/guard.h"
#include "index/index_impl.h"
#include "neardup/error.h"

namespace neardup {

indexing::OpenIndex& indexing::open_of(const Index& index) { return *index.impl_->open; }

using indexing::Changing;
using indexing::LedgerView;
using indexing::OpenIndex;

namespace {

// Ready fingerprints are searched together.
void check_codes(const OpenIndex& open, const LedgerView& ledger, std::span<const IndexDocument> documents,
                 std::vector<std::optional<IndexMatch>>& matches) {
  std::vector<indexing::Content> contents(documents.size());
  for (std::size_t i = 0; i < documents.size(); ++i) contents[i].bits = documents[i].fingerprint->bits;
  std::vector<std::vector<indexing::UnitId>> candidates;
  open.search->candidates_of_all(contents, candidates);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (candidates[i].empty()) continue;
    const std::vector<indexing::Neighbour> found = indexing::verified_neighbours(ledger, contents[i], candidates[i]);
    if (!found.empty()) matches[i] = indexing::best_match(ledger, found);
  }
}

}  // namespace

void Index::create(const std::filesystem::path& path, const IndexOptions& options, const Context& context) {
  base::guarded(context, [&](const Context& call) {
    options.validate();
    FileSystem& files = base::files(call);
    indexing::make_folder_whole(files, path, [&](const std::filesystem::path& folder) {
      indexing::create_truth(folder);
      files.create_folders(indexing::segments_folder(folder));
      indexing::write_manifest(files, folder, indexing::new_manifest(options));
    });
  });
}

Index Index::open(const std::filesystem::path& path, const OpenIndexOptions& options, const Context& context) {
  return base::guarded(context, [&](const Context& call) {
    const auto access = options.read_only ? indexing::StoreAccess::read : indexing::StoreAccess::write;
    // A writer may replace segments between the moments when they are listed and opened.
    for (int attempt = 0;; ++attempt) {
      try {
        auto impl = std::make_unique<Impl>();
        impl->open = std::make_unique<OpenIndex>(path, options, access, call, indexing::SearchThreads::background);
        return Index(std::move(impl));
      } catch (const Error& error) {
        constexpr int kAttempts = 5;
        if (!options.read_only || error.code() != ErrorCode::input || attempt == kAttempts) throw;
      }
    }
  });
}

Index::Index(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Index::~Index() = default;
Index::Index(Index&&) noexcept = default;
Index& Index::operator=(Index&&) noexcept = default;

const IndexOptions& Index::options() const noexcept { return impl_->open->rules.options; }
const std::vector<std::string>& Index::fields() const noexcept { return impl_->open->preparer.fields(); }
bool Index::writable() const noexcept { return impl_->open->writer != nullptr && !impl_->open->store->is_broken(); }

std::vector<AddResult> Index::add(std::span<const IndexDocument> documents, OnConflict conflict) {
  return base::guarded([&] {
    const std::vector<indexing::PreparedDocument> prepared = impl_->open->preparer.prepare(documents);
    std::vector<AddResult> results;
    impl_->open->change([&](Changing& changing) {
      results = indexing::add_documents(
          changing, prepared, conflict == OnConflict::replace ? indexing::AddMode::replace : indexing::AddMode::refuse);
    });
    return results;
  });
}

std::vector<AddResult> Index::check_or_add(std::span<const IndexDocument> documents) {
  return base::guarded([&] {
    const std::vector<indexing::PreparedDocument> prepared = impl_->open->preparer.prepare(documents);
    std::vector<AddResult> results;
    impl_->open->change([&](Changing& changing) {
      results = indexing::add_documents(changing, prepared, indexing::AddMode::check_first);
    });
    return results;
  });
}

std::uint64_t Index::remove(std::span<const std::string_view> keys) {
  return base::guarded([&] {
    std::uint64_t removed = 0;
    impl_->open->change([&](Changing& changing) { removed = indexing::remove_documents(changing, keys); });
    return removed;
  });
}

std::vector<std::optional<IndexMatch>> Index::check(std::span<const IndexDocument> documents) const {
  return base::guarded([&] {
    const OpenIndex& open = *impl_->open;
    std::vector<std::optional<IndexMatch>> matches(documents.size());
    const std::unique_ptr<indexing::StoreView> view = open.store->snapshot();
    const bool are_codes = std::all_of(documents.begin(), documents.end(),
                                       [](const IndexDocument& document) { return document.fingerprint.has_value(); });
    const Definition& definition = open.rules.options.definition;
    if (are_codes && definition.measure == Measure::hamming && definition.length_ratio.num == 0) {
      check_codes(open, LedgerView(*view, open.rules), documents, matches);
      return matches;
    }
    open.preparer.each_content(documents, [&](std::size_t place, const indexing::Content& content) {
      const LedgerView ledger(*view, open.rules);
      const std::vector<indexing::Neighbour> found = indexing::find_neighbours(ledger, *open.search, content);
      if (!found.empty()) matches[place] = indexing::best_match(ledger, found);
    });
    return matches;
  });
}

std::vector<IndexMatch> Index::matches(const IndexDocument& document, std::size_t limit) const {
  return base::guarded([&] {
    const OpenIndex& open = *impl_->open;
    std::vector<IndexMatch> matches;
    const std::unique_ptr<indexing::StoreView> view = open.store->snapshot();
    open.preparer.each_content(std::span(&document, 1), [&](std::size_t, const indexing::Content& content) {
      const LedgerView ledger(*view, open.rules);
      matches = indexing::all_matches(ledger, indexing::find_neighbours(ledger, *open.search, content), limit);
    });
    return matches;
  });
}

std::uint64_t Index::decide(const Decision& decision) {
  return base::guarded([&] {
    std::uint64_t id = 0;
    impl_->open->change([&](Changing& changing) { id = indexing::decide(changing, decision); });
    return id;
  });
}

bool Index::withdraw(std::uint64_t decision) {
  return base::guarded([&] {
    bool was_there = false;
    impl_->open->change([&](Changing& changing) { was_there = indexing::withdraw(changing, decision); });
    return was_there;
  });
}

void Index::flush() {
  base::guarded([&] {
    OpenIndex& open = *impl_->open;
    if (!open.writer)
      throw Error(ErrorCode::usage, fmt::format("{}: the index was opened read-only", open.path.string()));
    open.writer->run_between([&] { open.search->seal(); });
    open.search->flush();
  });
}

void Index::compact(const Context& context) {
  base::guarded(context, [&](const Context&) {
    flush();
    impl_->open->search->compact();
    impl_->open->store->compact();
  });
}

}  // namespace neardup
