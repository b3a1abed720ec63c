#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>
#include <unicode/ucnv_err.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "neardup/error.h"
#include "text/encoding.h"

namespace neardup::text {

namespace {

struct Close {
  void operator()(UConverter* converter) const { ucnv_close(converter); }
};
using Converter = std::unique_ptr<UConverter, Close>;

// ICU's own substitution writes U+001A for some encodings.
void replace_unreadable(const void* damaged, UConverterToUnicodeArgs* args, const char*, std::int32_t,
                        UConverterCallbackReason reason, UErrorCode* status) {
  if (reason > UCNV_IRREGULAR) return;  // reset, close, clone
  *static_cast<bool*>(const_cast<void*>(damaged)) = true;
  *status = U_ZERO_ERROR;
  const UChar replacement = 0xFFFD;
  ucnv_cbToUWriteUChars(args, &replacement, 1, 0, status);
}

void replace_unwritable(const void* damaged, UConverterFromUnicodeArgs* args, const UChar* units, std::int32_t length,
                        UChar32 code_point, UConverterCallbackReason reason, UErrorCode* status) {
  if (reason <= UCNV_IRREGULAR) *static_cast<bool*>(const_cast<void*>(damaged)) = true;
  UCNV_FROM_U_CALLBACK_SUBSTITUTE(nullptr, args, units, length, code_point, reason, status);
}

// One encoding into another, through a buffer of UTF-16. Linear: each byte is looked at once.
class Pipe {
 public:
  Pipe(std::string_view from, std::string_view to) : from_(open(from)), to_(open(to)) {
    UErrorCode status = U_ZERO_ERROR;
    ucnv_setToUCallBack(from_.get(), replace_unreadable, &damaged_, nullptr, nullptr, &status);
    ucnv_setFromUCallBack(to_.get(), replace_unwritable, &damaged_, nullptr, nullptr, &status);
    check(status);
    reset();
  }
  Pipe(const Pipe&) = delete;  // the converters know the address of damaged_
  Pipe& operator=(const Pipe&) = delete;

  void reset() {
    ucnv_reset(from_.get());
    ucnv_reset(to_.get());
    pivot_begin_ = pivot_end_ = pivot_.data();
  }

  bool append(std::string& out, std::string_view bytes, bool last) {
    damaged_ = false;
    if (bytes.empty()) bytes = "";  // ICU takes no null
    const char* source = bytes.data();
    UErrorCode status = U_BUFFER_OVERFLOW_ERROR;
    for (char* target; status == U_BUFFER_OVERFLOW_ERROR; out.append(piece_.data(), target)) {
      target = piece_.data();
      status = U_ZERO_ERROR;
      ucnv_convertEx(to_.get(), from_.get(), &target, piece_.data() + piece_.size(), &source,
                     bytes.data() + bytes.size(), pivot_.data(), &pivot_begin_, &pivot_end_,
                     pivot_.data() + pivot_.size(), false, last, &status);
      if (status != U_BUFFER_OVERFLOW_ERROR) check(status);
    }
    if (last) reset();
    return damaged_;
  }

 private:
  static Converter open(std::string_view name) {
    UErrorCode status = U_ZERO_ERROR;
    Converter converter{ucnv_open(std::string{name}.c_str(), &status)};
    check(status);
    return converter;
  }
  static void check(UErrorCode status) {
    if (U_FAILURE(status)) {
      throw Error{ErrorCode::input, std::string{"ICU cannot convert this encoding: "} + u_errorName(status)};
    }
  }

  Converter from_, to_;
  bool damaged_ = false;
  std::array<UChar, 4096> pivot_;
  UChar* pivot_begin_;
  UChar* pivot_end_;
  std::array<char, 8192> piece_;
};

bool append_utf8(std::string& out, std::string_view bytes) {
  bool damaged = false;
  std::size_t good = 0;  // start of the valid run not yet copied
  for (std::size_t at = 0; at < bytes.size();) {
    if (std::uint64_t eight; bytes.size() - at >= 8) {
      std::memcpy(&eight, bytes.data() + at, 8);
      if ((eight & 0x8080808080808080) == 0) {
        at += 8;
        continue;
      }
    }
    const base::Utf8Step step = base::utf8_step(bytes.substr(at));
    if (!step.valid) {
      out.append(bytes, good, at - good).append(base::kReplacementUtf8);
      good = at + step.size;
      damaged = true;
    }
    at += step.size;
  }
  out.append(bytes, good);
  return damaged;
}

}  // namespace

struct Decoder::State {
  std::vector<std::pair<const Encoding*, std::unique_ptr<Pipe>>> pipes;  // those used so far, a few
};
Decoder::Decoder() : state_(std::make_unique<State>()) {}
Decoder::~Decoder() = default;

bool Decoder::append(std::string& out, std::string_view bytes, const Encoding& encoding) {
  if (&encoding == &utf8()) return append_utf8(out, bytes);
  auto& pipes = state_->pipes;
  auto found = std::find_if(pipes.begin(), pipes.end(), [&](const auto& entry) { return entry.first == &encoding; });
  if (found == pipes.end()) {
    pipes.emplace_back(&encoding, std::make_unique<Pipe>(encoding.icu, "UTF-8"));
    found = std::prev(pipes.end());
  }
  found->second->reset();
  return found->second->append(out, bytes, true);
}

struct StreamDecoder::State : Pipe {
  using Pipe::Pipe;
};
StreamDecoder::StreamDecoder(const Encoding& encoding) : state_(std::make_unique<State>(encoding.icu, "UTF-8")) {}
StreamDecoder::~StreamDecoder() = default;
bool StreamDecoder::append(std::string& out, std::string_view bytes, bool last) {
  return state_->append(out, bytes, last);
}

struct StreamEncoder::State : Pipe {
  using Pipe::Pipe;
};
StreamEncoder::StreamEncoder(const Encoding& encoding) : state_(std::make_unique<State>("UTF-8", encoding.icu)) {}
StreamEncoder::~StreamEncoder() = default;
bool StreamEncoder::append(std::string& out, std::string_view utf8, bool last) {
  return state_->append(out, utf8, last);
}

}  // namespace neardup::text
