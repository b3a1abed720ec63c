// How are files read whose bytes cannot be cut into lines before they are decoded (UTF-16, UTF-32)?
//
// A stream between codec and cutter turns them into UTF-8, and one before the codec turns kept records back. Other
// encodings leave line ends, commas and quotes alone: there records are cut, and written back, unchanged, and
// decoded one by one.
#pragma once

#include <memory>

#include "io/codecs/codecs.h"
#include "io/output.h"
#include "io/record.h"
#include "text/encoding.h"

namespace neardup::io {

// Whether a source is read through such streams.
bool is_transcoded(const Source&);
std::unique_ptr<ByteSource> transcoded(std::unique_ptr<ByteSource>, const text::Encoding&);
std::unique_ptr<ByteSink> transcoded(std::unique_ptr<ByteSink>, const text::Encoding&);

// Shows records of a source in UTF-8, whatever it is in. Threads: one per thread.
class DecodedRecords {
 public:
  struct View {
    const RecordBatch& batch;
    std::size_t place;
  };
  // The record itself when it needs no decoding; else a copy that is valid until the next call.
  View decode(const RecordBatch&, std::size_t place);
  // Of the last record.
  [[nodiscard]] Decoding decoding() const { return decoding_; }

 private:
  text::Decoder decoder_;
  RecordBatch batch_;
  Decoding decoding_;
};

}  // namespace neardup::io
