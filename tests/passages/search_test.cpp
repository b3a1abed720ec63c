// The search for passages against a plain reading of its rule: all windows in a dictionary.
#include "passages/search.h"

#include <gmock/gmock.h>

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "base/memory_plan.h"
#include "base/random.h"
#include "neardup/features.h"
#include "passages/units.h"
#include "text/word_spans.h"

namespace neardup::passages {
namespace {

using Text = std::vector<std::string>;  // the items of a document
using Cut = std::vector<bool>;

struct Case {
  std::vector<Text> documents;
  std::vector<std::uint32_t> order{};
  std::vector<std::uint32_t> groups{};
  PassageRule rule{};
};

std::vector<Cut> plain_cuts(const Case& c) {
  std::map<std::pair<std::uint32_t, Text>, std::vector<std::pair<std::size_t, std::size_t>>> places;
  const std::size_t window = c.rule.window;
  const auto each = [&](const auto& visit) {
    for (std::size_t k = 0; k < c.documents.size(); ++k) {
      const std::size_t d = c.order.empty() ? k : c.order[k];
      const Text& text = c.documents[d];
      for (std::size_t i = 0; i + window <= text.size(); ++i) {
        const auto first = text.begin() + static_cast<std::ptrdiff_t>(i);
        visit(d, i,
              std::pair(c.groups.empty() ? 0 : c.groups[d], Text(first, first + static_cast<std::ptrdiff_t>(window))));
      }
    }
  };
  each([&](std::size_t d, std::size_t i, const auto& key) { places[key].emplace_back(d, i); });
  std::vector<Cut> stays, goes;
  for (const Text& text : c.documents) stays.emplace_back(text.size()), goes.emplace_back(text.size());
  each([&](std::size_t d, std::size_t i, const auto& key) {
    const auto& all = places[key];
    const bool is_repeated = all.size() >= c.rule.min_copies;
    const bool is_first = all.front() == std::pair(d, i);
    const bool is_kept = !is_repeated || (c.rule.keep_one && is_first) || d < c.rule.fixed_documents;
    if (c.rule.cut_edges && !is_repeated) return;
    for (std::size_t k = 0; k < window; ++k) (is_kept ? stays : goes)[d][i + k] = true;
  });
  for (std::size_t d = 0; d < stays.size(); ++d)
    for (std::size_t i = 0; i < stays[d].size(); ++i) stays[d][i] = goes[d][i] && !stays[d][i];
  return stays;
}

std::string joined(const Text& text, char separator) {
  std::string out;
  for (const std::string& item : text) out += (out.empty() ? "" : std::string(1, separator)) + item;
  return out;
}

std::vector<Cut> found_cuts(const Case& c, unsigned threads, std::size_t memory, SearchFacts* facts_out = nullptr) {
  const Context context = base::resolve({.threads = threads, .memory = std::make_shared<MemoryBudget>(memory)});
  DocumentStore store(context, memory / 4);
  for (std::size_t d = 0; d < c.documents.size(); ++d) {
    store.add("d" + std::to_string(d), joined(c.documents[d], c.rule.separator),
              static_cast<std::uint32_t>(c.documents[d].size()), c.groups.empty() ? 0 : c.groups[d]);
  }
  store.finish();
  SearchFacts facts;
  PassageRule rule = c.rule;
  rule.is_grouped = !c.groups.empty();
  const auto cuts =
      find_passages({.documents = store, .order = c.order, .rule = rule, .filter = nullptr}, facts, context);
  if (facts_out != nullptr) *facts_out = facts;
  std::vector<Cut> out;
  std::vector<CutPiece> pieces;
  std::string buffer;
  for (std::size_t d = 0; d < c.documents.size(); ++d) {
    Cut cut(c.documents[d].size());
    cuts->pieces(d, pieces);
    for (const CutPiece& piece : pieces) {
      // A piece is a part of its passage, which is where it says.
      EXPECT_LE(piece.lead + piece.items, piece.passage_items);
      const std::size_t begin = piece.first - piece.lead;
      const Text passage(c.documents[d].begin() + static_cast<std::ptrdiff_t>(begin),
                         c.documents[d].begin() + static_cast<std::ptrdiff_t>(begin + piece.passage_items));
      const std::string expected = joined(passage, c.rule.separator);
      EXPECT_EQ(store.store().read_whole(piece.source, expected.size(), buffer), expected);
      for (std::uint32_t i = 0; i < piece.items; ++i) {
        EXPECT_FALSE(cut[piece.first + i]);
        cut[piece.first + i] = true;
      }
    }
    EXPECT_EQ(cuts->cut_items(d), static_cast<std::uint32_t>(std::count(cut.begin(), cut.end(), true)));
    out.push_back(std::move(cut));
  }
  return out;
}

constexpr std::size_t kRoomy = std::size_t{1} << 30;

Case random_case(std::uint64_t seed) {
  base::Random random(seed);
  Case c;
  c.rule.window = 1 + static_cast<unsigned>(random.below(6));
  c.rule.min_copies = 2 + random.below(2);
  c.rule.keep_one = random.below(5) != 0;
  c.rule.cut_edges = random.below(2) == 0;
  c.rule.separator = random.below(2) == 0 ? ' ' : '\n';
  const std::uint64_t words = 1 + random.below(4);
  const std::size_t documents = 1 + random.below(8);
  for (std::size_t d = 0; d < documents; ++d) {
    Text text;
    for (std::uint64_t i = random.below(40); i > 0; --i)
      text.push_back(std::string(1 + random.below(2), static_cast<char>('a' + random.below(words))));
    c.documents.push_back(std::move(text));
  }
  if (random.below(2) == 0) c.rule.fixed_documents = static_cast<std::uint32_t>(random.below(documents + 1));
  for (std::uint32_t d = 0; d < documents; ++d) c.order.push_back(d);
  for (std::size_t i = c.rule.fixed_documents; i < documents; ++i)
    std::swap(c.order[i], c.order[i + random.below(documents - i)]);
  if (random.below(3) == 0)
    for (std::size_t d = 0; d < documents; ++d) c.groups.push_back(static_cast<std::uint32_t>(random.below(3)));
  return c;
}

TEST(PassageSearch, CutsWhatThePlainRuleCuts) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Case c = random_case(seed);
    ASSERT_EQ(found_cuts(c, 1, kRoomy), plain_cuts(c)) << seed;
  }
}

