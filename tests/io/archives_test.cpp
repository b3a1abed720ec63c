#include "io/archives/archives.h"

#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.h"

namespace neardup::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Member {
  std::string name, bytes;
  int type = AE_IFREG;
};

std::string archived(const std::vector<Member>& members, int format) {
  std::string out(1u << 20, '\0');
  for (const Member& member : members) out.resize(out.size() + 2 * member.bytes.size() + 4096);
  std::size_t used = 0;
  ::archive* archive = archive_write_new();
  archive_write_set_format(archive, format);
  archive_write_set_bytes_in_last_block(archive, 1);
  archive_write_open_memory(archive, out.data(), out.size(), &used);
  for (const Member& member : members) {
    ::archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, member.name.c_str());
    archive_entry_set_filetype(entry, static_cast<unsigned>(member.type));
    archive_entry_set_perm(entry, 0644);
    if (member.type == AE_IFLNK) archive_entry_set_symlink(entry, member.bytes.c_str());
    archive_entry_set_size(entry, member.type == AE_IFREG ? static_cast<la_int64_t>(member.bytes.size()) : 0);
    archive_write_header(archive, entry);
    if (member.type == AE_IFREG) archive_write_data(archive, member.bytes.data(), member.bytes.size());
    archive_entry_free(entry);
  }
  archive_write_close(archive);
  archive_write_free(archive);
  out.resize(used);
  return out;
}

std::string zip(const std::vector<Member>& members) { return archived(members, ARCHIVE_FORMAT_ZIP); }
std::string tar(const std::vector<Member>& members) { return archived(members, ARCHIVE_FORMAT_TAR_USTAR); }

std::vector<std::string> paths(const Collection& collection) {
  std::vector<std::string> out;
  for (const io::Source& source : io::impl_of(collection).sources) out.push_back(source.path);
  return out;
}

std::vector<std::string> places(const Collection& collection) {
  std::vector<std::string> out;
  for (const io::Source& source : io::impl_of(collection).sources) out.push_back(source.relative);
  return out;
}

TEST(Archives, MembersAreSourcesLikeFilesOfAFolder) {
  const std::vector<Member> members{{"b.txt", "words"}, {"c/a.jsonl", "{\"text\":\"x\"}\n{\"text\":\"y\"}\n"}};
  for (const int format :
       {ARCHIVE_FORMAT_ZIP, ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FORMAT_TAR_GNUTAR, ARCHIVE_FORMAT_7ZIP}) {
    Disk disk(std::map<std::string, std::string>{{"in", archived(members, format)}});
    const auto collection = disk.open("in");
    EXPECT_THAT(paths(collection), ElementsAre("in/b.txt", "in/c/a.jsonl"));
    EXPECT_THAT(texts(read_all(collection, disk.context)), ElementsAre("words", "x", "y"));
    EXPECT_THAT(texts(read_all(collection, disk.context)), ElementsAre("words", "x", "y"));
    EXPECT_FALSE(io::impl_of(collection).single_input);
  }
}

TEST(Archives, MayBeCompressedAndHoldWhatIs) {
  const std::string inner = encode(".gz", "{\"text\":\"x\"}\n");
  for (const char* codec : {"", ".gz", ".zst", ".bz2", ".xz", ".lz4"}) {
    const std::string name = std::string("a.tar") + codec;
    EXPECT_THAT(texts(read_bytes(name, encode(codec, tar({{"a.jsonl.gz", inner}})))), ElementsAre("x")) << codec;
  }
}

TEST(Archives, AreEnteredThreeDeep) {
  std::string archive = tar({{"a.txt", "deep"}});
  for (const char* name : {"one.tar", "two.tar"}) archive = zip({{name, archive}});
  EXPECT_THAT(texts(read_bytes("a.zip", archive)), ElementsAre("deep"));
  EXPECT_THAT(texts(read_bytes("a.zip", zip({{"b.zip", archive}, {"c.txt", "beside"}}))),
              ElementsAre("BAD: archives are read 3 levels deep", "beside"));
}

TEST(Archives, SkipWhatFoldersSkipAndWhatIsNoFile) {
  const std::string archive = tar({{"./a.txt", "yes"},
                                   {".hidden", "no"},
                                   {"x/.git/b.txt", "no"},
                                   {"folder", "", AE_IFDIR},
                                   {"link", "a.txt", AE_IFLNK},
                                   {"pipe", "", AE_IFIFO}});
  EXPECT_THAT(texts(read_bytes("a.tar", archive)), ElementsAre("yes"));
}

