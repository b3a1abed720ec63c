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

/* Sixteen against sixteen: each rotation of one block is compared with the other. */
static inline uint32_t common_of_16(__m512i a, __m512i b) {
  const __m512i turn = _mm512_set_epi32(0, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1);
  __mmask16 equal = 0;
#pragma GCC unroll 16
  for (int k = 0; k < 16; ++k) {
    equal = _kor_mask16(equal, _mm512_cmpeq_epi32_mask(a, b));
    b = _mm512_permutexvar_epi32(turn, b);
  }
  return (uint32_t)_mm_popcnt_u32(equal);
}

static size_t overlap32(const uint32_t* a, size_t na, const uint32_t* b, size_t nb, size_t need) {
  size_t i = 0, j = 0, common = 0;
  while (i + 16 <= na && j + 16 <= nb) {
    const size_t left = na - i < nb - j ? na - i : nb - j;
    if (common + left < need) return SIZE_MAX;
    common += common_of_16(_mm512_loadu_si512(a + i), _mm512_loadu_si512(b + j));
    const uint32_t a_last = a[i + 15], b_last = b[j + 15];
    i += -(size_t)(a_last <= b_last) & 16;
    j += -(size_t)(b_last <= a_last) & 16;
  }
  while (i < na && j < nb) {
    const uint32_t x = a[i], y = b[j];
    common += x == y;
    i += x <= y;
    j += y <= x;
  }
  return common;
}

static inline uint64_t xor_all(__m512i v) {
  const __m256i half = _mm256_xor_si256(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1));
  const __m128i quarter = _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
  return (uint64_t)_mm_extract_epi64(quarter, 0) ^ (uint64_t)_mm_extract_epi64(quarter, 1);
}

static inline __attribute__((always_inline)) void parity_of(const uint32_t* tokens, size_t n, const int words,
                                                            uint64_t* out) {
  __m512i sums[8];
  const __m512i one = _mm512_set1_epi64(1), low6 = _mm512_set1_epi64(63);
  for (int w = 0; w < words; ++w) sums[w] = _mm512_setzero_si512();
  for (size_t i = 0; i < n; i += 8) {
    const __mmask8 valid = n - i >= 8 ? 0xff : (__mmask8)((1u << (n - i)) - 1);
    const __m256i values = _mm256_maskz_loadu_epi32(valid, tokens + i);
    const __m256i hash = _mm256_srli_epi32(_mm256_mullo_epi32(values, _mm256_set1_epi32((int)0x9e3779b1u)), 16);
    const __m512i h = _mm512_cvtepu32_epi64(hash);
    const __m512i bit = _mm512_maskz_sllv_epi64(valid, one, _mm512_and_si512(h, low6));
    if (words == 1) {
      sums[0] = _mm512_xor_si512(sums[0], bit);
      continue;
    }
    const __m512i word = _mm512_and_si512(_mm512_srli_epi64(h, 6), _mm512_set1_epi64(words - 1));
#pragma GCC unroll 8
    for (int w = 0; w < words; ++w)
      sums[w] = _mm512_mask_xor_epi64(sums[w], _mm512_cmpeq_epi64_mask(word, _mm512_set1_epi64(w)), sums[w], bit);
  }
  for (int w = 0; w < words; ++w) out[w] = xor_all(sums[w]);
}

static void parity(const uint32_t* tokens, size_t n, size_t words, uint64_t* out) {
  switch (words) {
    case 1:
      parity_of(tokens, n, 1, out);
      break;
    case 2:
      parity_of(tokens, n, 2, out);
      break;
    case 4:
      parity_of(tokens, n, 4, out);
      break;
    default:
      parity_of(tokens, n, 8, out);
      break;
  }
}