TEST(PassageSearch, DoesNotDependOnThreadsOrMemory) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    base::Random random(seed);
    Case c;
    c.rule.window = 20;
    Text shared;
    for (int i = 0; i < 300; ++i) shared.push_back("w" + std::to_string(random.below(1000)));
    for (int d = 0; d < 400; ++d) {
      Text text;
      while (text.size() < 400) {
        if (random.below(3) == 0) {
          const std::size_t first = random.below(200), size = random.below(100);
          text.insert(text.end(), shared.begin() + static_cast<std::ptrdiff_t>(first),
                      shared.begin() + static_cast<std::ptrdiff_t>(first + size));
        }
        for (std::uint64_t i = random.below(30); i > 0; --i)
          text.push_back("x" + std::to_string(random.next() % 100000));
      }
      c.documents.push_back(std::move(text));
    }
    const auto expected = plain_cuts(c);
    EXPECT_EQ(found_cuts(c, 1, kRoomy), expected);
    EXPECT_EQ(found_cuts(c, 2, kRoomy), expected);
    EXPECT_EQ(found_cuts(c, 2, std::size_t{4} << 20), expected) << "with spilled stores";
  }
}

TEST(PassageSearch, SearchesAgainWhenHashesCollide) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Case c = random_case(seed);
    c.rule.first_hash_bits = 2;
    SearchFacts facts;
    ASSERT_EQ(found_cuts(c, 1, kRoomy, &facts), plain_cuts(c)) << seed;
    ASSERT_LE(facts.attempts, 2u);
  }
}

TEST(PassageSearch, KeepsOneWindowOfAWordThatIsRepeatedForEver) {
  Case c;
  c.rule.window = 50;
  c.documents.emplace_back(1'500'000, "a");  // three megabytes: several pieces
  const auto cut = found_cuts(c, 2, kRoomy).front();
  EXPECT_EQ(std::count(cut.begin(), cut.end(), false), 50);
  EXPECT_FALSE(cut[49]);
}

TEST(PassageSearch, FindsRunsAcrossThePiecesOfALongDocument) {
  base::Random random(5);
  Case c;
  c.rule.window = 30;
  for (int d = 0; d < 2; ++d) c.documents.emplace_back();
  for (int i = 0; i < 400'000; ++i) c.documents[0].push_back("word" + std::to_string(random.below(100'000)));
  c.documents[1] = Text(c.documents[0].begin() + 100'000, c.documents[0].begin() + 390'000);
  const auto cuts = found_cuts(c, 2, kRoomy);
  EXPECT_EQ(std::count(cuts[0].begin(), cuts[0].end(), true), 0);
  EXPECT_EQ(std::count(cuts[1].begin(), cuts[1].end(), true), 290'000);
}