TEST(Archives, NoMemberFindsAWayOutOfItsFolder) {
  EXPECT_EQ(io::safe_path("../../etc/passwd", 1), "etc/passwd");
  EXPECT_EQ(io::safe_path("/etc/passwd", 1), "etc/passwd");
  EXPECT_EQ(io::safe_path("a/../b", 1), "a/b");
  EXPECT_EQ(io::safe_path("..\\..\\a.txt", 1), "a.txt");
  EXPECT_EQ(io::safe_path("C:\\x\\a.txt", 1), "x/a.txt");
  EXPECT_EQ(io::safe_path("./", 7), "member-7");
  EXPECT_EQ(io::safe_path("", 7), "member-7");
  EXPECT_EQ(io::safe_path("a\nb", 1), "a_b");
  EXPECT_EQ(io::safe_path(std::string(300, 'x') + ".txt", 1).size(), 200u);
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "abc/";
  EXPECT_EQ(io::safe_path(deep + "a.txt", 3), "member-3.txt");
}

TEST(Archives, NamesAreValidUtf8WhateverTheArchiveSays) {
  Disk disk(std::map<std::string, std::string>{{"a.tar", tar({{"caf\xE9.txt", "1"}, {"\u00e9\u65e5.txt", "2"}})}});
  EXPECT_THAT(paths(disk.open("a.tar")), ElementsAre("a.tar/caf\uFFFD.txt", "a.tar/\u00e9\u65e5.txt"));
}

TEST(Archives, MembersOfOneNameGetDifferentPlaces) {
  Disk disk(std::map<std::string, std::string>{
      {"a.zip", zip({{"x.txt", "1"}, {"x.txt", "2"}, {"../x.txt", "3"}, {"y", "4"}, {"y/z", "5"}, {"x.txt", "6"}})}});
  const auto collection = disk.open("a.zip");
  EXPECT_THAT(texts(read_all(collection, disk.context)), ElementsAre("1", "2", "3", "4", "5", "6"));
  auto all = places(collection);
  EXPECT_THAT(all[0], "a.zip/x.txt");
  EXPECT_THAT(all[1], "a.zip/2-x.txt");
  for (const std::string& place : all) EXPECT_THAT(place, ::testing::Not(HasSubstr(".."))) << place;
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::unique(all.begin(), all.end()), all.end());
}

TEST(Archives, CutAnywhereGiveTheMembersBeforeAndOneRecordThatSaysSo) {
  for (const std::string& whole :
       {tar({{"a.txt", "one"}, {"b.txt", "two"}}), zip({{"a.txt", "one"}, {"b.txt", "two"}})}) {
    for (std::size_t size = 520; size < whole.size(); size += 97) {
      const auto all = texts(read_bytes("a.tar", whole.substr(0, size)));
      ASSERT_FALSE(all.empty());
      EXPECT_LE(std::count_if(all.begin(), all.end(), [](const std::string& text) { return text.starts_with("BAD"); }),
                1);
      if (all.size() > 1) {
        EXPECT_EQ(all[0], "one");
      }
    }
  }
}

TEST(Archives, SurviveEveryFlippedByte) {
  for (const std::string& whole :
       {tar({{"a.txt", "one"}}), zip({{"a.txt", "one"}}), archived({{"a.txt", "one"}}, ARCHIVE_FORMAT_7ZIP)}) {
    for (std::size_t i = 0; i < std::min<std::size_t>(whole.size(), 600); ++i) {
      std::string broken = whole;
      broken[i] = static_cast<char>(broken[i] ^ 0x55);
      try {
        read_bytes("a.zip", broken);
      } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("no files in a.zip")) << i;
      }
    }
  }
}

TEST(Archives, WhatIsNoneButIsCalledOneIsBad) {
  EXPECT_THAT(texts(read_bytes("a.zip", "just words")), ElementsAre(StartsWith("BAD: damaged archive")));
}

TEST(Archives, DocumentsThatAreZipFilesAreNotRead) {
  EXPECT_THAT(texts(read_bytes("a.docx", zip({{"word/document.xml", "<x/>"}}))),
              ElementsAre(AllOf(StartsWith("BAD"), HasSubstr(".docx files are not read"))));
}

TEST(Archives, WithoutFilesAreAnError) {
  EXPECT_THAT(error_of([] { read_bytes("a.zip", zip({})); }, ErrorCode::input), HasSubstr("no files in a.zip"));
}

