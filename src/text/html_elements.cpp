#include "text/html_elements.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <iterator>

namespace neardup::text {

namespace {

using enum HtmlBreak;
using enum HtmlNesting;
using enum HtmlRole;

constexpr HtmlElement kUnknown{};

constexpr HtmlElement kElements[] = {
    // Not read: elements that are not text, and fallbacks for content that is shown instead.
    {"script", none, outside, dropped, HtmlMode::script},
    {"style", none, outside, dropped, HtmlMode::rawtext},
    {"noscript", none, outside, dropped, HtmlMode::rawtext},
    {"template", none, outside, dropped},
    {"iframe", space, outside, dropped, HtmlMode::rawtext},
    {"noembed", none, outside, dropped, HtmlMode::rawtext},
    {"noframes", none, outside, dropped, HtmlMode::rawtext},
    {"object", space, outside, dropped},
    {"applet", space, outside, dropped},
    {"canvas", space, outside, dropped},
    {"audio", space, outside, dropped},
    {"video", space, outside, dropped},
    {"datalist", none, outside, dropped},
    {"svg", space, outside, foreign},
    {"math", space, outside, foreign},
    {"title", line, outside, title, HtmlMode::rcdata},
    // Neither content nor end tag.
    {"link", none, outside, HtmlRole::link},
    {"base", none, outside, HtmlRole::base},
    {"meta", none, outside, HtmlRole::meta},
    {"time", none, outside, HtmlRole::time},
    {"embed", space},
    {"input", space},
    {"br", line, outside, line_break},
    {"hr", line},
    {"a", none, outside, anchor},
    {"area", none, outside, anchor},
    // Boxes in a line.
    {"button", space, box},
    {"select", space, box},
    {"textarea", space, box, preformatted, HtmlMode::rcdata},
    {"meter", space},
    {"progress", space},
    {"td", cell, table_cell},
    {"th", cell, table_cell},
    // Blocks.
    {"pre", line, flow, preformatted},
    {"listing", line, flow, preformatted},
    {"xmp", line, flow, preformatted, HtmlMode::rawtext},
    {"plaintext", line, flow, preformatted, HtmlMode::plaintext},
    {"address", line, flow},
    {"article", line, flow},
    {"aside", line, flow},
    {"blockquote", line, flow},
    {"body", line, root},
    {"caption", line, table_row},
    {"center", line, flow},
    {"colgroup", line},
    {"dd", line, term},
    {"details", line, flow},
    {"dialog", line, flow},
    {"dir", line, list},
    {"div", line, flow},
    {"dl", line, terms},
    {"dt", line, term},
    {"fieldset", line, flow},
    {"figcaption", line, flow},
    {"figure", line, flow},
    {"footer", line, flow},
    {"form", line, flow},
    {"frameset", line},
    {"h1", line, heading},
    {"h2", line, heading},
    {"h3", line, heading},
    {"h4", line, heading},
    {"h5", line, heading},
    {"h6", line, heading},
    {"head", line},
    {"header", line, flow},
    {"hgroup", line, flow},
    {"html", line, root, HtmlRole::page},
    {"legend", line, flow},
    {"li", line, item},
    {"main", line, flow},
    {"menu", line, list},
    {"nav", line, flow},
    {"ol", line, list},
    {"optgroup", line},
    {"option", line, choice},
    {"p", line, paragraph},
    {"search", line, flow},
    {"section", line, flow},
    {"summary", line, flow},
    {"table", line, HtmlNesting::table},
    {"tbody", line, table_part},
    {"tfoot", line, table_part},
    {"thead", line, table_part},
    {"tr", line, table_row},
    {"ul", line, list},
};

static_assert(std::size(kElements) <= kHtmlElements);

// A name of up to 16 bytes as two numbers.
struct Key {
  std::uint64_t low = 0, high = 0;
  bool operator==(const Key&) const = default;
  std::size_t slot() const { return static_cast<std::size_t>((low ^ high * 31) * 0x9E3779B97F4A7C15 >> 55); }
};
constexpr std::size_t kSlots = 512;

Key key_of(std::string_view name) {
  char bytes[16] = {};
  std::memcpy(bytes, name.data(), name.size());
  Key key;
  std::memcpy(&key.low, bytes, 8);
  std::memcpy(&key.high, bytes + 8, 8);
  // Lower case: of the bytes of a name only letters matter, and no name in the table has a byte that this changes into
  // one of its own by mistake (@ [ \ ] ^ _ become ` { | } ~ DEL; digits have the bit already).
  key.low |= (key.low & 0x4040404040404040) >> 1;
  key.high |= (key.high & 0x4040404040404040) >> 1;
  return key;
}

struct Table {
  struct Slot {
    Key key;
    const HtmlElement* element = &kUnknown;
  };
  std::array<Slot, kSlots> slots;

  Table() {
    for (const HtmlElement& element : kElements) {
      const Key key = key_of(element.name);
      std::size_t at = key.slot();
      while (slots[at].element != &kUnknown) at = (at + 1) % kSlots;
      slots[at] = {key, &element};
    }
  }
};

}  // namespace

const HtmlElement& html_element(std::string_view raw_name) {
  static const Table table;
  if (raw_name.size() > 16) return kUnknown;
  const Key key = key_of(raw_name);
  std::size_t at = key.slot();
  while (table.slots[at].element != &kUnknown && table.slots[at].key != key) at = (at + 1) % kSlots;
  const HtmlElement& found = *table.slots[at].element;
  return found.name.size() == raw_name.size() ? found : kUnknown;  // else it ends in NUL
}

std::size_t html_element_number(const HtmlElement& element) { return static_cast<std::size_t>(&element - kElements); }

}  // namespace neardup::text