/* The postings stay in registers while the probes pass by. */
static inline __attribute__((always_inline)) size_t match_words(const struct neardup_columns* columns, uint32_t first,
                                                                const int words, const uint64_t* probes, uint32_t from,
                                                                uint32_t to, struct neardup_hit* hits) {
  __m512i postings[8];
  for (int w = 0; w < words; ++w)
    postings[w] = _mm512_loadu_si512(columns->words + (size_t)w * columns->stride + first);
  const __m512i allowances = _mm512_loadu_si512(columns->allowances + first);
  const int at_once = words < 4 ? words : 4; /* then it is worth asking whether any is left */
  size_t found = 0;
  const uint64_t* probe = probes + (size_t)from * (size_t)(words + 1);
  for (uint32_t x = from; x < to; ++x, probe += words + 1) {
    const __m512i allowed = _mm512_add_epi64(allowances, _mm512_set1_epi64((long long)probe[0]));
    __m512i different = _mm512_setzero_si512();
#pragma GCC unroll 4
    for (int w = 0; w < at_once; ++w) {
      const __m512i bits = _mm512_xor_si512(postings[w], _mm512_set1_epi64((long long)probe[1 + w]));
      different = _mm512_add_epi64(different, _mm512_popcnt_epi64(bits));
    }
    uint32_t pass = _mm512_cmple_epi64_mask(_mm512_slli_epi64(different, 4), allowed);
    if (words > 4 && pass != 0) {
#pragma GCC unroll 4
      for (int w = 4; w < words; ++w) {
        const __m512i bits = _mm512_xor_si512(postings[w], _mm512_set1_epi64((long long)probe[1 + w]));
        different = _mm512_add_epi64(different, _mm512_popcnt_epi64(bits));
      }
      pass = _mm512_cmple_epi64_mask(_mm512_slli_epi64(different, 4), allowed);
    }
    for (; pass != 0; pass &= pass - 1) {
      hits[found].scan = x;
      hits[found++].posting = first + _tzcnt_u32(pass);
    }
  }
  return found;
}

static size_t match_postings(const struct neardup_columns* columns, uint32_t first, const uint64_t* probes,
                             uint32_t from, uint32_t to, struct neardup_hit* hits) {
  switch (columns->count) {
    case 1:
      return match_words(columns, first, 1, probes, from, to, hits);
    case 2:
      return match_words(columns, first, 2, probes, from, to, hits);
    case 4:
      return match_words(columns, first, 4, probes, from, to, hits);
    default:
      return match_words(columns, first, 8, probes, from, to, hits);
  }
}

static size_t filter_signatures(const uint64_t* signatures, size_t n, uint64_t probe, unsigned most, uint32_t* out) {
  const __m512i mine = _mm512_set1_epi64((long long)probe), limit = _mm512_set1_epi64((long long)most);
  size_t found = 0;
  for (size_t i = 0; i < n; i += 8) {
    const __mmask8 in = n - i < 8 ? (__mmask8)((1u << (n - i)) - 1) : 0xff;
    const __m512i theirs = _mm512_maskz_loadu_epi64(in, signatures + i);
    const __m512i different = _mm512_popcnt_epi64(_mm512_xor_si512(theirs, mine));
    for (uint32_t pass = _mm512_mask_cmple_epu64_mask(in, different, limit); pass != 0; pass &= pass - 1) {
      out[found++] = (uint32_t)i + _tzcnt_u32(pass);
    }
  }
  return found;
}

static size_t near_halves(const struct neardup_half_scan* scans, size_t count, unsigned most,
                          struct neardup_hit* hits) {
  const __m512i limit = _mm512_set1_epi32((int)most);
  size_t found = 0;
  for (size_t s = 0; s < count; ++s) {
    const __m512i probe = _mm512_set1_epi32((int)scans[s].probe);
    for (uint32_t i = 0; i < scans[s].count; i += 16) {
      const __m512i different = _mm512_xor_si512(_mm512_loadu_si512(scans[s].values + i), probe);
      uint32_t mask = _mm512_cmple_epu32_mask(_mm512_popcnt_epi32(different), limit);
      if (__builtin_expect(mask == 0, 1)) continue;
      const uint32_t left = scans[s].count - i;
      for (mask = _bzhi_u32(mask, left < 16 ? left : 16); mask != 0; mask &= mask - 1) {
        hits[found].scan = (uint32_t)s;
        hits[found++].posting = i + _tzcnt_u32(mask);
      }
    }
  }
  return found;
}

static size_t near_lines(const struct neardup_line_scan* scans, size_t count, unsigned most, struct neardup_hit* hits) {
  const __m512i limit = _mm512_set1_epi32((int)most);
  size_t found = 0;
  for (size_t s = 0; s < count; ++s) {
    const __m512i different =
        _mm512_xor_si512(_mm512_loadu_si512(scans[s].words), _mm512_set1_epi32((int)scans[s].probe));
    const uint32_t last = scans[s].words[15];
    uint32_t mask = _mm512_cmple_epu32_mask(_mm512_popcnt_epi32(different), limit);
    mask = _bzhi_u32(mask, last >> 28) | (last >> 27 & 1) << 15;
    for (; __builtin_expect(mask != 0, 0); mask &= mask - 1) {
      hits[found].scan = (uint32_t)s;
      hits[found++].posting = _tzcnt_u32(mask);
    }
  }
  return found;
}

