// The built-in search of `neardup clean`: builds its index and asks all queries, and prints what it saw as one line of
// JSON.
//
//   search speed DOCUMENTS.jsonl QUERIES.txt [limit=, depth=1000, threads=1, repeat=3, k1=, b=]
//   search rank DOCUMENTS.jsonl QUERIES.txt OUT [depth=10, k1=, b=]     query, document, score a line; both count from
//   0 search words DOCUMENTS.jsonl OUT [limit=]                           the words of each document, a line for each
//   search fold QUERIES.txt OUT                                         the same of a text a line
//
// Documents are in memory before time is taken. Indexing begins with their text: folding and cutting into words is a
// part of it. CPU seconds are of the whole process, which on one thread leave out what other programs do.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/random.h"
#include "clean/bm25_builder.h"
#include "lab_input.h"
#include "neardup/collection.h"
#include "neardup/features.h"

namespace {

using namespace neardup;
using namespace neardup::bench;

const FeatureSpec kWords{.kind = FeatureKind::words, .length = 1};

struct Command {
  std::vector<std::string> paths;
  std::map<std::string, std::string> flags;

  [[nodiscard]] double number(const std::string& name, double otherwise) const {
    const auto found = flags.find(name);
    return found == flags.end() ? otherwise : std::stod(found->second);
  }
  [[nodiscard]] Bm25Options search_options() const {
    return {.k1 = number("k1", 1.2), .b = number("b", 0.75), .title_boost = 0};
  }
};

std::vector<std::string> texts_of(const Command& command) {
  Context context{.threads = 1};
  const ReadOptions options{.limit = static_cast<std::uint64_t>(command.number("limit", 0))};
  const auto reader = Collection::open({command.paths.at(0)}, options, context).read(context);
  std::vector<std::string> texts;
  for (Document document; reader->next(document);) texts.push_back(document.text);
  return texts;
}

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(ErrorCode::input, path + " cannot be read");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

clean::QueryTerms terms_of(const std::vector<std::string>& queries) {
  FeatureExtractor extractor(kWords, 0);
  clean::QueryTerms terms(queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i) extractor.occurrences(queries[i], terms[i]);
  return terms;
}

void on_threads(unsigned threads, const std::function<void()>& work) {
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < threads; ++i) others.emplace_back(work);
  work();
}

std::unique_ptr<clean::Bm25Index> index_of(const std::vector<std::string>& texts, const clean::QueryTerms& queries,
                                           const Bm25Options& options, unsigned threads) {
  constexpr std::size_t kBatch = 512;
  clean::Bm25Builder builder(queries, options);
  std::atomic<std::size_t> next_batch = 0;
  std::mutex mutex;
  std::map<std::size_t, clean::PostingsPart> waiting;  // by batch
  std::size_t appended = 0;
  on_threads(threads, [&] {
    FeatureExtractor extractor(kWords, 0);
    auto counter = builder.counter();
    std::vector<Feature> words;
    for (std::size_t batch = next_batch++; batch * kBatch < texts.size(); batch = next_batch++) {
      for (std::size_t i = batch * kBatch; i < std::min((batch + 1) * kBatch, texts.size()); ++i) {
        extractor.occurrences(texts[i], words);
        counter.add(words, {});
      }
      auto part = counter.take();
      const std::scoped_lock lock(mutex);
      waiting.emplace(batch, std::move(part));
      while (!waiting.empty() && waiting.begin()->first == appended) {
        builder.append(waiting.begin()->second);
        waiting.erase(waiting.begin());
        ++appended;
      }
    }
  });
  Context context{.threads = threads};
  return builder.finish(context);
}

struct Answer {
  std::uint64_t hits = 0, sum = 0;  // sum: of a hash of every hit, so that two answers can be compared
};

Answer ask_all(const clean::Bm25Index& index, std::size_t queries, std::size_t depth, unsigned threads) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  Answer answer;
  on_threads(threads, [&] {
    const auto searcher = index.searcher();
    std::vector<clean::Hit> hits;
    Answer mine;
    for (std::size_t query = next++; query < queries; query = next++) {
      searcher->search(static_cast<clean::QueryNumber>(query), depth, {}, hits);
      mine.hits += hits.size();
      for (std::size_t i = 0; i < hits.size(); ++i) {
        mine.sum += base::mix64(query << 32 ^ i << 52 ^ hits[i].row) ^ static_cast<std::uint64_t>(hits[i].score * 1e6);
      }
    }
    const std::scoped_lock lock(mutex);
    answer.hits += mine.hits;
    answer.sum += mine.sum;
  });
  return answer;
}

