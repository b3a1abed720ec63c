/* The kernels for machines with AVX-512 F, BW, DQ, VL and VPOPCNTDQ. */
#include <immintrin.h>

#include "simd/kernels.h"

static inline __m512i fold64(__m512i bytes) {
  const __mmask64 upper = _mm512_cmplt_epu8_mask(_mm512_sub_epi8(bytes, _mm512_set1_epi8('A')), _mm512_set1_epi8(26));
  const __m512i lower = _mm512_mask_add_epi8(bytes, upper, bytes, _mm512_set1_epi8(0x20));
  const __mmask64 letter = _mm512_cmplt_epu8_mask(_mm512_sub_epi8(lower, _mm512_set1_epi8('a')), _mm512_set1_epi8(26));
  const __mmask64 digit = _mm512_cmplt_epu8_mask(_mm512_sub_epi8(lower, _mm512_set1_epi8('0')), _mm512_set1_epi8(10));
  return _mm512_mask_blend_epi8(letter | digit, _mm512_set1_epi8(' '), lower);
}

static size_t fold_ascii(const char* text, size_t n, char* out) {
  size_t i = 0;
  for (; i + 64 <= n; i += 64) {
    const __m512i bytes = _mm512_loadu_si512(text + i);
    const uint64_t high = _mm512_movepi8_mask(bytes);
    _mm512_storeu_si512(out + i, fold64(bytes));
    if (high != 0) return i + _tzcnt_u64(high);
  }
  const __m512i bytes = _mm512_maskz_loadu_epi8(_bzhi_u64(~UINT64_C(0), (unsigned)(n - i)), text + i);
  const uint64_t high = _mm512_movepi8_mask(bytes);
  _mm512_storeu_si512(out + i, fold64(bytes));
  return high != 0 ? i + _tzcnt_u64(high) : n;
}

static void word_masks(const char* folded, size_t n, uint64_t* masks) {
  const __m512i space = _mm512_set1_epi8(' ');
  for (size_t i = 0; i < n; i += 64) masks[i / 64] = _mm512_cmpneq_epi8_mask(_mm512_loadu_si512(folded + i), space);
  if (n % 64 != 0) masks[n / 64] = _bzhi_u64(masks[n / 64], (unsigned)(n % 64));
}

/* `vectors` is a constant wherever this is inlined, so that minima and multipliers live in registers. */
static inline __attribute__((always_inline)) void minhash_tile(const uint64_t* features, size_t count,
                                                               const uint32_t* multipliers, uint32_t* out,
                                                               const int vectors) {
  __m512i least[8], factor[8];
#pragma GCC unroll 8
  for (int k = 0; k < vectors; ++k) {
    least[k] = _mm512_set1_epi32(-1);
    factor[k] = _mm512_loadu_si512(multipliers + 16 * k);
  }
  for (size_t j = 0; j < count; ++j) {
    const __m512i low = _mm512_set1_epi32((int)(uint32_t)features[j]);
    const __m512i high = _mm512_set1_epi32((int)(uint32_t)(features[j] >> 32));
#pragma GCC unroll 8
    for (int k = 0; k < vectors; ++k)
      least[k] = _mm512_min_epu32(least[k], _mm512_add_epi32(_mm512_mullo_epi32(low, factor[k]), high));
  }
#pragma GCC unroll 8
  for (int k = 0; k < vectors; ++k) _mm512_storeu_si512(out + 16 * k, least[k]);
}

static void minhash(const uint64_t* features, size_t count, const uint32_t* multipliers, size_t size, uint32_t* out) {
  size_t i = 0;
  for (; i + 128 <= size; i += 128) minhash_tile(features, count, multipliers + i, out + i, 8);
  switch ((size - i) / 16) {
    case 7:
      minhash_tile(features, count, multipliers + i, out + i, 7);
      break;
    case 6:
      minhash_tile(features, count, multipliers + i, out + i, 6);
      break;
    case 5:
      minhash_tile(features, count, multipliers + i, out + i, 5);
      break;
    case 4:
      minhash_tile(features, count, multipliers + i, out + i, 4);
      break;
    case 3:
      minhash_tile(features, count, multipliers + i, out + i, 3);
      break;
    case 2:
      minhash_tile(features, count, multipliers + i, out + i, 2);
      break;
    case 1:
      minhash_tile(features, count, multipliers + i, out + i, 1);
      break;
    default:
      break;
  }
}

static inline __mmask8 equal_to(__m512i values, uint64_t one) {
  return _mm512_cmpeq_epi64_mask(values, _mm512_set1_epi64((long long)one));
}

/* Which of eight values are among b[0..7]. */
static inline __mmask8 among(__m512i values, const uint64_t* b) {
  const __mmask8 m01 = _kor_mask8(equal_to(values, b[0]), equal_to(values, b[1]));
  const __mmask8 m23 = _kor_mask8(equal_to(values, b[2]), equal_to(values, b[3]));
  const __mmask8 m45 = _kor_mask8(equal_to(values, b[4]), equal_to(values, b[5]));
  const __mmask8 m67 = _kor_mask8(equal_to(values, b[6]), equal_to(values, b[7]));
  return _kor_mask8(_kor_mask8(m01, m23), _kor_mask8(m45, m67));
}

/* Blocks of eight against eight: all 64 comparisons, then whichever block ends lower moves on (both when they end
 * equal). A common value lies in exactly one compared pair of blocks, so it is counted once. */
static size_t overlap(const uint64_t* a, size_t na, const uint64_t* b, size_t nb, size_t need) {
  size_t i = 0, j = 0, common = 0;
  while (i + 8 <= na && j + 8 <= nb) {
    const size_t left = na - i < nb - j ? na - i : nb - j;
    if (common + left < need) return SIZE_MAX;
    common += (size_t)_mm_popcnt_u32(among(_mm512_loadu_si512(a + i), b + j));
    const uint64_t a_last = a[i + 7], b_last = b[j + 7];
    i += -(size_t)(a_last <= b_last) & 8;
    j += -(size_t)(b_last <= a_last) & 8;
  }
  while (i < na && j < nb) {
    const uint64_t x = a[i], y = b[j];
    common += x == y;
    i += x <= y;
    j += y <= x;
  }
  return common;
}

const struct neardup_kernels neardup_kernels_avx512 = {"avx512", fold_ascii, word_masks, minhash, overlap};