/* A rule in vectors. */
struct pair_tests {
  __m512i looked_at, half, most, rest_least, half_least, half_most;
};

/* The pairs of word i with those of the eight words from j on that are in `left`. */
static inline size_t pairs_with_eight(const uint64_t* words, uint32_t i, uint32_t j, __mmask8 left,
                                      const struct pair_tests* tests, struct neardup_hit* hits, size_t found) {
  const __m512i upper = _mm512_slli_epi64(_mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0), 32);
  const __m512i mine = _mm512_set1_epi64((long long)words[i]);
  /* 0x28: (a ^ b) & c */
  const __m512i different = _mm512_ternarylogic_epi64(mine, _mm512_loadu_si512(words + j), tests->looked_at, 0x28);
  const __m512i in_half = _mm512_popcnt_epi64(_mm512_and_si512(different, tests->half));
  const __m512i in_all = _mm512_popcnt_epi64(different);
  __mmask8 near = _mm512_mask_cmple_epu64_mask(left, in_all, tests->most);
  near = _mm512_mask_cmpge_epu64_mask(near, in_half, tests->half_least);
  near = _mm512_mask_cmple_epu64_mask(near, in_half, tests->half_most);
  near = _mm512_mask_cmpge_epu64_mask(near, _mm512_sub_epi64(in_all, in_half), tests->rest_least);
  /* Pairs come too often to guess whether one does: what follows runs every time. */
  const __m512i pairs = _mm512_add_epi64(upper, _mm512_set1_epi64((long long)((uint64_t)j << 32 | i)));
  _mm512_storeu_si512(hits + found, _mm512_maskz_compress_epi64(near, pairs));
  return found + (size_t)_mm_popcnt_u32(near);
}

/* Whether 16 groups that follow each other have at most 9 words each. `ends` are theirs, `first` where they begin. */
static inline int are_small(const uint32_t* ends, uint32_t first) {
  const __m512i to = _mm512_loadu_si512(ends);
  const __m512i from = _mm512_alignr_epi32(to, _mm512_set1_epi32((int)first), 15);
  return _mm512_cmpgt_epu32_mask(_mm512_sub_epi32(to, from), _mm512_set1_epi32(9)) == 0;
}

static size_t near_pairs(const uint64_t* words, const uint32_t* ends, size_t groups,
                         const struct neardup_pair_rule* rule, struct neardup_pair_place* place,
                         struct neardup_hit* hits, size_t room) {
  enum { kAtOnce = 16 };
  const struct pair_tests tests = {_mm512_set1_epi64((long long)rule->mask),
                                   _mm512_set1_epi64((long long)rule->half),
                                   _mm512_set1_epi64(rule->most),
                                   _mm512_set1_epi64(rule->rest_least),
                                   _mm512_set1_epi64(rule->half_least),
                                   _mm512_set1_epi64(rule->half_most)};
  const uint32_t last = groups == 0 ? 0 : ends[groups - 1];
  size_t found = 0;
  uint32_t i = place->word;
  for (size_t g = place->group; g < groups; ++g) {
    /* Each word with the eight after it: where groups are small, that is quicker than to look where each ends. */
    while (g + kAtOnce < groups && ends[g + kAtOnce - 1] + 8 <= last && room - found >= 8 * (9 * kAtOnce + 1) &&
           are_small(ends + g, i)) {
      const uint32_t end = ends[g + kAtOnce - 1];
      for (; i < end; ++i) found = pairs_with_eight(words, i, i + 1, 0xff, &tests, hits, found);
      g += kAtOnce;
    }
    const uint32_t end = ends[g];
    for (; i + 1 < end; ++i) {
      if (found + (end - i) + 8 > room) {
        place->group = (uint32_t)g;
        place->word = i;
        return found;
      }
      for (uint32_t j = i + 1; j < end; j += 8) {
        const uint32_t left = end - j < 8 ? end - j : 8;
        found = pairs_with_eight(words, i, j, (__mmask8)((1u << left) - 1), &tests, hits, found);
      }
    }
    i = end;
  }
  place->group = (uint32_t)groups;
  place->word = i;
  return found;
}

const struct neardup_kernels neardup_kernels_avx512 = {"avx512",          fold_ascii,  word_masks, minhash,
                                                       overlap,           overlap32,   parity,     match_postings,
                                                       filter_signatures, near_halves, near_lines, near_pairs};
