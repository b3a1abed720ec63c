// Arbitrary bytes as a search log, in any format: read it, and check what must hold of whatever comes out.
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>

#include "clean/query_log.h"
#include "io/memory_files.h"
#include "neardup/error.h"

namespace {

using namespace neardup;

void require(bool condition) {
  if (!condition) std::abort();
}

void check(const clean::QueryLog& log) {
  FeatureExtractor folding = clean::query_folding();
  std::set<std::string> texts;
  std::set<std::uint64_t> places;
  require(!log.queries.empty() && log.queries.size() == log.report.queries);
  require(log.report.queries + log.report.without_words + log.report.bad.count <= log.report.lines);
  for (std::size_t i = 0; i < log.queries.size(); ++i) {
    const clean::LoggedQuery& query = log.queries[i];
    require(query.count >= 1 && query.count <= log.report.searches);
    require(query.place >= 1 && query.place <= log.report.lines);
    require(folding.string(query.text) == query.text);
    require(texts.insert(query.text).second && places.insert(query.place).second);
    require(i == 0 || log.queries[i - 1].count >= query.count);
  }
}

}  // namespace

// The first byte chooses the format.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::vector<std::string> formats = query_log_formats();
  formats.emplace_back("auto");
  test::MemoryFiles files;
  files.contents["log"].assign(reinterpret_cast<const char*>(data) + 1, size - 1);
  Context context{.threads = 1, .files = &files};
  try {
    check(clean::read_query_log({.path = "log", .format = formats[data[0] % formats.size()]}, OnBadRecord::skip,
                                context));
  } catch (const Error&) {
  }
  return 0;
}
