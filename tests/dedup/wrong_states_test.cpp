// States of interrupted runs whose checksum is right and whose contents are not: whatever they say, a run that
// continues from them ends with an error that says so, or with an answer.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/state.h"
#include "dedup/resume_site.h"

namespace neardup::test {
namespace {

using States = std::map<std::string, std::string>;  // by stage, without checksums

States states_in(const std::string& folder) {
  States states;
  if (!fs::exists(folder)) return states;
  for (const auto& [name, bytes] : everything_in(folder)) {
    if (name != "leftovers") states[name] = bytes.substr(0, bytes.size() - sizeof(std::uint64_t));
  }
  return states;
}

void write_states(const std::string& folder, const States& states) {
  fs::remove_all(folder);
  fs::create_directories(folder);
  for (const auto& [stage, bytes] : states) {
    base::StateWriter out(system_files(), fs::path(folder) / stage);
    out.bytes(bytes);
    out.finish();
  }
}

// What a length, an index or anything else could be by mistake.
std::string damaged(base::Random& random, std::string bytes, std::size_t first) {
  const auto at = [&](std::size_t width) { return first + random.below(bytes.size() - first - width + 1); };
  switch (random.below(6)) {
    case 0:
      bytes[at(1)] ^= static_cast<char>(1 << random.below(8));
      break;
    case 1:
      bytes.resize(at(1));
      break;
    case 2:
      bytes.insert(at(1), 1 + random.below(16), static_cast<char>(random.below(256)));
      break;
    case 3:
      bytes.erase(at(8), 1 + random.below(8));
      break;
    default: {  // a number of 32 or 64 bits
      const std::uint64_t numbers[] = {
          0, 1, ~std::uint64_t{0}, std::uint64_t{1} << 31, 0xffffffff, 0x7fffffffffffffff, random.below(200)};
      const std::uint64_t number = numbers[random.below(std::size(numbers))];
      const std::size_t width = random.below(2) == 0 ? 4 : 8;
      const std::size_t place = first + (at(width) - first) / 4 * 4;
      bytes.replace(place, width, std::string(reinterpret_cast<const char*>(&number), width));
    }
  }
  return bytes;
}

class WrongStates {
 public:
  explicit WrongStates(const ResumeJob& job) : job_(job), site_(job, 24) { site_.context.memory_bytes = 1u << 30; }

  // Every set of states that a stop leaves.
  std::vector<States> all_states() {
    std::vector<States> all;
    std::map<std::vector<std::string>, bool> seen;
    for (std::size_t event = 0;; ++event) {
      clear();
      if (!site_.run_and_stop_at(event)) return all;
      States states = states_in(folder());
      std::vector<std::string> names;
      for (const auto& [name, bytes] : states) names.push_back(name);
      if (!states.empty() && seen.emplace(names, true).second) all.push_back(std::move(states));
    }
  }

  // Continues from states; returns whether they were refused.
  bool are_refused(const States& states) {
    clear();
    write_states(folder(), states);
    try {
      (void)site_.run();
      return false;
    } catch (const Error& error) {
      // `input`: the input seems to have changed.
      EXPECT_TRUE(error.code() == ErrorCode::corrupt || error.code() == ErrorCode::input ||
                  error.code() == ErrorCode::limit)
          << error.what();
      return true;
    }
  }

 private:
  [[nodiscard]] std::string folder() const {
    return site_ / ("." + fs::path(job_.options.output.path).filename().string() + ".neardup-resume");
  }
  void clear() {
    site_.clear();
    fs::remove_all(folder());
  }

  ResumeJob job_;
  ResumeSite site_;
};

// The identity of the run comes first: with another one a state is of another run.
std::size_t end_of_identity(const std::string& state) {
  std::uint64_t length = 0;
  state.copy(reinterpret_cast<char*>(&length), sizeof length);
  return sizeof length + length;
}

TEST(WrongStates, AreRefusedOrDoNoHarm) {
  constexpr int kRoundsPerState = 8;
  base::Random random(1);
  std::size_t tried = 0, refused = 0;
  for (const ResumeJob& job : resume_jobs()) {
    SCOPED_TRACE(job.name);
    WrongStates runs(job);
    for (const States& states : runs.all_states()) {
      ASSERT_FALSE(runs.are_refused(states)) << "they are sound";
      for (const auto& [stage, bytes] : states) {
        for (int round = 0; round < kRoundsPerState; ++round) {
          SCOPED_TRACE(stage + " " + std::to_string(round));
          States wrong = states;
          wrong[stage] = damaged(random, bytes, end_of_identity(bytes));
          ++tried;
          refused += runs.are_refused(wrong) ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(tried, 300u);
  EXPECT_GT(refused, tried / 2);
}

}  // namespace
}  // namespace neardup::test
