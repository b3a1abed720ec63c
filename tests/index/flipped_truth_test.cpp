// Bits of the files in truth/ that are not what was written.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "base/random.h"
#include "neardup/index.h"
#include "support/scratch.h"

namespace neardup::test {
namespace {

namespace fs = std::filesystem;

std::string text_of(int i) { return fmt::format("document {} has words {} and {} of its own", i, i * 7, i * 13); }

// What an index says of its documents, in order; nothing when damage was found.
std::optional<std::map<std::string, std::string>> told_by(const fs::path& path) {
  try {
    const Index index = Index::open(path, {.read_only = true}, {});
    std::map<std::string, std::string> told;
    index.export_documents(
        [&](const StoredDocument& document) {
          told[document.key] = fmt::format("{} {} {}", document.text.value_or(""), document.cluster, document.kept);
          return true;
        },
        {});
    for (int i = 0; i < 12; ++i) {
      const std::string text = text_of(i);
      const IndexDocument asked = DocumentView(text);
      const std::optional<IndexMatch> match = index.check(std::span(&asked, 1)).front();
      told[fmt::format("check {}", i)] = match ? match->key : "";
    }
    if (!Index::verify(path, {}).problems.empty()) return std::nullopt;
    return told;
  } catch (const Error& error) {
    EXPECT_TRUE(error.code() == ErrorCode::corrupt || error.code() == ErrorCode::input) << error.what();
    return std::nullopt;
  }
}

// A log that ends in the middle of a record looks like one that was cut by a crash: its last batches are then missing,
// and nothing else differs.
bool lacks_only_the_end(const std::map<std::string, std::string>& told) {
  bool is_missing = false;
  for (int i = 0; i < 12; ++i) {
    const bool is_there = told.contains(fmt::format("d{}", i));
    if (is_there && is_missing) return false;
    is_missing |= !is_there;
    if (told.at(fmt::format("check {}", i)) != (is_there ? fmt::format("d{}", i) : "")) return false;
  }
  return true;
}

TEST(FlippedTruth, IsReportedOrChangesNoAnswer) {
  const ScratchFolder scratch;
  const fs::path path = scratch / "index";
  Index::create(path, {}, {});
  {
    Index index = Index::open(path, {}, {});
    for (int i = 0; i < 12; ++i) {
      if (i == 6) index.compact({});  // the first half is in tables, the rest in the log
      const std::string text = text_of(i), key = fmt::format("d{}", i);
      DocumentView view(text);
      view.key = key;
      const IndexDocument document = view;
      index.add(std::span(&document, 1));
    }
  }
  const auto truth = told_by(path);
  ASSERT_TRUE(truth);
  base::Random random(9);
  int damaged = 0, harmless = 0, cut = 0;
  std::map<std::string, std::string> files = everything_in(path / "truth");
  for (const auto& [name, bytes] : files) {
    if (bytes.empty() || name.starts_with("LOG")) continue;
    constexpr int kFlips = 16;
    for (int flip = 0; flip < kFlips; ++flip) {
      const std::size_t at = random.below(bytes.size());
      SCOPED_TRACE(fmt::format("{}: bit of byte {}", name, at));
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ 1 << random.below(8));
      write_bytes(path / "truth" / name, changed);
      const auto told = told_by(path);
      if (!told) {
        ++damaged;
      } else if (*told == *truth) {
        ++harmless;
      } else {
        EXPECT_TRUE(name.ends_with(".log") && lacks_only_the_end(*told));
        ++cut;
      }
      write_bytes(path / "truth" / name, bytes);
    }
  }
  EXPECT_GT(damaged, 0);
  RecordProperty("found", fmt::format("{} reported, {} harmless, {} as a cut log", damaged, harmless, cut));
  EXPECT_EQ(told_by(path), truth);
}

}  // namespace
}  // namespace neardup::test
