/* The kernels in plain C with GCC's generic vectors, which become SSE2 on the x86-64 baseline. */
#include <string.h>

#include "simd/kernels.h"

typedef uint8_t u8x16 __attribute__((vector_size(16)));
typedef uint32_t u32x4 __attribute__((vector_size(16)));
typedef int32_t i32x4 __attribute__((vector_size(16)));
typedef uint64_t u64x2 __attribute__((vector_size(16)));

static inline u8x16 fold16(u8x16 bytes) {
  const u8x16 lower = bytes + ((u8x16)((bytes - 'A') < 26) & 0x20);
  const u8x16 word = (u8x16)((lower - 'a') < 26) | (u8x16)((lower - '0') < 10);
  return (lower & word) | (~word & ' ');
}

static inline int has_high_bit(u8x16 bytes) {
  const u64x2 words = (u64x2)bytes;
  return ((words[0] | words[1]) & 0x8080808080808080u) != 0;
}

static size_t fold_ascii(const char* text, size_t n, char* out) {
  size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    u8x16 bytes;
    memcpy(&bytes, text + i, 16);
    if (has_high_bit(bytes)) break;
    bytes = fold16(bytes);
    memcpy(out + i, &bytes, 16);
  }
  size_t rest = 0;
  u8x16 bytes = {0};
  while (rest < 16 && i + rest < n && (unsigned char)text[i + rest] < 0x80) {
    bytes[rest] = (uint8_t)text[i + rest];
    ++rest;
  }
  bytes = fold16(bytes);
  memcpy(out + i, &bytes, 16);
  return i + rest;
}

/* Bit k says whether byte k of the eight is not a space. */
static inline uint64_t mask8(const char* folded) {
  uint64_t x;
  memcpy(&x, folded, 8);
  x ^= 0x2020202020202020u;
  const uint64_t not_zero = (((x & 0x7f7f7f7f7f7f7f7fu) + 0x7f7f7f7f7f7f7f7fu) | x) & 0x8080808080808080u;
  return ((not_zero >> 7) * 0x0102040810204080u) >> 56;
}

static void word_masks(const char* folded, size_t n, uint64_t* masks) {
  size_t i = 0;
  for (; i < n; i += 64) {
    uint64_t mask = 0;
    for (unsigned k = 0; k < 8; ++k) mask |= mask8(folded + i + 8 * k) << (8 * k);
    masks[i / 64] = mask;
  }
  if (n % 64 != 0) masks[n / 64] &= (UINT64_C(1) << (n % 64)) - 1;
}

/* Sixteen multipliers at a time: four vectors of minima stay in registers. Values are compared as signed numbers with
 * the top bit flipped, because SSE2 has no unsigned comparison; adding 2^31 to high(f) flips it for free. */
static void minhash(const uint64_t* features, size_t count, const uint32_t* multipliers, size_t size, uint32_t* out) {
  for (size_t i = 0; i < size; i += 16) {
    u32x4 factor[4], least[4];
    memcpy(factor, multipliers + i, sizeof factor);
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) least[k] = (u32x4){0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff};
    for (size_t j = 0; j < count; ++j) {
      const uint32_t low = (uint32_t)features[j];
      const uint32_t high = (uint32_t)(features[j] >> 32) + 0x80000000u;
#pragma GCC unroll 4
      for (int k = 0; k < 4; ++k) {
        const u32x4 value = factor[k] * low + high;
        const u32x4 smaller = (u32x4)((i32x4)value < (i32x4)least[k]);
        least[k] ^= (least[k] ^ value) & smaller;
      }
    }
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) least[k] ^= 0x80000000u;
    memcpy(out + i, least, sizeof least);
  }
}

/* A merge without branches on the data; the bound is looked at once per 16 steps. */
#define DEFINE_OVERLAP(NAME, TYPE)                                                      \
  static size_t NAME(const TYPE* a, size_t na, const TYPE* b, size_t nb, size_t need) { \
    size_t i = 0, j = 0, common = 0;                                                    \
    while (i < na && j < nb) {                                                          \
      const size_t left = na - i < nb - j ? na - i : nb - j;                            \
      if (common + left < need) return SIZE_MAX;                                        \
      for (size_t steps = left < 16 ? left : 16; steps != 0; --steps) {                 \
        const TYPE x = a[i], y = b[j];                                                  \
        common += x == y;                                                               \
        i += x <= y;                                                                    \
        j += y <= x;                                                                    \
      }                                                                                 \
    }                                                                                   \
    return common;                                                                      \
  }
DEFINE_OVERLAP(overlap, uint64_t)
DEFINE_OVERLAP(overlap32, uint32_t)

static void parity(const uint32_t* tokens, size_t n, size_t words, uint64_t* out) {
  for (size_t w = 0; w < words; ++w) out[w] = 0;
  for (size_t i = 0; i < n; ++i) {
    const uint32_t h = tokens[i] * 0x9e3779b1u >> 16;
    out[(h >> 6) & (words - 1)] ^= UINT64_C(1) << (h & 63);
  }
}

/* Without the instruction: bits are summed in fields of 2, 4 and 8, and the bytes by a multiplication. */
static inline uint32_t count_bits(uint64_t x) {
  x -= (x >> 1) & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return (uint32_t)((x * 0x0101010101010101u) >> 56);
}