struct Time {
  double cpu = 1e9, wall = 1e9;
  template <class Work>
  void take(Work&& work) {
    const double cpu_start = cpu_seconds(), wall_start = wall_seconds();
    work();
    cpu = std::min(cpu, cpu_seconds() - cpu_start);
    wall = std::min(wall, wall_seconds() - wall_start);
  }
};

void speed(const Command& command) {
  const auto texts = texts_of(command);
  const auto queries = terms_of(lines_of(command.paths.at(1)));
  const auto depth = static_cast<std::size_t>(command.number("depth", 1000));
  const auto threads = static_cast<unsigned>(command.number("threads", 1));
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  std::unique_ptr<clean::Bm25Index> index;
  Time indexing, asking, counting;
  Answer answer;
  for (double repeat = 0; repeat < command.number("repeat", 3); ++repeat) {
    index.reset();
    indexing.take([&] { index = index_of(texts, queries, command.search_options(), threads); });
    if (repeat == 0) getrusage(RUSAGE_SELF, &after);
    asking.take([&] { answer = ask_all(*index, queries.size(), depth, threads); });
  }
  std::uint64_t matches = 0;
  counting.take([&] {
    const auto searcher = index->searcher();
    for (clean::QueryNumber query = 0; query < queries.size(); ++query) matches += searcher->matches(query, {});
  });
  std::uint64_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  fmt::print(
      R"({{"documents":{},"bytes":{},"queries":{},"threads":{},"index_cpu":{:.4f},"index_wall":{:.4f},"queries_cpu":{:.4f},"queries_wall":{:.4f},"matches":{},"matches_cpu":{:.4f},"terms":{},"postings":{},"index_bytes":{},"build_bytes":{},"hits":{},"answer":"{:016x}"}})"
      "\n",
      texts.size(), bytes, queries.size(), threads, indexing.cpu, indexing.wall, asking.cpu, asking.wall, matches,
      counting.cpu, index->terms(), index->postings(), index->memory_bytes(),
      (after.ru_maxrss - before.ru_maxrss) * 1024, answer.hits, answer.sum);
}

void rank(const Command& command) {
  const auto queries = terms_of(lines_of(command.paths.at(1)));
  const auto index = index_of(texts_of(command), queries, command.search_options(), 1);
  const auto searcher = index->searcher();
  std::ofstream out(command.paths.at(2));
  std::vector<clean::Hit> hits;
  for (clean::QueryNumber query = 0; query < queries.size(); ++query) {
    searcher->search(query, static_cast<std::size_t>(command.number("depth", 10)), {}, hits);
    for (const clean::Hit& hit : hits) out << fmt::format("{}\t{}\t{:.9f}\n", query, hit.row, hit.score);
  }
}

void write_words(const std::vector<std::string>& texts, const std::string& path) {
  std::ofstream out(path);
  for (const std::string& text : texts) out << fmt::format("{}\n", fmt::join(words(text), " "));
}

}  // namespace

int main(int count, char** arguments) {
  try {
    Command command;
    for (int i = 2; i < count; ++i) {
      const std::string argument = arguments[i];
      const auto equals = argument.find('=');
      if (equals == argument.npos) {
        command.paths.push_back(argument);
      } else {
        command.flags[argument.substr(0, equals)] = argument.substr(equals + 1);
      }
    }
    const std::string verb = count > 1 ? arguments[1] : "";
    if (verb == "speed") {
      speed(command);
    } else if (verb == "rank") {
      rank(command);
    } else if (verb == "words") {
      write_words(texts_of(command), command.paths.at(1));
    } else if (verb == "fold") {
      write_words(lines_of(command.paths.at(0)), command.paths.at(1));
    } else {
      throw Error(ErrorCode::usage, "usage: search speed|rank|words|fold FILE... [flag=value...]");
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "search: {}\n", error.what());
    return 2;
  }
}
