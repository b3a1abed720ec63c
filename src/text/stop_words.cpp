#include "text/stop_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/system.h"
#include "neardup/error.h"
#include "neardup/text_rules.h"
#include "text/word_rules.h"

namespace neardup {
namespace {

constexpr std::uint64_t kLargestFile = std::uint64_t{16} << 20;
constexpr std::size_t kShown = 60;  // bytes of a line that is refused
constexpr std::string_view kBlank = " \t\r\n\v\f";

std::vector<std::string> words_of(const text::StopWordList& list) {
  std::set<std::string> words;
  for (std::size_t at = list.words.find_first_not_of(kBlank); at != list.words.npos;) {
    const std::size_t end = std::min(list.words.find_first_of(kBlank, at), list.words.size());
    words.insert(text::single_word(list.words.substr(at, end - at)));
    at = list.words.find_first_not_of(kBlank, end);
  }
  return {words.begin(), words.end()};
}

std::string read_whole(const std::string& path, const Context& context) {
  FileSystem& files = base::files(context);
  if (files.info(path).kind == FileKind::folder)
    throw Error{ErrorCode::input, fmt::format("{}: this is a folder, not a list of stop words", path), "stop_words"};
  const auto file = files.open(path);
  std::string content;
  for (;;) {
    constexpr std::size_t kStep = std::size_t{1} << 16;
    const std::size_t had = content.size();
    content.resize(had + kStep);
    content.resize(had + file->read({content.data() + had, kStep}));
    if (content.size() == had) return content;
    if (content.size() > kLargestFile) {
      throw Error{ErrorCode::limit,
                  fmt::format("{}: a list of stop words may have {} MiB; this file has more", path, kLargestFile >> 20),
                  "stop_words"};
    }
  }
}

std::vector<std::string> words_of_file(const std::string& path, const Context& context) {
  const std::string content = read_whole(path, context);
  std::string_view rest = content;
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (rest.starts_with(kMark)) rest.remove_prefix(kMark.size());
  std::set<std::string> words;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    line = line.substr(0, line.find('#'));
    const std::size_t first = line.find_first_not_of(kBlank);
    if (first == line.npos) continue;
    line = line.substr(first, line.find_last_not_of(kBlank) - first + 1);
    std::string word = text::single_word(line);
    if (word.empty()) {
      throw Error{ErrorCode::usage,
                  fmt::format("{}:{}: \"{}\" is not one word; words are runs of letters and digits, "
                              "each on a line of its own",
                              path, number, line.substr(0, kShown)),
                  "stop_words"};
    }
    words.insert(std::move(word));
  }
  return {words.begin(), words.end()};
}

}  // namespace

std::vector<std::string> stop_word_languages() {
  std::vector<std::string> names;
  for (const text::StopWordList& list : text::stop_word_lists()) {
    names.emplace_back(list.code);
    names.emplace_back(list.name);
  }
  return names;
}

std::vector<std::string> load_stop_words(const std::string& name, const Context& context) {
  if (name.find_first_of("/.") != name.npos) return words_of_file(name, context);
  for (const text::StopWordList& list : text::stop_word_lists()) {
    if (name == list.code || name == list.name) return words_of(list);
  }
  throw Error{ErrorCode::usage,
              fmt::format("no stop words for \"{}\"; there are lists for {} (a file is named with a slash or a dot, as "
                          "in ./words)",
                          name, fmt::join(stop_word_languages(), ", ")),
              "stop_words"};
}

}  // namespace neardup
