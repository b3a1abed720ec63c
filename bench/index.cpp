// How fast is the index, and how large on disk?
//
//   index codes FOLDER COUNT      ready fingerprints, hamming <= 3
//   index texts FOLDER COUNT      texts of 2 KB, words:5, jaccard >= 0.8
//
// Makes an index in FOLDER, which must not exist, and prints a line per figure. Rates are per second of CPU time of the
// whole process, threads in the background included, and per second of wall time. Texts are drawn from a vocabulary of
// 50,000 words, a tenth of each from a passage that many texts share; every tenth text is a copy with a word changed.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/random.h"
#include "neardup/index.h"

namespace {

using namespace neardup;

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void measure(const char* what, std::uint64_t count, const std::function<void()>& work) {
  const double cpu = cpu_seconds();
  const auto start = std::chrono::steady_clock::now();
  work();
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double used = cpu_seconds() - cpu;
  fmt::print("{:<34} {:>10} in {:8.3f} s wall, {:8.3f} s cpu: {:>10.0f}/s wall, {:>10.0f}/s cpu\n", what, count, wall,
             used, static_cast<double>(count) / wall, static_cast<double>(count) / used);
  std::fflush(stdout);
}

std::uint64_t folder_bytes(const std::filesystem::path& path) {
  std::uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path))
    if (entry.is_regular_file()) bytes += entry.file_size();
  return bytes;
}

constexpr std::size_t kBatch = 64;

void in_batches(std::vector<IndexDocument>& documents, const std::function<void(std::span<const IndexDocument>)>& use) {
  for (std::size_t at = 0; at < documents.size(); at += kBatch)
    use(std::span<const IndexDocument>(documents).subspan(at, std::min(kBatch, documents.size() - at)));
}

void finish(const std::filesystem::path& path, Index index, std::uint64_t count, double raw_bytes) {
  measure("compact", count, [&] { index.compact({}); });
  const IndexStats stats = index.stats();
  fmt::print("segments {}, {} bytes; folder {} bytes; {:.1f} bytes per document\n", stats.segments, stats.segment_bytes,
             folder_bytes(path), static_cast<double>(folder_bytes(path)) / static_cast<double>(count));
  if (raw_bytes > 0)
    fmt::print("{:.3f} times the delta-coded hashes\n", static_cast<double>(folder_bytes(path)) / raw_bytes);
  { const Index closed = std::move(index); }
  measure("open", 1, [&] { Index::open(path, {}, {}); });
}

void codes(const std::filesystem::path& path, std::uint64_t count) {
  base::Random random(1);
  Index::create(path, {.definition = {.measure = Measure::hamming, .threshold = {3, 1}}, .store_texts = false}, {});
  Index index = Index::open(path, {.durability = Durability::batch}, {});
  std::vector<std::string> keys;
  std::vector<std::uint64_t> bits;
  for (std::uint64_t i = 0; i < count; ++i) {
    keys.push_back(fmt::format("d{}", i));
    bits.push_back(i % 16 == 15 ? bits[random.below(bits.size())] ^ (std::uint64_t{1} << random.below(64))
                                : random.next());
  }
  std::vector<IndexDocument> documents, queries;
  for (std::uint64_t i = 0; i < count; ++i) documents.emplace_back(keys[i], Fingerprint{bits[i]});
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(count, 500000); ++i)
    queries.emplace_back("", Fingerprint{i % 16 == 0 ? bits[random.below(count)] : random.next()});
  measure("check-or-add, batches of 64", count,
          [&] { in_batches(documents, [&](auto some) { index.check_or_add(some); }); });
  std::uint64_t found = 0;
  measure("check, batches of 64", queries.size(), [&] {
    in_batches(queries, [&](auto some) {
      for (const auto& match : index.check(some)) found += match ? 1 : 0;
    });
  });
  fmt::print("{} of {} queries found\n", found, queries.size());
  finish(path, std::move(index), index.stats().documents, 0);
}

void texts(const std::filesystem::path& path, std::uint64_t count) {
  base::Random random(1);
  std::vector<std::string> words;
  for (int i = 0; i < 50000; ++i)
    words.push_back(fmt::format("w{:x}", base::mix64(static_cast<std::uint64_t>(i)) & 0xFFFFF));
  std::string shared;
  for (int i = 0; i < 30; ++i) shared += words[static_cast<std::size_t>(i)] + " ";
  const auto make = [&] {
    std::string text = shared;
    while (text.size() < 2000) text += words[random.below(words.size())] + " ";
    return text;
  };
  std::vector<std::string> keys, held;
  for (std::uint64_t i = 0; i < count; ++i) {
    keys.push_back(fmt::format("d{}", i));
    held.push_back(i % 10 == 9 ? held[random.below(held.size())] + " changed" : make());
  }
  Index::create(path, {.store_texts = false}, {});
  Index index = Index::open(path, {.durability = Durability::batch}, {});
  std::vector<IndexDocument> documents, fresh, known;
  std::vector<std::string> more;
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(count, 20000); ++i) more.push_back(make());
  const auto document = [](const std::string& key, const std::string& text) {
    DocumentView view(text);
    view.key = key;
    return IndexDocument(view);
  };
  for (std::uint64_t i = 0; i < count; ++i) documents.push_back(document(keys[i], held[i]));
  for (std::uint64_t i = 0; i < more.size(); ++i) {
    fresh.push_back(document(keys[i], more[i]));
    known.push_back(document(keys[i], held[random.below(count)]));
  }
  measure("add, batches of 64", count, [&] { in_batches(documents, [&](auto some) { index.add(some); }); });
  measure("check of new texts", fresh.size(),
          [&] { in_batches(fresh, [&](auto some) { static_cast<void>(index.check(some)); }); });
  measure("check of known texts", known.size(),
          [&] { in_batches(known, [&](auto some) { static_cast<void>(index.check(some)); }); });
  const std::uint64_t features = 330;  // words less four
  finish(path, std::move(index), count, static_cast<double>(count * features) * 7.2);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: index codes|texts FOLDER COUNT\n");
    return 2;
  }
  const std::uint64_t count = std::strtoull(argv[3], nullptr, 10);
  std::string(argv[1]) == "codes" ? codes(argv[2], count) : texts(argv[2], count);
}
