#include "io/codecs/stream_codec.h"

#include <fmt/format.h>

#include <algorithm>

namespace neardup::io {
namespace {

constexpr std::size_t kMostAtOnce = 1u << 30;  // most libraries count in 32 bits

}  // namespace

std::size_t StreamSource::read(std::span<char> buffer) {
  if (buffer.empty()) return 0;
  buffer = buffer.first(std::min(buffer.size(), kMostAtOnce));
  while (!done_) {
    if (input_.empty() && !flushing_ && !refill()) break;
    if (!in_stream_ && !start_stream()) continue;
    const bool starving = flushing_ || input_.empty();
    const Step step = decode(flushing_ ? std::string_view{} : input_, buffer);
    input_.remove_prefix(step.consumed);
    in_stream_ = !step.ended;
    flushing_ = step.written == buffer.size() && in_stream_;
    if (!step.problem.empty()) {
      fail(step.problem);
    } else if (!starving && in_stream_ && step.consumed + step.written == 0) {
      fail(fmt::format("damaged {} data", codec_));
    }
    if (step.written != 0) return step.written;
  }
  return 0;
}

bool StreamSource::refill() {
  const std::size_t got = file_->read(storage_);
  consumed_ += got;
  input_ = {storage_.data(), got};
  if (got != 0) return true;
  done_ = true;
  if (in_stream_) {
    problem_ =
        fmt::format("truncated {} data; the file ends at byte {} in the middle of a {}", codec_, consumed_, stream_);
  }
  return false;
}

bool StreamSource::start_stream() {
  const Next next = first_ ? Next::stream : behind_stream(input_.front());
  if (next == Next::foreign) fail(fmt::format("something that is not {} follows the compressed data", codec_));
  if (next == Next::padding) input_.remove_prefix(1);
  in_stream_ = next == Next::stream;
  first_ = false;
  return in_stream_;
}

void StreamSource::fail(std::string_view what) {
  done_ = true;
  problem_ = fmt::format("{} at byte {} of the file", what, consumed_ - input_.size());
}

void StreamSink::write(std::string_view bytes) {
  while (!bytes.empty()) {
    if (ended_) restart();
    ended_ = false;
    open_ = true;
    const Step step = encode(bytes.substr(0, kMostAtOnce), output_, false);
    to_->write({output_.data(), step.written});
    bytes.remove_prefix(step.consumed);
  }
}

void StreamSink::finish() {
  for (bool more = true; more;) {
    const Step step = encode({}, output_, true);
    to_->write({output_.data(), step.written});
    more = !step.ended;
  }
  open_ = false;
  ended_ = true;
}

void StreamSink::end_member() {
  if (open_) finish();
}

// Nothing at all is one empty stream, so that the file is one of its kind.
void StreamSink::close() {
  if (!ended_) finish();
  to_->close();
}

}  // namespace neardup::io
