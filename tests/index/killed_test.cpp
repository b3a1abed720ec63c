// Processes that are killed while they write.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <set>
#include <thread>
#include <vector>

#include "base/random.h"
#include "neardup/index.h"
#include "support/scratch.h"

namespace neardup::test {
namespace {

constexpr int kWriters = 8;

// One acknowledged batch; small enough for a pipe to take it whole.
struct Acknowledged {
  int writer, number;
};

// Two documents of one batch, which are there together or not at all.
std::array<std::string, 2> keys_of(const Acknowledged& batch) {
  const std::string name = fmt::format("{}-{}", batch.writer, batch.number);
  return {"a" + name, "b" + name};
}

void add_batch(Index& index, const Acknowledged& batch) {
  const std::array<std::string, 2> keys = keys_of(batch);
  const std::string text =
      fmt::format("text {} of writer {} with words of its own {}", batch.number, batch.writer, batch.number * 7);
  std::vector<IndexDocument> documents;
  for (const std::string& key : keys) {
    DocumentView view(text);
    view.key = key;
    documents.emplace_back(view);
  }
  index.add(documents);
}

// Not a test but the process that is killed: several threads add batches and report each one that was acknowledged.
TEST(IndexWriter, DISABLED_AddsUntilItIsKilled) {
  const char* path = std::getenv("NEARDUP_TEST_INDEX");
  const char* first = std::getenv("NEARDUP_TEST_FIRST");
  const char* durability = std::getenv("NEARDUP_TEST_DURABILITY");
  if (path == nullptr || first == nullptr || durability == nullptr) GTEST_SKIP();
  constexpr int kPipe = 3;
  Index index = Index::open(path, {.durability = parse_durability(durability)}, {});
  std::vector<std::jthread> threads;
  for (int writer = 0; writer < kWriters; ++writer) {
    threads.emplace_back([&, writer] {
      for (Acknowledged batch{writer, std::atoi(first)};; ++batch.number) {
        add_batch(index, batch);
        if (writer == 0 && batch.number % 50 == 0) index.flush();
        if (write(kPipe, &batch, sizeof(batch)) != sizeof(batch)) return;
      }
    });
  }
}

class Child {
 public:
  Child(const std::filesystem::path& index, int first, Durability durability) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
    const std::string path = index.string(), number = std::to_string(first), how = to_string(durability);
    id_ = fork();
    if (id_ == 0) {
      dup2(ends[1], 3);
      setenv("NEARDUP_TEST_INDEX", path.c_str(), 1);
      setenv("NEARDUP_TEST_FIRST", number.c_str(), 1);
      setenv("NEARDUP_TEST_DURABILITY", how.c_str(), 1);
      execl("/proc/self/exe", "test", "--gtest_filter=IndexWriter.DISABLED_AddsUntilItIsKilled",
            "--gtest_also_run_disabled_tests", "--gtest_brief=1", nullptr);
      _exit(127);
    }
    close(ends[1]);
    from_ = ends[0];
  }
  ~Child() {
    close(from_);
    waitpid(id_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  bool next(Acknowledged& out) { return read(from_, &out, sizeof(out)) == sizeof(out); }
  void end() { kill(id_, SIGKILL); }

 private:
  pid_t id_ = 0;
  int from_ = -1;
};

int rounds() {
  const char* given = std::getenv("NEARDUP_KILL_ROUNDS");
  return given == nullptr ? 20 : std::atoi(given);
}

TEST(KilledIndex, HasEveryAcknowledgedBatchAndNoHalfOfOne) {
  const ScratchFolder scratch;
  const std::filesystem::path path = scratch / "index";
  Index::create(path, {}, {});
  base::Random random(11);
  std::set<std::pair<int, int>> acknowledged;
  int first = 0;
  for (int round = 0; round < rounds(); ++round) {
    SCOPED_TRACE(fmt::format("round {}", round));
    {
      Child child(path, first, round % 2 == 0 ? Durability::sync : Durability::batch);
      Acknowledged batch{};
      std::uint64_t wanted = 1 + random.below(400);
      while (wanted-- > 0 && child.next(batch)) acknowledged.insert({batch.writer, batch.number});
      child.end();
      while (child.next(batch)) acknowledged.insert({batch.writer, batch.number});
    }
    const Index index = Index::open(path, {}, {});
    for (const auto& [writer, number] : acknowledged) {
      for (const std::string& key : keys_of({writer, number})) ASSERT_TRUE(index.get(key)) << key;
      first = std::max(first, number + 1);
    }
    // What nobody was told of may be there, but whole.
    std::size_t found = acknowledged.size();
    for (int writer = 0; writer < kWriters; ++writer) {
      for (int number = 0; number < first + 2; ++number) {
        if (acknowledged.contains({writer, number})) continue;
        const std::array<std::string, 2> keys = keys_of({writer, number});
        ASSERT_EQ(index.get(keys[0]).has_value(), index.get(keys[1]).has_value()) << keys[0];
        found += index.get(keys[0]) ? 1 : 0;
      }
    }
    ASSERT_EQ(index.stats().documents, found * 2);
    ASSERT_EQ(Index::verify(path, {}).problems, std::vector<std::string>{});
    first += 2;
  }
}

}  // namespace
}  // namespace neardup::test
