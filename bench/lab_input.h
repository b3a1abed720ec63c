// What do the programs that measure searching read, and how do they take time?
#pragma once

#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "neardup/error.h"
#include "neardup/fingerprint.h"

namespace neardup::bench {

inline double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
// Of the whole process: on one thread that leaves out what other programs do.
inline double cpu_seconds() { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }
inline double wall_seconds() { return seconds_of(CLOCK_MONOTONIC); }

template <class T>
std::vector<T> read_file(const std::string& path, std::size_t count) {
  std::ifstream file(path, std::ios::binary);
  std::vector<T> values(count);
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(count * sizeof(T)));
  if (!file) throw Error(ErrorCode::input, path + " is missing or too short");
  return values;
}

// VERB FOLDER [BASE [QUERIES]] [flag=value...]
struct Arguments {
  std::string verb, folder;
  std::size_t base = 0, queries = 0;
  std::map<std::string, std::string> flags{};

  Arguments(int count, char** words) : verb(words[1]) {
    if (count > 2) folder = words[2];
    std::size_t numbers = 0;
    for (int i = 3; i < count; ++i) {
      const std::string word = words[i];
      const auto equals = word.find('=');
      if (equals == word.npos) {
        (numbers++ == 0 ? base : queries) = std::stoull(word);
      } else {
        flags[word.substr(0, equals)] = word.substr(equals + 1);
      }
    }
  }

  [[nodiscard]] std::string text(const std::string& name, const std::string& otherwise) const {
    const auto found = flags.find(name);
    return found == flags.end() ? otherwise : found->second;
  }
  [[nodiscard]] double number(const std::string& name, double otherwise) const {
    const auto found = flags.find(name);
    return found == flags.end() ? otherwise : std::stod(found->second);
  }
  [[nodiscard]] unsigned whole(const std::string& name, unsigned otherwise) const {
    return static_cast<unsigned>(number(name, otherwise));
  }
};

// What hamming_data made, or the first part of it.
struct Data {
  std::vector<std::uint64_t> base, queries;
  std::vector<Volatility> volatility;
};

inline Data load(const Arguments& arguments) {
  Data data;
  data.base = read_file<std::uint64_t>(arguments.folder + "/data/base60.bin", arguments.base);
  data.queries = read_file<std::uint64_t>(arguments.folder + "/data/q.bin", arguments.queries);
  const auto weights = read_file<float>(arguments.folder + "/data/w.bin", arguments.queries * 64);
  data.volatility.resize(arguments.queries);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    data.volatility[i / 64].level[i % 64] =
        static_cast<std::uint8_t>(std::min(255.0f, std::floor(std::abs(weights[i]) * 64)));
  }
  return data;
}

}  // namespace neardup::bench
