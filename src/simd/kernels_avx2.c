/* The kernels for machines with AVX2, BMI2 and POPCNT. */
#include <immintrin.h>
#include <string.h>

#include "simd/kernels.h"

/* True in every byte that lies in [first, first + length). */
static inline __m256i in_range(__m256i bytes, char first, char length) {
  const __m256i shifted = _mm256_add_epi8(bytes, _mm256_set1_epi8((char)(-128 - first)));
  return _mm256_cmpgt_epi8(_mm256_set1_epi8((char)(-128 + length)), shifted);
}

static inline __m256i fold32(__m256i bytes) {
  const __m256i upper = _mm256_and_si256(in_range(bytes, 'A', 26), _mm256_set1_epi8(0x20));
  const __m256i lower = _mm256_add_epi8(bytes, upper);
  const __m256i word = _mm256_or_si256(in_range(lower, 'a', 26), in_range(lower, '0', 10));
  return _mm256_blendv_epi8(_mm256_set1_epi8(' '), lower, word);
}

static size_t fold_ascii(const char* text, size_t n, char* out) {
  size_t i = 0;
  for (; i + 32 <= n; i += 32) {
    const __m256i bytes = _mm256_loadu_si256((const __m256i*)(text + i));
    const uint32_t high = (uint32_t)_mm256_movemask_epi8(bytes);
    _mm256_storeu_si256((__m256i*)(out + i), fold32(bytes));
    if (high != 0) return i + _tzcnt_u32(high);
  }
  if (i == n) return n;
  char tail[32] = {0};
  memcpy(tail, text + i, n - i);
  const __m256i bytes = _mm256_loadu_si256((const __m256i*)tail);
  const uint32_t high = (uint32_t)_mm256_movemask_epi8(bytes);
  _mm256_storeu_si256((__m256i*)(out + i), fold32(bytes));
  return high != 0 ? i + _tzcnt_u32(high) : n;
}

static inline uint64_t mask32(const char* folded) {
  const __m256i bytes = _mm256_loadu_si256((const __m256i*)folded);
  return (uint32_t)~_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(' ')));
}

static void word_masks(const char* folded, size_t n, uint64_t* masks) {
  for (size_t i = 0; i < n; i += 64) masks[i / 64] = mask32(folded + i) | mask32(folded + i + 32) << 32;
  if (n % 64 != 0) masks[n / 64] = _bzhi_u64(masks[n / 64], (unsigned)(n % 64));
}

/* `vectors` is a constant wherever this is inlined, so that the minima live in registers. */
static inline __attribute__((always_inline)) void minhash_tile(const uint64_t* features, size_t count,
                                                               const uint32_t* multipliers, uint32_t* out,
                                                               const int vectors) {
  __m256i least[8];
#pragma GCC unroll 8
  for (int k = 0; k < vectors; ++k) least[k] = _mm256_set1_epi32(-1);
  for (size_t j = 0; j < count; ++j) {
    const __m256i low = _mm256_set1_epi32((int)(uint32_t)features[j]);
    const __m256i high = _mm256_set1_epi32((int)(uint32_t)(features[j] >> 32));
#pragma GCC unroll 8
    for (int k = 0; k < vectors; ++k) {
      const __m256i factor = _mm256_loadu_si256((const __m256i*)(multipliers + 8 * k));
      least[k] = _mm256_min_epu32(least[k], _mm256_add_epi32(_mm256_mullo_epi32(low, factor), high));
    }
  }
#pragma GCC unroll 8
  for (int k = 0; k < vectors; ++k) _mm256_storeu_si256((__m256i*)(out + 8 * k), least[k]);
}

static void minhash(const uint64_t* features, size_t count, const uint32_t* multipliers, size_t size, uint32_t* out) {
  size_t i = 0;
  for (; i + 64 <= size; i += 64) minhash_tile(features, count, multipliers + i, out + i, 8);
  switch ((size - i) / 16) {
    case 3:
      minhash_tile(features, count, multipliers + i, out + i, 6);
      break;
    case 2:
      minhash_tile(features, count, multipliers + i, out + i, 4);
      break;
    case 1:
      minhash_tile(features, count, multipliers + i, out + i, 2);
      break;
    default:
      break;
  }
}

static size_t merge_rest(const uint64_t* a, size_t na, const uint64_t* b, size_t nb) {
  size_t i = 0, j = 0, common = 0;
  while (i < na && j < nb) {
    const uint64_t x = a[i], y = b[j];
    common += x == y;
    i += x <= y;
    j += y <= x;
  }
  return common;
}

/* Blocks of eight against eight: all 64 comparisons, then whichever block ends lower moves on (both when they end
 * equal). A common value lies in exactly one compared pair of blocks, so it is counted once. */
static size_t overlap(const uint64_t* a, size_t na, const uint64_t* b, size_t nb, size_t need) {
  size_t i = 0, j = 0, common = 0;
  while (i + 8 <= na && j + 8 <= nb) {
    const size_t left = na - i < nb - j ? na - i : nb - j;
    if (common + left < need) return SIZE_MAX;
    const __m256i a0 = _mm256_loadu_si256((const __m256i*)(a + i));
    const __m256i a1 = _mm256_loadu_si256((const __m256i*)(a + i + 4));
    __m256i equal0 = _mm256_setzero_si256(), equal1 = equal0;
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) {
      const __m256i one = _mm256_set1_epi64x((long long)b[j + k]);
      equal0 = _mm256_or_si256(equal0, _mm256_cmpeq_epi64(a0, one));
      equal1 = _mm256_or_si256(equal1, _mm256_cmpeq_epi64(a1, one));
    }
    /* Adjacent 32-bit halves of both masks side by side: one bit pair per value. */
    const __m256i both = _mm256_blend_epi32(equal0, equal1, 0xaa);
    common += (size_t)_mm_popcnt_u32((unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(both)));
    const uint64_t a_last = a[i + 7], b_last = b[j + 7];
    i += -(size_t)(a_last <= b_last) & 8;
    j += -(size_t)(b_last <= a_last) & 8;
  }
  return common + merge_rest(a + i, na - i, b + j, nb - j);
}

const struct neardup_kernels neardup_kernels_avx2 = {"avx2", fold_ascii, word_masks, minhash, overlap};
