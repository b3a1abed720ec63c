// Arbitrary bytes as a run file, a file of links and a file of scores over ten documents.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "authority/links.h"
#include "clean/run_file.h"
#include "io/memory_files.h"
#include "neardup/error.h"

namespace {

using namespace neardup;
using authority::DocumentNumber;

constexpr DocumentNumber kDocuments = 10;

void require(bool condition) {
  if (!condition) std::abort();
}

void check_run(const clean::QueryLog& log, const authority::NameTable& names, const Context& context) {
  const clean::RunFile run("file", log, names, context);
  const auto searcher = run.searcher();
  const clean::Removed none(kDocuments);
  std::uint64_t hits = 0;
  for (clean::QueryNumber query = 0; query < log.queries.size(); ++query) {
    std::vector<clean::Hit> found;
    searcher->search(query, 100, none, found);
    require(searcher->matches(query, none) == found.size());
    clean::Removed seen(kDocuments);
    for (const clean::Hit& hit : found) {
      require(hit.row < kDocuments && !seen[hit.row] && std::isfinite(hit.score));
      seen[hit.row] = true;
    }
    hits += found.size();
  }
  require(hits + run.counts().repeated_documents + run.counts().unknown_documents <= run.counts().lines);
}

template <class Call>
void survive(const Call& call) {
  try {
    call();
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  test::MemoryFiles files;
  files.contents["file"].assign(reinterpret_cast<const char*>(data), size);
  Context context{.threads = 1, .files = &files};
  authority::NameTable names;
  for (DocumentNumber row = 0; row < kDocuments; ++row) {
    const auto entry = authority::NameTable::name(row, std::to_string(row));
    names.add({&entry, 1});
  }
  names.finish();

  clean::QueryLog log;
  log.queries = {{.text = "a", .count = 2, .place = 1}, {.text = "a b", .count = 1, .place = 2}};
  survive([&] { check_run(log, names, context); });
  log.has_ids = true;
  log.queries[0].id = "1";
  survive([&] { check_run(log, names, context); });
  survive([&] {
    for (const authority::Link& link : authority::read_links("file", names, context).links)
      require(link.from < kDocuments && link.to < kDocuments);
  });
  survive([&] {
    constexpr double kNone = -std::numeric_limits<double>::infinity();
    std::vector<double> scores(kDocuments, kNone);
    const std::uint64_t given = authority::read_scores("file", names, scores, context).scores;
    require(given == static_cast<std::uint64_t>(
                         std::ranges::count_if(scores, [](double score) { return std::isfinite(score); })));
  });
  return 0;
}
