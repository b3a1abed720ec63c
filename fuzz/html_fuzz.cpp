// Arbitrary bytes as a page in some encoding: decode it, cut it into tokens, read it, and check what must hold of any.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "text/encoding.h"
#include "text/html_doctype.h"
#include "text/html_text.h"
#include "text/html_tokens.h"
#include "text/main_text.h"
#include "text/page_text_reader.h"

namespace {

using namespace neardup::text;

void require(bool condition) {
  if (!condition) std::abort();
}

bool is_valid_utf8(std::string_view text) {
  while (!text.empty()) {
    const neardup::base::Utf8Step step = neardup::base::utf8_step(text);
    if (!step.valid) return false;
    text.remove_prefix(step.size);
  }
  return true;
}

constexpr std::array kLabels{"utf-8",  "latin1",      "koi8-r",     "shift_jis",    "euc-jp",     "iso-2022-jp",
                             "gb2312", "big5",        "euc-kr",     "utf-16le",     "utf-16be",   "utf-32le",
                             "ibm866", "iso-2022-kr", "hz-gb-2312", "windows-1258", "iso-2022-cn"};

// In one piece and in two.
std::string decoded(std::string_view bytes, const Encoding& encoding, std::size_t cut) {
  Decoder decoder;
  std::string whole;
  const bool damaged = decoder.append(whole, bytes, encoding);
  require(is_valid_utf8(whole) && whole.size() <= 8 * bytes.size() + 8);
  StreamDecoder stream{encoding};
  std::string pieces;
  bool any = stream.append(pieces, bytes.substr(0, cut), false);
  any |= stream.append(pieces, bytes.substr(cut), true);
  require(pieces == whole && any == damaged);
  StreamEncoder encoder{encoding};
  std::string back;
  encoder.append(back, whole, true);
  return whole;
}

void check_tokens(std::string_view html, HtmlMode mode) {
  HtmlTokens tokens;
  tokens.start(html, mode, "script");
  const char* at = html.data();
  std::string value;
  while (tokens.next()) {
    const std::string_view raw = tokens.raw();
    require(raw.data() >= at && raw.data() + raw.size() <= html.data() + html.size());
    at = raw.data() + raw.size();
    require(is_valid_utf8(tokens.text()) && tokens.text().size() <= 3 * raw.size());
    if (tokens.kind() == HtmlTokens::Kind::doctype) {
      const HtmlDoctype doctype = read_html_doctype(raw, tokens.is_cut());
      require(is_valid_utf8(doctype.name.value_or("") + doctype.system_id.value_or("")));
    }
    for (const HtmlAttribute& attribute : tokens.attributes()) {
      value.clear();
      append_html_name(value, attribute.name);
      HtmlTokens::append_value(value, attribute.value);
      require(is_valid_utf8(value) && value.size() <= 3 * (attribute.name.size() + attribute.value.size()));
    }
  }
  require(tokens.rest().empty());
}

// Blocks are the text of the page, in order; elements stand in elements before them.
void check_blocks(const Page& page) {
  std::string folded;
  for (const PageBlock& block : page.blocks) {
    append_block(folded, page.text, block);
    require(block.begin < block.end && folded.size() == block.end);
    require(block.link_bytes <= block.end - block.begin && (block.links > 0 || block.link_bytes == 0));
    require(block.element == kNoPageElement || block.element < page.elements.size());
  }
  require(folded == page.text);
  for (std::size_t i = 0; i < page.elements.size(); ++i) {
    const PageElement& element = page.elements[i];
    require(element.parent == kNoPageElement
                ? element.depth == 0
                : element.parent < i && element.depth == page.elements[element.parent].depth + 1);
    require(element.depth < OpenElements::kMaxDepth && element.start_tag.starts_with('<'));
  }
}

// The main text is part of the text, and there is one whenever there is text. `page` was read without blocks.
void check_main_text(const Page& page, const Page& with_blocks, const std::string& html) {
  MainText main;
  std::string text;
  const MainTextFound found = main.extract(with_blocks, text);
  require(is_valid_utf8(text) && text.size() <= page.text.size() && text.empty() == page.text.empty());
  require(found != MainTextFound::whole_page || text == page.text);
  require(main.steps() <= 16 * (with_blocks.blocks.size() + with_blocks.elements.size()) + 64);
  PageTextReader reader;
  Page read;
  require(reader.read(html, PageText::main, Links::ignore, read) == (found != MainTextFound::whole_page));
  require(read.text == text && read.title == page.title);
  const PageFacts& facts = page.facts;
  for (const std::string* fact : {&facts.date, &facts.author, &facts.language, &facts.url, &facts.title})
    require(is_valid_utf8(*fact));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const std::string_view bytes{reinterpret_cast<const char*>(data) + 3, size - 3};
  const Encoding* declared = declared_in_html(bytes);
  const Encoding& encoding = data[0] % 2 == 0      ? utf8()
                             : data[0] < 100       ? detect(bytes)
                             : declared != nullptr ? *declared
                                                   : *encoding_named(kLabels[data[0] % kLabels.size()]);
  const std::string html = decoded(bytes, encoding, data[1] * bytes.size() / 256);
  check_tokens(html, HtmlMode::data);
  check_tokens(html, static_cast<HtmlMode>(data[2] % 6));
  PageReader reader;
  Page page, again;
  reader.read(html, Links::collect, page);
  require(is_valid_utf8(page.text) && is_valid_utf8(page.title) && is_valid_utf8(page.canonical));
  require(page.text.size() + page.title.size() <= 3 * html.size());
  for (const std::string& link : page.links) require(is_valid_utf8(link));
  reader.read(html, Links::ignore, again);
  require(again.text == page.text && again.title == page.title && again.base == page.base);
  reader.read(html, Links::collect, again, Blocks::collect);
  require(again.text == page.text && again.title == page.title && again.base == page.base && again.links == page.links);
  check_blocks(again);
  check_main_text(page, again, html);
  return 0;
}
