#include "io/pass.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "support.h"

namespace neardup::test {
namespace {

using ::testing::HasSubstr;

struct Rows {
  std::vector<std::string> texts;
};

auto reading(const Collection& collection) {
  return [parser = io::impl_of(collection).parser({}), document = DocumentView()](const io::RecordBatch& batch,
                                                                                  Rows& out) mutable {
    for (std::size_t place = 0; place < batch.size(); ++place) {
      parser->parse(batch, place, document);
      if (document.text == "poison") throw Error(ErrorCode::limit, "poisoned");
      out.texts.emplace_back(document.text);
    }
  };
}

class Progress final : public Observer {
 public:
  void stage(std::string_view name, std::uint64_t total, std::string_view unit) override {
    what = std::string(name) + "/" + std::string(unit);
    expected = total;
  }
  void advance(std::uint64_t amount) override { seen += amount; }
  void warning(std::string_view) override {}
  std::string what;
  std::uint64_t expected = 0, seen = 0;
};

class Pass : public ::testing::TestWithParam<unsigned> {
 protected:
  static std::string numbers(int count) {
    std::string bytes;
    for (int i = 0; i < count; ++i) bytes += std::to_string(i) + "\n";
    return bytes;
  }
  void run(const std::string& bytes, const std::function<void(const io::RecordBatch&, Rows&)>& take) {
    disk_.files.contents["a"] = bytes;
    disk_.context.threads = GetParam();
    const Collection collection = disk_.open("a", {.format = "lines"});
    io::run_pass<Rows>(
        collection, io::impl_of(collection).options, disk_.context, "reading", [&] { return reading(collection); },
        take);
  }
  Disk disk_;
};
INSTANTIATE_TEST_SUITE_P(Threads, Pass, ::testing::Values(1, 2, 8));

TEST_P(Pass, TakesBatchesInInputOrder) {
  std::vector<std::string> seen, expected;
  run(numbers(5000), [&](const io::RecordBatch& batch, Rows& rows) {
    EXPECT_EQ(batch.first_row, seen.size());
    seen.insert(seen.end(), rows.texts.begin(), rows.texts.end());
  });
  for (int i = 0; i < 5000; ++i) expected.push_back(std::to_string(i));
  EXPECT_EQ(seen, expected);
}

TEST_P(Pass, ReportsAllBytes) {
  Progress progress;
  disk_.context.observer = &progress;
  const std::string bytes = numbers(1000);
  run(bytes, [](const auto&, auto&) {});
  EXPECT_EQ(progress.what, "reading/bytes");
  EXPECT_EQ(progress.expected, bytes.size());
  EXPECT_EQ(progress.seen, bytes.size());
}

TEST_P(Pass, LetsAWorkersErrorThrough) {
  EXPECT_EQ(
      error_of([&] { run(numbers(500) + "poison\n" + numbers(500), [](const auto&, auto&) {}); }, ErrorCode::limit),
      "poisoned");
}

TEST_P(Pass, LetsATakersErrorThrough) {
  const auto fail = [](const auto&, auto&) { throw Error(ErrorCode::output, "disk full"); };
  EXPECT_EQ(error_of([&] { run(numbers(500), fail); }, ErrorCode::output), "disk full");
}

TEST_P(Pass, StopsWhenAsked) {
  std::stop_source stop;
  disk_.context.stop = stop.get_token();
  std::size_t taken = 0;
  error_of(
      [&] {
        run(numbers(100'000), [&](const auto&, auto&) {
          if (++taken == 3) stop.request_stop();
        });
      },
      ErrorCode::interrupted);
  EXPECT_LT(taken, 1000u);
}

}  // namespace
}  // namespace neardup::test
