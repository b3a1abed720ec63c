#include "clean/query_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <memory_resource>
#include <span>
#include <unordered_map>
#include <utility>

#include "base/keyed_hash.h"
#include "base/utf8.h"
#include "clean/query_log_format.h"
#include "corpus/bad_records.h"
#include "io/collection.h"
#include "io/line_file.h"
#include "io/pass.h"
#include "io/read_as.h"
#include "neardup/error.h"

namespace neardup::clean {
namespace {

std::uint64_t saturated_sum(std::uint64_t a, std::uint64_t b) {
  return a > std::numeric_limits<std::uint64_t>::max() - b ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

// What the records of one batch come to.
struct BatchQueries {
  std::vector<LoggedQuery> queries;  // by place in the batch, from 0; some may be the same
  std::vector<corpus::BadEvent> bad;
  std::uint64_t without_words = 0;
  std::uint64_t headers = 0;
};

class LogWorker {
 public:
  LogWorker(const LogFormat& format, std::unique_ptr<io::RecordParser> parser)
      : format_(format), parser_(std::move(parser)) {}

  void operator()(const io::RecordBatch& batch, BatchQueries& result) {
    std::pmr::monotonic_buffer_resource memory(batch.bytes.size());
    Seen seen(&memory);
    for (std::size_t place = 0; place < batch.size(); ++place) {
      const LoggedLine line = read(batch, place);
      if (line.kind == LoggedLine::Kind::header) ++result.headers;
      if (line.kind == LoggedLine::Kind::bad) result.bad.push_back({static_cast<std::uint32_t>(place), line.reason});
      if (line.kind == LoggedLine::Kind::query) add(result, seen, line, place);
    }
  }

 private:
  static constexpr std::size_t kWithoutWords = ~std::size_t{0};
  // Queries of a batch, letter by letter, and their places in BatchQueries::queries.
  using Seen = std::pmr::unordered_map<std::pmr::string, std::size_t, base::KeyedHash, std::equal_to<>>;

  LoggedLine read(const io::RecordBatch& batch, std::size_t place) {
    if (const char* problem = parser_->parse(batch, place, document_))
      return {.kind = LoggedLine::Kind::bad, .reason = problem};
    if (format_.read != nullptr) return format_.read(document_.text, batch.number(place));
    const std::string_view query = document_.texts.front();
    LoggedLine line = document_.fields[0] ? with_count(query, *document_.fields[0]) : LoggedLine{.query = query};
    line.id = document_.fields[1].value_or("");  // a record without an id is a query anyway
    return line;
  }

  // A query that is in the batch already is not folded again.
  void add(BatchQueries& result, Seen& seen, const LoggedLine& line, std::size_t place) {
    if (const auto found = seen.find(line.query); found == seen.end()) {
      std::string text = folding_.string(line.query);
      const std::size_t number = text.empty() ? kWithoutWords : result.queries.size();
      seen.emplace(line.query, number);
      if (number == kWithoutWords) {
        ++result.without_words;
      } else {
        result.queries.push_back(
            {.text = std::move(text), .count = line.count, .place = place, .id = std::string(line.id)});
      }
    } else if (found->second == kWithoutWords) {
      ++result.without_words;
    } else {
      LoggedQuery& query = result.queries[found->second];
      query.count = saturated_sum(query.count, line.count);
      if (query.id.empty()) query.id = line.id;
    }
  }

  const LogFormat& format_;
  std::unique_ptr<io::RecordParser> parser_;
  DocumentView document_;
  FeatureExtractor folding_ = query_folding();
};

class LogBuilder {
 public:
  LogBuilder(const QueryLogOptions& options, OnBadRecord policy)
      : options_(options), name_(options.path.empty() ? "the caller's queries" : options.path), bad_(policy, {}, {}) {}

  void take(const io::RecordBatch& batch, BatchQueries& part) {
    for (const corpus::BadEvent& bad : part.bad) bad_.add(batch, bad);
    headers_ += part.headers;
    log_.report.lines += batch.records.size() - part.headers;
    log_.report.without_words += part.without_words;
    for (LoggedQuery& query : part.queries) {
      query.place += batch.first_row + 1 - headers_;
      add(std::move(query));
    }
  }

  // The queries of a caller, each like a line of a log.
  void take(std::span<const SearchedQuery> queries) {
    FeatureExtractor folding = query_folding();
    std::string repaired;
    for (const SearchedQuery& query : queries) {
      ++log_.report.lines;
      std::string text = folding.string(base::repaired_utf8(query.text, repaired));
      if (text.empty()) {
        ++log_.report.without_words;
      } else if (query.count > 0) {
        add({.text = std::move(text), .count = query.count, .place = log_.report.lines});
      }
    }
  }

  QueryLog finish(std::string_view format) {
    log_.report.format = format;
    log_.report.bad = bad_.records();
    log_.report.queries = queries_.size();
    if (queries_.empty()) refuse_empty();
    std::uint64_t most = 0;
    while (!queries_.empty()) {
      auto node = queries_.extract(queries_.begin());
      LoggedQuery& query = node.mapped();
      most = std::max(most, query.count);
      log_.has_ids |= !query.id.empty();
      if (query.count < options_.min_count) continue;
      query.text = std::move(node.key());
      log_.queries.push_back(std::move(query));
    }
    if (log_.queries.empty()) {
      throw Error(ErrorCode::usage,
                  fmt::format("`min_count` {}: the most frequent query of {} has the count {}", options_.min_count,
                              name_, most),
                  "min_count");
    }
    std::sort(log_.queries.begin(), log_.queries.end(), [](const LoggedQuery& a, const LoggedQuery& b) {
      return a.count != b.count ? a.count > b.count : a.place < b.place;
    });
    if (options_.top != 0 && log_.queries.size() > options_.top) log_.queries.resize(options_.top);
    return std::move(log_);
  }

 private:
  // `place` counts from 1 in the whole log.
  void add(LoggedQuery query) {
    log_.report.searches = saturated_sum(log_.report.searches, query.count);
    LoggedQuery& known = queries_[std::move(query.text)];
    if (known.count == 0) known.place = query.place;
    known.count = saturated_sum(known.count, query.count);
    if (known.id.empty()) known.id = std::move(query.id);
  }

  [[noreturn]] void refuse_empty() const {
    if (log_.report.lines == 0)
      throw Error(ErrorCode::input, fmt::format("{}: there are no queries in it", name_), "queries");
    std::string bad;
    if (log_.report.bad.count != 0) {
      const BadRecord& first = log_.report.bad.first.front();
      bad = fmt::format(", {} of them bad; the first bad one is line {}: {}", log_.report.bad.count, first.number,
                        first.reason);
    }
    throw Error(ErrorCode::input,
                fmt::format("{}: no query has words, among {} {} read as {} (`queries_format`){}", name_,
                            log_.report.lines, log_.report.lines == 1 ? "line" : "lines", log_.report.format, bad),
                "queries");
  }

  const QueryLogOptions& options_;
  std::string name_;  // for messages
  corpus::BadRecordLog bad_;
  QueryLog log_;
  std::uint64_t headers_ = 0;
  std::unordered_map<std::string, LoggedQuery, base::KeyedHash> queries_;
};

}  // namespace

QueryLog read_query_log(const QueryLogOptions& options, OnBadRecord policy, const Context& context) {
  LogBuilder builder(options, policy);
  if (options.path.empty()) {
    builder.take(options.queries);
    return builder.finish("queries");
  }
  const io::LineFile file{.path = options.path, .option = "queries", .stage = "reading queries"};
  const Collection lines = io::open_lines(file, context);
  const LogFormat& format = log_format(options, lines, context);
  const auto records = [&] {
    const LogFields fields(options);
    return io::read_as(lines, {.format = std::string(format.name),
                               .text_fields = {{fields.query}},
                               .extra_fields = {fields.count, fields.id}});
  };
  const Collection log = format.read != nullptr ? lines : records();
  io::run_pass<BatchQueries>(
      log, io::impl_of(log).options, context, file.stage,
      [&] { return LogWorker(format, io::impl_of(log).parser(io::impl_of(log).options)); },
      [&](const io::RecordBatch& batch, BatchQueries& part) { builder.take(batch, part); });
  return builder.finish(format.name);
}

}  // namespace neardup::clean
