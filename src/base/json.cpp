#include "base/json.h"

#include "base/utf8.h"

namespace neardup::base {

void append_json_string(std::string& out, std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  std::size_t plain = 0;  // start of the run not yet copied
  for (std::size_t i = 0, size = 1; i < text.size(); i += size) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const Utf8Step step = byte < 0x80 ? Utf8Step{1, true} : utf8_step(text.substr(i));
    size = step.size;
    if (step.valid && byte >= 0x20 && byte != '"' && byte != '\\') continue;
    out.append(text, plain, i - plain);
    plain = i + size;
    if (!step.valid) {
      out += kReplacementUtf8;
      continue;
    }
    switch (byte) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        out += {'\\', 'u', '0', '0', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  out.append(text, plain);
  out += '"';
}

}  // namespace neardup::base
