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

/* Eight against eight: each rotation of one block is compared with the other. */
static size_t overlap32(const uint32_t* a, size_t na, const uint32_t* b, size_t nb, size_t need) {
  const __m256i turn = _mm256_set_epi32(0, 7, 6, 5, 4, 3, 2, 1);
  size_t i = 0, j = 0, common = 0;
  while (i + 8 <= na && j + 8 <= nb) {
    const size_t left = na - i < nb - j ? na - i : nb - j;
    if (common + left < need) return SIZE_MAX;
    const __m256i values = _mm256_loadu_si256((const __m256i*)(a + i));
    __m256i others = _mm256_loadu_si256((const __m256i*)(b + j));
    __m256i equal = _mm256_setzero_si256();
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) {
      equal = _mm256_or_si256(equal, _mm256_cmpeq_epi32(values, others));
      others = _mm256_permutevar8x32_epi32(others, turn);
    }
    common += (size_t)_mm_popcnt_u32((unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(equal)));
    const uint32_t a_last = a[i + 7], b_last = b[j + 7];
    i += -(size_t)(a_last <= b_last) & 8;
    j += -(size_t)(b_last <= a_last) & 8;
  }
  while (i < na && j < nb) {
    const uint32_t x = a[i], y = b[j];
    common += x == y;
    i += x <= y;
    j += y <= x;
  }
  return common;
}

static void parity(const uint32_t* tokens, size_t n, size_t words, uint64_t* out) {
  for (size_t w = 0; w < words; ++w) out[w] = 0;
  for (size_t i = 0; i < n; ++i) {
    const uint32_t h = tokens[i] * 0x9e3779b1u >> 16;
    out[(h >> 6) & (words - 1)] ^= UINT64_C(1) << (h & 63);
  }
}

/* Bits are counted in bytes, by tables of half bytes. */
static inline __m256i bits_of_bytes(__m256i v) {
  const __m256i table =
      _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  const __m256i low4 = _mm256_set1_epi8(15);
  const __m256i low = _mm256_shuffle_epi8(table, _mm256_and_si256(v, low4));
  return _mm256_add_epi8(low, _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi64(v, 4), low4)));
}