TEST(Archives, ABombIsRefused) {
  Disk disk(std::map<std::string, std::string>{{"a.tar.gz", encode(".gz", tar({{"a", std::string(500'000, '\0')}}))}});
  io::Source source;
  source.path = "a.tar.gz";
  source.codec = &io::codec_of_name("a.tar.gz");
  const auto unpack = [&](std::uint64_t allowed) {
    io::UnpackBudget budget{.path = "a.tar.gz", .archive_bytes = 1000, .always_allowed = allowed};
    std::shared_ptr<base::TempFolder> spool;
    return io::unpack(source, budget, {}, spool, disk.context).size();
  };
  EXPECT_EQ(unpack(500'000), 1u);
  EXPECT_THAT(error_of([&] { unpack(100'000); }, ErrorCode::input),
              HasSubstr("a.tar.gz: unpacks to more than 200 times its size"));
}

std::size_t bad_ones(const std::vector<std::string>& all) {
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [](const std::string& text) { return text.starts_with("BAD"); }));
}

std::string tar_of_twenty() {
  std::vector<Member> members;
  for (int i = 0; i < 20; ++i)
    members.push_back({std::to_string(i) + ".txt", std::string(700, static_cast<char>('a' + i))});
  return tar(members);
}

// Compressions without a checksum of their data let damage through to the archive.
TEST(Archives, ADamagedHeaderIsNeverASilentLoss) {
  const std::string whole = tar_of_twenty();
  const std::size_t header = whole.find("7.txt");
  for (const std::size_t at : {std::size_t{0}, std::size_t{100}, std::size_t{150}, std::size_t{300}}) {
    std::string broken = whole;
    broken[header + at] = static_cast<char>(broken[header + at] ^ 0x15);
    for (const char* codec : {"", ".lz4", ".zst"}) {
      const auto all = texts(read_bytes(std::string("a.tar") + codec, encode(codec, broken)));
      EXPECT_EQ(bad_ones(all), 1u) << at << codec;
      EXPECT_GE(all.size(), 19u) << "what follows the damage is read: " << at << codec;
    }
  }
}

TEST(Archives, ATarThatGoesOnBehindItsEndIsDamaged) {
  std::string broken = tar_of_twenty();
  const std::size_t header = broken.find("7.txt");
  std::fill_n(broken.begin() + static_cast<std::ptrdiff_t>(header), 1024, '\0');
  const auto all = texts(read_bytes("a.tar.zst", encode(".zst", broken)));
  EXPECT_EQ(bad_ones(all), 1u);
  EXPECT_EQ(all.size(), 8u);
}

TEST(Archives, ACompressedTarWhoseChecksumIsNotMetIsDamaged) {
  for (const char* codec : {".gz", ".xz", ".zst", ".lz4"}) {
    const std::string name = std::string("a.tar") + codec, whole = encode(codec, tar_of_twenty());
    ASSERT_EQ(bad_ones(texts(read_bytes(name, whole))), 0u);
    for (const std::size_t missing : {1u, 4u, 8u}) {
      EXPECT_EQ(bad_ones(texts(read_bytes(name, whole.substr(0, whole.size() - missing)))), 1u) << codec << missing;
    }
    EXPECT_EQ(bad_ones(texts(read_bytes(name, whole + whole.substr(0, whole.size() / 2)))), 1u) << codec;
  }
}

TEST(Archives, ManyMembersFarDownAreListedQuickly) {
  std::string folder;
  for (int i = 0; i < 200; ++i) folder += "d/";
  std::vector<Member> members;
  for (int i = 0; i < 2000; ++i) members.push_back({folder + std::to_string(i) + ".txt", "x"});
  EXPECT_EQ(read_bytes("a.zip", zip(members)).size(), 2000u);
}

TEST(Archives, AreFilteredLikeFolders) {
  Disk disk(std::map<std::string, std::string>{
      {"a.zip", zip({{"x.txt", "1"}, {"x.md", "2"}, {"old/y.txt", "3"}, {"new/y.txt", "4"}})}});
  const auto collection =
      Collection::open({.inputs = {"a.zip"}, .include = {"*.txt"}, .exclude = {"old"}}, {}, disk.context);
  EXPECT_THAT(paths(collection), ElementsAre("a.zip/x.txt", "a.zip/new/y.txt"));
}

}  // namespace
}  // namespace neardup::test
