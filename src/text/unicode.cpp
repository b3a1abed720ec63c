#include "text/unicode.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/utf16.h>

#include <algorithm>
#include <string>

#include "neardup/error.h"

namespace neardup::text {
namespace {

// No mapping is longer: U+FDFA has 18 code points.
constexpr int kMaxMapping = 64;

constexpr unsigned kClassShift = 24;
constexpr char32_t kCodePoint = 0x1FFFFF;
constexpr char32_t class_of(char32_t item) { return item >> kClassShift; }

UChar32 icu(char32_t c) { return static_cast<UChar32>(c); }

[[noreturn]] void fail(UErrorCode status) {
  throw Error{ErrorCode::input,
              std::string{"ICU cannot normalise text: "} + u_errorName(status) + "; is its data library installed?"};
}

const UNormalizer2& nfkc_cf() {
  static const UNormalizer2& instance = []() -> const UNormalizer2& {
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2* found = unorm2_getNFKCCasefoldInstance(&status);
    if (U_FAILURE(status)) fail(status);
    return *found;
  }();
  return instance;
}

bool is_spaceless_script(char32_t c) {
  UErrorCode status = U_ZERO_ERROR;
  switch (uscript_getScript(icu(c), &status)) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_THAI:
    case USCRIPT_LAO:
    case USCRIPT_KHMER:
    case USCRIPT_MYANMAR:
      return true;
    default:
      return false;
  }
}

}  // namespace

Kind kind_of(char32_t c) {
  const std::uint32_t category = U_GET_GC_MASK(icu(c));
  if ((category & U_GC_M_MASK) != 0) return Kind::mark;
  if ((category & (U_GC_L_MASK | U_GC_N_MASK)) == 0) return Kind::separator;
  return is_spaceless_script(c) ? Kind::spaceless : Kind::letter;
}

bool is_number(char32_t c) { return (U_GET_GC_MASK(icu(c)) & U_GC_N_MASK) != 0; }

bool has_boundary_before(char32_t c) { return unorm2_hasBoundaryBefore(&nfkc_cf(), icu(c)) != 0; }

bool is_normal(char32_t c) {
  UChar units[2];
  int32_t length = 0;
  U16_APPEND_UNSAFE(units, length, icu(c));
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizationCheckResult result = unorm2_quickCheck(&nfkc_cf(), units, length, &status);
  if (U_FAILURE(status)) fail(status);
  return result == UNORM_YES;
}

std::uint8_t combining_class(char32_t c) { return unorm2_getCombiningClass(&nfkc_cf(), icu(c)); }

void Normaliser::append_decomposed(char32_t c) {
  items_.push_back(static_cast<char32_t>(combining_class(c)) << kClassShift | c);
}

void Normaliser::append(char32_t c) {
  UChar mapping[kMaxMapping];
  UErrorCode status = U_ZERO_ERROR;
  const int32_t length = unorm2_getDecomposition(&nfkc_cf(), icu(c), mapping, kMaxMapping, &status);
  if (U_FAILURE(status)) fail(status);
  if (length < 0) return append_decomposed(c);
  for (int32_t i = 0; i < length;) {
    UChar32 part;
    U16_NEXT_UNSAFE(mapping, i, part);
    append_decomposed(static_cast<char32_t>(part));
  }
}

// Canonical order: within each run of marks, by combining class, equal classes staying unchanged.
void Normaliser::order_marks() {
  const auto less = [](char32_t a, char32_t b) { return class_of(a) < class_of(b); };
  const auto is_starter = [](char32_t item) { return class_of(item) == 0; };
  for (auto at = items_.begin(); at != items_.end();) {
    const auto first = std::find_if_not(at, items_.end(), is_starter);
    at = std::find_if(first, items_.end(), is_starter);
    if (!std::is_sorted(first, at, less)) std::stable_sort(first, at, less);
  }
}

const std::vector<char32_t>& Normaliser::result() {
  order_marks();
  std::size_t kept = 0;  // code points are composed in place: never more are kept than were read
  std::size_t starter = 0;
  bool has_starter = false;
  char32_t last_class = 0;  // of the last code point kept
  for (const char32_t item : items_) {
    const char32_t c = item & kCodePoint;
    const bool adjacent = has_starter && starter + 1 == kept;
    // A mark is blocked from the starter by one of the same class; a starter by any mark.
    if (adjacent || (has_starter && last_class < class_of(item))) {
      const UChar32 pair = unorm2_composePair(&nfkc_cf(), icu(items_[starter]), icu(c));
      if (pair >= 0) {
        items_[starter] = static_cast<char32_t>(pair);
        continue;
      }
    }
    last_class = class_of(item);
    if (last_class == 0) {
      has_starter = true;
      starter = kept;
    }
    items_[kept++] = c;
  }
  items_.resize(kept);
  return items_;
}

void Normaliser::shrink(std::size_t max_bytes) {
  if (items_.capacity() * sizeof(char32_t) > max_bytes) std::vector<char32_t>{}.swap(items_);
}

}  // namespace neardup::text