static inline __attribute__((always_inline)) size_t match_words(const struct neardup_columns* columns, uint32_t first,
                                                                const int words, const uint64_t* probes, uint32_t from,
                                                                uint32_t to, struct neardup_hit* hits) {
  size_t found = 0;
  const uint64_t* probe = probes + (size_t)from * (size_t)(words + 1);
  for (uint32_t x = from; x < to; ++x, probe += words + 1) {
    uint32_t pass = 0;
#pragma GCC unroll 2
    for (uint32_t half = 0; half < 8; half += 4) {
      const __m256i allowance = _mm256_loadu_si256((const __m256i*)(columns->allowances + first + half));
      const __m256i allowed = _mm256_add_epi64(allowance, _mm256_set1_epi64x((long long)probe[0]));
      __m256i bytes = _mm256_setzero_si256(); /* 8 words have at most 64 bits a byte */
#pragma GCC unroll 8
      for (int w = 0; w < words; ++w) {
        const __m256i word =
            _mm256_loadu_si256((const __m256i*)(columns->words + (size_t)w * columns->stride + first + half));
        bytes =
            _mm256_add_epi8(bytes, bits_of_bytes(_mm256_xor_si256(word, _mm256_set1_epi64x((long long)probe[1 + w]))));
      }
      const __m256i different = _mm256_slli_epi64(_mm256_sad_epu8(bytes, _mm256_setzero_si256()), 4);
      const __m256i beyond = _mm256_cmpgt_epi64(different, allowed);
      pass |= (~(uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(beyond)) & 15) << half;
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
  size_t found = 0;
  for (size_t i = 0; i < n; ++i) {
    out[found] = (uint32_t)i;
    found += (unsigned)_mm_popcnt_u64(signatures[i] ^ probe) <= most;
  }
  return found;
}

static inline uint32_t near8(const uint32_t* values, __m256i probe, unsigned most) {
  const __m256i minus_one = _mm256_set1_epi32(-1);
  __m256i x = _mm256_xor_si256(_mm256_loadu_si256((const __m256i*)values), probe);
  /* Clearing the lowest set bit `most` times takes fewer steps than counting. */
  for (unsigned k = 0; k < most; ++k) x = _mm256_and_si256(x, _mm256_add_epi32(x, minus_one));
  const __m256i none_left = _mm256_cmpeq_epi32(x, _mm256_setzero_si256());
  return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(none_left));
}

static size_t near_halves(const struct neardup_half_scan* scans, size_t count, unsigned most,
                          struct neardup_hit* hits) {
  size_t found = 0;
  for (size_t s = 0; s < count; ++s) {
    const __m256i probe = _mm256_set1_epi32((int)scans[s].probe);
    for (uint32_t i = 0; i < scans[s].count; i += 8) {
      const uint32_t left = scans[s].count - i;
      uint32_t mask = _bzhi_u32(near8(scans[s].values + i, probe, most), left < 8 ? left : 8);
      for (; mask != 0; mask &= mask - 1) {
        hits[found].scan = (uint32_t)s;
        hits[found++].posting = i + _tzcnt_u32(mask);
      }
    }
  }
  return found;
}

static size_t near_lines(const struct neardup_line_scan* scans, size_t count, unsigned most, struct neardup_hit* hits) {
  size_t found = 0;
  for (size_t s = 0; s < count; ++s) {
    const uint32_t* words = scans[s].words;
    const __m256i probe = _mm256_set1_epi32((int)scans[s].probe);
    const uint32_t last = words[15];
    uint32_t mask = near8(words, probe, most) | near8(words + 8, probe, most) << 8;
    mask = _bzhi_u32(mask, last >> 28) | (last >> 27 & 1) << 15;
    for (; mask != 0; mask &= mask - 1) {
      hits[found].scan = (uint32_t)s;
      hits[found++].posting = _tzcnt_u32(mask);
    }
  }
  return found;
}

static inline size_t pairs_of_word(const uint64_t* words, uint32_t i, uint32_t end,
                                   const struct neardup_pair_rule* rule, struct neardup_hit* hits, size_t found) {
  const __m256i minus_one = _mm256_set1_epi64x(-1), mine = _mm256_set1_epi64x((long long)words[i]);
  const __m256i looked_at = _mm256_set1_epi64x((long long)rule->mask);
  for (uint32_t j = i + 1; j < end; j += 4) {
    const __m256i theirs = _mm256_loadu_si256((const __m256i*)(words + j));
    __m256i x = _mm256_and_si256(_mm256_xor_si256(theirs, mine), looked_at);
    for (uint32_t k = 0; k < rule->most; ++k) x = _mm256_and_si256(x, _mm256_add_epi64(x, minus_one));
    const __m256i none_left = _mm256_cmpeq_epi64(x, _mm256_setzero_si256());
    const uint32_t left = end - j;
    uint32_t mask = (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(none_left));
    mask = _bzhi_u32(mask, left < 4 ? left : 4);
    for (; mask != 0; mask &= mask - 1) {
      const uint32_t other = j + _tzcnt_u32(mask);
      const uint64_t different = (words[i] ^ words[other]) & rule->mask;
      const uint32_t in_half = (uint32_t)_mm_popcnt_u64(different & rule->half);
      const uint32_t in_rest = (uint32_t)_mm_popcnt_u64(different & ~rule->half);
      hits[found].scan = i;
      hits[found].posting = other;
      found += in_half >= rule->half_least && in_half <= rule->half_most && in_rest >= rule->rest_least;
    }
  }
  return found;
}

static size_t near_pairs(const uint64_t* words, const uint32_t* ends, size_t groups,
                         const struct neardup_pair_rule* rule, struct neardup_pair_place* place,
                         struct neardup_hit* hits, size_t room) {
  size_t found = 0;
  uint32_t i = place->word;
  for (size_t g = place->group; g < groups; ++g) {
    const uint32_t end = ends[g];
    for (; i + 1 < end; ++i) {
      if (found + (end - i) > room) {
        place->group = (uint32_t)g;
        place->word = i;
        return found;
      }
      found = pairs_of_word(words, i, end, rule, hits, found);
    }
    i = end;
  }
  place->group = (uint32_t)groups;
  place->word = i;
  return found;
}

const struct neardup_kernels neardup_kernels_avx2 = {
    "avx2", fold_ascii,     word_masks,        minhash,     overlap,    overlap32,
    parity, match_postings, filter_signatures, near_halves, near_lines, near_pairs};
