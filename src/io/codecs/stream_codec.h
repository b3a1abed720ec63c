// What do all compressions have in common? Bytes come in pieces, streams follow one another, and a file may end or go
// wrong anywhere. A codec only says what one step of its library does.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/codecs/codecs.h"
#include "io/output.h"
#include "neardup/files.h"

namespace neardup::io {

// Decodes any number of streams (gzip calls them members, zstd and lz4 frames), one after the other.
class StreamSource : public ByteSource {
 public:
  StreamSource(std::unique_ptr<InputFile> file, std::string_view codec, std::string_view stream)
      : file_(std::move(file)), codec_(codec), stream_(stream), storage_(kCodecBuffer) {}
  std::size_t read(std::span<char> buffer) final;

 protected:
  struct Step {
    std::size_t consumed = 0, written = 0;
    bool ended = false;     // the stream is whole
    std::string problem{};  // not empty: nothing can follow what was written
  };
  enum class Next { stream, padding, foreign };

  // Neither span has more than 1 GiB. `input` is empty while the decoder may still hold output.
  virtual Step decode(std::string_view input, std::span<char> output) = 0;
  // What a byte behind a stream begins. Where it begins a stream, the decoder gets ready for it.
  virtual Next behind_stream(char first) = 0;

 private:
  bool refill();
  bool start_stream();
  void fail(std::string_view what);

  std::unique_ptr<InputFile> file_;
  std::string_view codec_, stream_;
  std::vector<char> storage_;
  std::string_view input_;  // what is left in storage_
  bool in_stream_ = false;
  bool first_ = true;
  bool flushing_ = false;  // the decoder may still hold output that needs no further input
  bool done_ = false;
};

// Encodes into streams: one, unless members are ended.
class StreamSink : public ByteSink {
 public:
  explicit StreamSink(std::unique_ptr<ByteSink> to) : to_(std::move(to)), output_(kCodecBuffer) {}
  void write(std::string_view bytes) final;
  void end_member() final;
  void close() final;

 protected:
  struct Step {
    std::size_t consumed = 0, written = 0;
    bool ended = false;
  };
  // `input` has at most 1 GiB and is empty when the stream is to be finished, step by step until it has ended.
  virtual Step encode(std::string_view input, std::span<char> output, bool finish) = 0;
  // Gets ready for another stream.
  virtual void restart() = 0;

 private:
  void finish();

  std::unique_ptr<ByteSink> to_;
  std::vector<char> output_;
  bool open_ = false;   // the current stream has bytes
  bool ended_ = false;  // a stream has been finished, and none is begun
};

}  // namespace neardup::io
