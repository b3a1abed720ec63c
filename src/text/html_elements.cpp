#include "text/html_elements.h"

#include <array>
#include <cstddef>
#include <cstring>

namespace neardup::text {

namespace {

using enum HtmlBreak;
using enum HtmlRole;

constexpr HtmlElement kUnknown{};

constexpr HtmlElement kElements[] = {
    // Not read: what is no text, and what stands in for another thing that is shown instead.
    {"script", none, dropped, HtmlMode::script},
    {"style", none, dropped, HtmlMode::rawtext},
    {"noscript", none, dropped, HtmlMode::rawtext},
    {"template", none, dropped},
    {"iframe", space, dropped, HtmlMode::rawtext},
    {"noembed", none, dropped, HtmlMode::rawtext},
    {"noframes", none, dropped, HtmlMode::rawtext},
    {"object", space, dropped},
    {"applet", space, dropped},
    {"canvas", space, dropped},
    {"audio", space, dropped},
    {"video", space, dropped},
    {"datalist", none, dropped},
    {"svg", space, foreign},
    {"math", space, foreign},
    {"title", line, title, HtmlMode::rcdata},
    // Neither content nor end tag.
    {"link", none, HtmlRole::link},
    {"base", none, HtmlRole::base},
    {"embed", space},
    {"input", space},
    {"br", line},
    {"hr", line},
    {"a", none, anchor},
    {"area", none, anchor},
    // Boxes in a line.
    {"button", space},
    {"select", space},
    {"textarea", space, preformatted, HtmlMode::rcdata},
    {"meter", space},
    {"progress", space},
    {"td", cell},
    {"th", cell},
    // Blocks.
    {"pre", line, preformatted},
    {"listing", line, preformatted},
    {"xmp", line, preformatted, HtmlMode::rawtext},
    {"plaintext", line, preformatted, HtmlMode::plaintext},
    {"address", line},
    {"article", line},
    {"aside", line},
    {"blockquote", line},
    {"body", line},
    {"caption", line},
    {"center", line},
    {"colgroup", line},
    {"dd", line},
    {"details", line},
    {"dialog", line},
    {"dir", line},
    {"div", line},
    {"dl", line},
    {"dt", line},
    {"fieldset", line},
    {"figcaption", line},
    {"figure", line},
    {"footer", line},
    {"form", line},
    {"frameset", line},
    {"h1", line},
    {"h2", line},
    {"h3", line},
    {"h4", line},
    {"h5", line},
    {"h6", line},
    {"head", line},
    {"header", line},
    {"hgroup", line},
    {"html", line},
    {"legend", line},
    {"li", line},
    {"main", line},
    {"menu", line},
    {"nav", line},
    {"ol", line},
    {"optgroup", line},
    {"option", line},
    {"p", line},
    {"search", line},
    {"section", line},
    {"summary", line},
    {"table", line},
    {"tbody", line},
    {"tfoot", line},
    {"thead", line},
    {"tr", line},
    {"ul", line},
};

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

}  // namespace neardup::text
