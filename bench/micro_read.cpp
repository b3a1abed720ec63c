// How fast does one thread turn JSON lines into 5-gram hashes?
//
// Usage: micro_read IN.jsonl [SECONDS]. Reads the file again and again for about that long (3) with the kernels that
// NEARDUP_SIMD chooses, and prints one line of JSON: the median rates in MB of file per second of CPU time (of all
// threads, so that neither a busy machine nor a helping thread changes the figure; sets_wall is by the clock) of
//   documents  reading and parsing alone
//   hashes     and every 5-gram's hash, in text order
//   sets       and each document's hashes sorted, repeats removed: what a finder starts from
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "neardup/collection.h"
#include "neardup/features.h"
#include "neardup/version.h"

namespace {

using Clock = std::chrono::steady_clock;

struct Rate {
  double megabytes_per_second;
  double megabytes_per_wall_second;
  std::uint64_t checksum;  // of what was made, so that the work cannot be skipped and kernels can be compared
};

Rate measure(const std::string& path, double seconds, const std::function<std::uint64_t(const std::string&)>& use) {
  const double megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  std::vector<double> times, wall_times;
  std::uint64_t checksum = 0;
  for (double spent = 0; times.size() < 3 || spent < seconds; spent += times.back()) {
    neardup::Context context;
    context.threads = 1;
    checksum = 0;
    const std::clock_t start = std::clock();
    const auto wall_start = Clock::now();
    const auto reader = neardup::Collection::open({path}, {}, context).read(context);
    neardup::Document document;
    while (reader->next(document)) checksum = checksum * 31 + use(document.text);
    times.push_back(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    wall_times.push_back(std::chrono::duration<double>(Clock::now() - wall_start).count());
  }
  const auto median = [](std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  };
  return {megabytes / median(times), megabytes / median(wall_times), checksum};
}

std::uint64_t sum(const std::vector<neardup::Feature>& features) {
  std::uint64_t total = features.size();
  for (const auto feature : features) total += feature;
  return total;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    std::fprintf(stderr, "usage: micro_read IN.jsonl [SECONDS]\n");
    return 2;
  }
  try {
    const double seconds = (argc > 2 ? std::atof(argv[2]) : 3.0) / 3;
    neardup::FeatureExtractor extractor({}, 0);
    std::vector<neardup::Feature> features;
    const auto documents = measure(argv[1], seconds, [](const std::string& text) { return text.size(); });
    const auto hashes = measure(argv[1], seconds, [&](const std::string& text) {
      extractor.occurrences(text, features);
      return sum(features);
    });
    const auto sets = measure(argv[1], seconds, [&](const std::string& text) {
      extractor.set(text, features);
      return sum(features);
    });
    const auto kernels = neardup::active_kernels();
    std::printf(
        "{\"kernels\": \"%s\", \"documents\": %.1f, \"hashes\": %.1f, \"sets\": %.1f, \"sets_wall\": %.1f, "
        "\"checksum\": \"%016llx\"}\n",
        kernels.empty() ? "" : kernels.front().active.c_str(), documents.megabytes_per_second,
        hashes.megabytes_per_second, sets.megabytes_per_second, sets.megabytes_per_wall_second,
        static_cast<unsigned long long>(sets.checksum));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "micro_read: %s\n", error.what());
    return 2;
  }
  return 0;
}