/* The same of two at a time, left as sums of bytes. */
static inline u64x2 bits_of_bytes(u64x2 x) {
  x -= (x >> 1) & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
  return (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
}

static inline __attribute__((always_inline)) size_t match_words(const struct neardup_columns* columns, uint32_t first,
                                                                const int words, const uint64_t* probes, uint32_t from,
                                                                uint32_t to, struct neardup_hit* hits) {
  size_t found = 0;
  const uint64_t* probe = probes + (size_t)from * (size_t)(words + 1);
  for (uint32_t x = from; x < to; ++x, probe += words + 1) {
    u64x2 left[4], any = {0}; /* what may still be differed in; beyond is negative */
    for (uint32_t k = 0; k < 4; ++k) {
      u64x2 bytes = {0}, allowance; /* 8 words have at most 64 bits a byte */
      for (int w = 0; w < words; ++w) {
        u64x2 word;
        memcpy(&word, columns->words + (size_t)w * columns->stride + first + 2 * k, sizeof word);
        bytes += bits_of_bytes(word ^ probe[1 + w]);
      }
      /* Up to 512 bits: sums of 16 bits. */
      u64x2 sums = (bytes & 0x00ff00ff00ff00ffu) + ((bytes >> 8) & 0x00ff00ff00ff00ffu);
      sums += sums >> 32;
      sums = (sums + (sums >> 16)) & 0xffff;
      memcpy(&allowance, columns->allowances + first + 2 * k, sizeof allowance);
      left[k] = allowance + probe[0] - 16 * sums;
      any |= ~left[k];
    }
    if (((any[0] | any[1]) >> 63) == 0) continue;
    for (uint32_t k = 0; k < 8; ++k) {
      hits[found].scan = x;
      hits[found].posting = first + k;
      found += left[k / 2][k % 2] >> 63 == 0;
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
    found += count_bits(signatures[i] ^ probe) <= most;
  }
  return found;
}

/* All but the `most` lowest bits that are set. */
static inline u32x4 beyond(u32x4 x, unsigned most) {
  for (unsigned k = 0; k < most; ++k) x &= x - 1;
  return x;
}

/* Bit k says that value k of the sixteen is near. Most often none is, which is all that is asked first. */
static inline uint32_t near16(const uint32_t* values, uint32_t probe, unsigned most) {
  u32x4 parts[4], any = {0};
  memcpy(parts, values, sizeof parts);
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) {
    parts[k] = (u32x4)(beyond(parts[k] ^ probe, most) == 0);
    any |= parts[k];
  }
  const u64x2 whole = (u64x2)any;
  if ((whole[0] | whole[1]) == 0) return 0;
  uint32_t mask = 0;
  for (int k = 0; k < 16; ++k) mask |= (parts[k / 4][k % 4] & 1u) << k;
  return mask;
}

static size_t near_halves(const struct neardup_half_scan* scans, size_t count, unsigned most,
                          struct neardup_hit* hits) {
  size_t found = 0;
  for (size_t s = 0; s < count; ++s) {
    for (uint32_t i = 0; i < scans[s].count; i += 16) {
      const uint32_t left = scans[s].count - i;
      uint32_t mask = near16(scans[s].values + i, scans[s].probe, most);
      if (left < 16) mask &= (1u << left) - 1;
      for (; mask != 0; mask &= mask - 1) {
        hits[found].scan = (uint32_t)s;
        hits[found++].posting = i + (uint32_t)__builtin_ctz(mask);
      }
    }
  }
  return found;
}

static size_t near_lines(const struct neardup_line_scan* scans, size_t count, unsigned most, struct neardup_hit* hits) {
  size_t found = 0;
  for (size_t s = 0; s < count; ++s) {
    const uint32_t last = scans[s].words[15];
    uint32_t mask = near16(scans[s].words, scans[s].probe, most) & ((1u << (last >> 28)) - 1);
    for (mask |= (last >> 27 & 1) << 15; mask != 0; mask &= mask - 1) {
      hits[found].scan = (uint32_t)s;
      hits[found++].posting = (uint32_t)__builtin_ctz(mask);
    }
  }
  return found;
}

static inline size_t pairs_of_word(const uint64_t* words, uint32_t i, uint32_t end,
                                   const struct neardup_pair_rule* rule, struct neardup_hit* hits, size_t found) {
  for (uint32_t j = i + 1; j < end; ++j) {
    const uint64_t different = (words[i] ^ words[j]) & rule->mask;
    uint64_t beyond_most = different;
    for (uint32_t k = 0; k < rule->most; ++k) beyond_most &= beyond_most - 1;
    if (beyond_most != 0) continue;
    const uint32_t in_half = count_bits(different & rule->half), in_rest = count_bits(different & ~rule->half);
    hits[found].scan = i;
    hits[found].posting = j;
    found += in_half >= rule->half_least && in_half <= rule->half_most && in_rest >= rule->rest_least;
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

const struct neardup_kernels neardup_kernels_portable = {"portable",        fold_ascii,  word_masks, minhash,
                                                         overlap,           overlap32,   parity,     match_postings,
                                                         filter_signatures, near_halves, near_lines, near_pairs};
