// Which encoding are these bytes in, and what do they say in UTF-8?
//
// Labels and their meanings are those of the web (WHATWG): "latin1", "iso-8859-1" and "ascii" all mean windows-1252,
// "gb2312" means GB18030, "ks_c_5601-1987" means EUC-KR.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace neardup::text {

// An encoding that can be read; lives as long as the program.
struct Encoding {
  std::string_view name;      // as the web calls it: "windows-1252", "Shift_JIS", "UTF-16LE"
  std::string_view icu;       // ICU's converter
  bool wide = false;          // UTF-16 and UTF-32: an ASCII character is not a byte, so bytes cannot be cut into lines
  bool ascii_trails = false;  // Shift_JIS, GB18030, Big5: a byte below 0x80 may be the second half of a character
};

const Encoding& utf8();
// By any label, in any case, spaces around it ignored; null when there is no such encoding.
const Encoding* encoding_named(std::string_view label);

// What a byte-order mark says; `encoding` is null when there is none.
struct Mark {
  const Encoding* encoding = nullptr;
  std::size_t size = 0;  // bytes of the mark
};
Mark byte_order_mark(std::string_view bytes);

// What the text says about itself within its first bytes: an XML declaration or a <meta charset>; null when nothing.
// A meta element that claims UTF-16 means UTF-8, since it could be read (as browsers take it).
const Encoding* declared_in_html(std::string_view bytes);
// Only <?xml encoding="...">.
const Encoding* declared_in_xml(std::string_view bytes);

// The most probable encoding of bytes that are not valid UTF-8, from their first 64 KiB; never null, windows-1252 when
// nothing fits. Deterministic.
const Encoding& detect(std::string_view bytes);

// Turns bytes of any encoding into UTF-8. Time is linear. Threads: one decoder per thread.
class Decoder {
 public:
  Decoder();
  ~Decoder();
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  // Appends `bytes`, whole as they are, to `out`; what is not valid becomes U+FFFD. True when there was such a thing.
  bool append(std::string& out, std::string_view bytes, const Encoding&);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The same for a stream that comes in pieces which may end anywhere, and back.
class StreamDecoder {
 public:
  explicit StreamDecoder(const Encoding&);
  ~StreamDecoder();
  // `last`: the stream ends with these bytes.
  bool append(std::string& out, std::string_view bytes, bool last);

 private:
  struct State;
  std::unique_ptr<State> state_;
};
class StreamEncoder {
 public:
  explicit StreamEncoder(const Encoding&);
  ~StreamEncoder();
  // Appends UTF-8 in pieces to `out`; what the encoding cannot say becomes its substitute, and true is returned.
  bool append(std::string& out, std::string_view utf8, bool last);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace neardup::text