TEST(CutScanner, GivesEachItemToThePassageThatBeganBefore) {
  // Windows of 3: the first three refer to one place, the fourth to another.
  CutScanner scanner(3);
  scanner.add({.source = 100});
  scanner.add({.source = 102, .continues = true});
  scanner.add({.source = 104, .continues = true});
  scanner.add({.source = 900});
  scanner.finish(6);
  EXPECT_THAT(scanner.pieces(), testing::ElementsAre(CutPiece{0, 5, 100, 0, 5}, CutPiece{5, 1, 900, 2, 3}));
}

TEST(RunSet, FindsShortTextsWholeAndLongOnesByTheirWindows) {
  RunSet runs(3, ' ', 1);
  runs.add("a b");
  runs.add("c d e f");
  Items items;
  std::vector<std::uint32_t> found;
  const std::string text = "a b c d e f a";
  find_items(text, ' ', items);
  runs.find(text, items, found);
  EXPECT_THAT(found, testing::ElementsAre(2, 0, 3, 3, 0, 0, 0));
}

TEST(Units, SplitsLinesParagraphsAndSentences) {
  const auto show = [](std::string_view text, const std::vector<ByteRange>& ranges) {
    Text out;
    for (const ByteRange r : ranges) out.emplace_back(text.substr(r.begin, r.end - r.begin));
    return out;
  };
  const std::string lines = "one\r\n\ntwo";
  EXPECT_THAT(show(lines, lines_of(lines)), testing::ElementsAre("one\r\n", "\n", "two"));
  EXPECT_THAT(show(lines, item_ranges(lines, ItemKind::lines)), testing::ElementsAre("one\r\n", "two"));
  const std::string paragraphs = "a\nb\n \n\nc\nd\n";
  EXPECT_THAT(show(paragraphs, paragraphs_of(paragraphs)), testing::ElementsAre("a\nb\n \n\n", "c\nd\n"));
  const std::string page = "<p>one</p><p class=x>two <b>x</b></p>\nthree";
  EXPECT_THAT(show(page, item_ranges(page, ItemKind::paragraphs)),
              testing::ElementsAre("one", "two <b>x</b>", "\nthree"));
  const std::string prose = "It ends. Here it goes on! Does it?";
  EXPECT_THAT(show(prose, sentences_of(prose)), testing::ElementsAre("It ends. ", "Here it goes on! ", "Does it?"));
}

// Hostile pieces of text: marks, joiners, compatibility forms that become several words, scripts without spaces.
std::string odd_text(base::Random& random) {
  static const std::vector<std::string> kParts{"a",
                                               "B",
                                               "1",
                                               " ",
                                               ",",
                                               "\n",
                                               "\u0301",
                                               "\u1e0b\u0323",
                                               "\u337f",
                                               "\u00bd",
                                               "\u0e01\u0e33",
                                               "\u0e33",
                                               "\u4e2d",
                                               "\u3042",
                                               "\u200d",
                                               "\ufe0f",
                                               "\U0001f468",
                                               "\u1100",
                                               "\u1161",
                                               "\u11a8",
                                               "\ufdfa",
                                               "\u00ad",
                                               "\u0915\u094d",
                                               "\u2126",
                                               "\u0130",
                                               "\u00df",
                                               "\ufffd",
                                               "\u0e40"};
  std::string out;
  for (std::uint64_t i = random.below(30); i > 0; --i) out += kParts[random.below(kParts.size())];
  return out;
}

TEST(WordSpans, AreTheWordsOfTheFoldedText) {
  base::Random random(11);
  std::vector<text::WordSpan> spans;
  std::string folded;
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = odd_text(random);
    text::word_spans(text, spans, &folded);
    const Text words = neardup::words(text);
    ASSERT_EQ(folded, joined(words, ' ')) << text;
    ASSERT_EQ(spans.size(), words.size());
    std::uint32_t last = 0;
    for (const text::WordSpan& span : spans) {
      ASSERT_GE(span.begin, last);
      ASSERT_LT(span.begin, span.end);
      last = span.begin;
    }
    std::uint32_t items = 0;
    ItemFolder folder(ItemKind::words);
    ASSERT_EQ(folder.fold(text, items), folded);
    ASSERT_EQ(items, words.size());
  }
}

TEST(WordSpans, NeverCutsBeforeAMark) {
  const std::string text = "e\u0301 x";
  EXPECT_TRUE(text::may_cut_before(text, 0));
  EXPECT_FALSE(text::may_cut_before(text, 1));
  EXPECT_FALSE(text::may_cut_before(text, 2));
  EXPECT_TRUE(text::may_cut_before(text, 3));
  EXPECT_FALSE(text::may_cut_before("\r\n", 1));
  EXPECT_FALSE(text::may_cut_before("\u0e01\u0e33", 3)) << "a Thai vowel that Unicode calls a letter";
}

}  // namespace
}  // namespace neardup::passages
