// How fast does one thread turn pages into text?
//
// Usage: html FILE... [--seconds S]. Reads the pages into memory, then reads all of them again and again for about that
// long (3), and prints one line of JSON: MB of page per second of CPU time, median over the rounds, of
//   tokens  going through the tokens alone
//   text    PageReader
//   links   PageReader, links collected
//   blocks  PageReader, blocks collected
//   main    PageTextReader, the main text
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "text/encoding.h"
#include "text/html_elements.h"
#include "text/html_text.h"
#include "text/html_tokens.h"
#include "text/page_text_reader.h"

namespace {

using namespace neardup;

struct Pages {
  std::vector<std::string> pages;
  double megabytes = 0;
};

Pages load(const std::vector<std::string>& paths) {
  Pages all;
  text::Decoder decoder;
  for (const std::string& path : paths) {
    std::ifstream file{path, std::ios::binary};
    const std::string bytes{std::istreambuf_iterator<char>{file}, {}};
    decoder.append(all.pages.emplace_back(), bytes, text::utf8());
    all.megabytes += static_cast<double>(all.pages.back().size()) / 1e6;
  }
  return all;
}

double rate(const Pages& all, double seconds, const std::function<void(const std::string&)>& use) {
  std::vector<double> times;
  for (double spent = 0; times.size() < 3 || spent < seconds; spent += times.back()) {
    const std::clock_t start = std::clock();
    for (const std::string& page : all.pages) use(page);
    times.push_back(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  std::sort(times.begin(), times.end());
  return all.megabytes / times[times.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> paths{argv + 1, argv + argc};
  double seconds = 3;
  if (paths.size() > 2 && paths[paths.size() - 2] == "--seconds") {
    seconds = std::atof(paths.back().c_str());
    paths.resize(paths.size() - 2);
  }
  const Pages all = load(paths);
  if (all.megabytes == 0) {
    std::fprintf(stderr, "usage: html FILE... [--seconds S]\n");
    return 2;
  }
  text::HtmlTokens tokens;
  text::PageReader reader;
  text::Page page;
  std::size_t count = 0, text_bytes = 0, links = 0, blocks = 0;
  const double tokens_rate = rate(all, seconds, [&](const std::string& html) {
    tokens.start(html);
    while (tokens.next()) {
      ++count;
      if (tokens.kind() != text::HtmlTokens::Kind::start_tag) continue;
      const text::HtmlMode mode = text::html_element(tokens.raw()).mode;
      if (mode != text::HtmlMode::data) tokens.enter(mode);
    }
  });
  const double text_rate = rate(all, seconds, [&](const std::string& html) {
    reader.read(html, text::Links::ignore, page);
    text_bytes += page.text.size();
  });
  const double links_rate = rate(all, seconds, [&](const std::string& html) {
    reader.read(html, text::Links::collect, page);
    links += page.links.size();
  });
  const double blocks_rate = rate(all, seconds, [&](const std::string& html) {
    reader.read(html, text::Links::ignore, page, text::Blocks::collect);
    blocks += page.blocks.size();
  });
  text::PageTextReader main_reader;
  const double main_rate = rate(all, seconds, [&](const std::string& html) {
    main_reader.read(html, text::PageText::main, text::Links::ignore, page);
    text_bytes += page.text.size();
  });
  std::printf(
      "{\"pages\":%zu,\"megabytes\":%.1f,\"tokens\":%.0f,\"text\":%.0f,\"links\":%.0f,\"blocks\":%.0f,\"main\":%.0f,"
      "\"checksum\":%zu}"
      "\n",
      all.pages.size(), all.megabytes, tokens_rate, text_rate, links_rate, blocks_rate, main_rate,
      count + text_bytes + links + blocks);
}
