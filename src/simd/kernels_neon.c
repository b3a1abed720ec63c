/* The kernels for aarch64, where every machine has NEON. */
#include <arm_neon.h>
#include <string.h>

#include "simd/kernels.h"

/* A byte with all or no bits set becomes four bits of the result: NEON has no instruction that takes one bit of each.
 */
static inline uint64_t nibble_mask(uint8x16_t bytes) {
  return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(bytes), 4)), 0);
}

/* One bit of each byte: what is left is cleared bit by bit. */
static inline uint64_t byte_mask(uint8x8_t bytes) {
  return vget_lane_u64(vreinterpret_u64_u8(bytes), 0) & 0x0101010101010101u;
}

/* The first `count` of a mask with `width` bits a value. */
static inline uint64_t first_of(uint64_t mask, uint32_t count, uint32_t width) {
  return count * width < 64 ? mask & ((UINT64_C(1) << (count * width)) - 1) : mask;
}

static inline uint32_t lowest_bit(uint64_t mask) { return (uint32_t)__builtin_ctzll(mask); }

/* A limit of bits in a byte. No word has more than 64 of them. */
static inline uint8_t in_byte(uint32_t bits) { return (uint8_t)(bits < 255 ? bits : 255); }

static inline uint8x16_t fold16(uint8x16_t bytes) {
  const uint8x16_t lower = vorrq_u8(bytes, vdupq_n_u8(0x20)); /* changes no digit */
  const uint8x16_t letter = vcltq_u8(vsubq_u8(lower, vdupq_n_u8('a')), vdupq_n_u8(26));
  const uint8x16_t digit = vcltq_u8(vsubq_u8(bytes, vdupq_n_u8('0')), vdupq_n_u8(10));
  return vbslq_u8(vorrq_u8(letter, digit), lower, vdupq_n_u8(' '));
}

/* Folds 32 bytes. Returns where the first one stands that is not ASCII; 32 when all are. */
static inline size_t fold32(const uint8_t* text, uint8_t* out) {
  const uint8x16_t front = vld1q_u8(text), back = vld1q_u8(text + 16);
  vst1q_u8(out, fold16(front));
  vst1q_u8(out + 16, fold16(back));
  if (vmaxvq_u8(vorrq_u8(front, back)) < 0x80) return 32;
  const uint64_t high = nibble_mask(vcltzq_s8(vreinterpretq_s8_u8(front)));
  if (high != 0) return lowest_bit(high) / 4;
  return 16 + lowest_bit(nibble_mask(vcltzq_s8(vreinterpretq_s8_u8(back)))) / 4;
}

static size_t fold_ascii(const char* text, size_t n, char* out) {
  size_t i = 0;
  for (; i + 32 <= n; i += 32) {
    const size_t folded = fold32((const uint8_t*)text + i, (uint8_t*)out + i);
    if (folded != 32) return i + folded;
  }
  if (i == n) return n;
  uint8_t tail[32] = {0};
  memcpy(tail, text + i, n - i);
  const size_t folded = fold32(tail, (uint8_t*)out + i);
  return folded != 32 ? i + folded : n;
}

/* The bits of sixteen bytes stand at eight places; adding neighbours three times puts those of eight bytes into one. */
static inline uint64_t mask64(const uint8_t* folded) {
  const uint8x16_t places = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201u)), space = vdupq_n_u8(' ');
  uint8x16_t bits[4];
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) bits[k] = vbicq_u8(places, vceqq_u8(vld1q_u8(folded + 16 * k), space));
  const uint8x16_t sums = vpaddq_u8(vpaddq_u8(bits[0], bits[1]), vpaddq_u8(bits[2], bits[3]));
  return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)), 0);
}

static void word_masks(const char* folded, size_t n, uint64_t* masks) {
  for (size_t i = 0; i < n; i += 64) masks[i / 64] = mask64((const uint8_t*)folded + i);
  if (n % 64 != 0) masks[n / 64] = first_of(masks[n / 64], (uint32_t)(n % 64), 1);
}

/* `vectors` is a constant wherever this is inlined, so that multipliers and minima live in registers. */
static inline __attribute__((always_inline)) void minhash_tile(const uint64_t* features, size_t count,
                                                               const uint32_t* multipliers, uint32_t* out,
                                                               const int vectors) {
  uint32x4_t factor[8], least[8];
#pragma GCC unroll 8
  for (int k = 0; k < vectors; ++k) {
    factor[k] = vld1q_u32(multipliers + 4 * k);
    least[k] = vdupq_n_u32(UINT32_MAX);
  }
  for (size_t j = 0; j < count; ++j) {
    const uint32x2_t feature = vreinterpret_u32_u64(vld1_u64(features + j));
    const uint32x4_t high = vdupq_lane_u32(feature, 1);
#pragma GCC unroll 8
    for (int k = 0; k < vectors; ++k) least[k] = vminq_u32(least[k], vmlaq_lane_u32(high, factor[k], feature, 0));
  }
#pragma GCC unroll 8
  for (int k = 0; k < vectors; ++k) vst1q_u32(out + 4 * k, least[k]);
}

static void minhash(const uint64_t* features, size_t count, const uint32_t* multipliers, size_t size, uint32_t* out) {
  size_t i = 0;
  for (; i + 32 <= size; i += 32) minhash_tile(features, count, multipliers + i, out + i, 8);
  if (i < size) minhash_tile(features, count, multipliers + i, out + i, 4);
}

/* All ones where a value of `a` is one of the four in b0 and b1. */
static inline uint64x2_t among64(uint64x2_t a, uint64x2_t b0, uint64x2_t b1) {
  const uint64x2_t equal0 = vorrq_u64(vceqq_u64(a, b0), vceqq_u64(a, vextq_u64(b0, b0, 1)));
  const uint64x2_t equal1 = vorrq_u64(vceqq_u64(a, b1), vceqq_u64(a, vextq_u64(b1, b1, 1)));
  return vorrq_u64(equal0, equal1);
}

/* Blocks of four against four: all 16 comparisons, then whichever block ends lower moves on (both when they end equal).
 * A common value lies in exactly one compared pair of blocks, so it is counted once. The bound is looked at once per
 * four steps, because counts that leave the vectors are waited for. */
static size_t overlap(const uint64_t* a, size_t na, const uint64_t* b, size_t nb, size_t need) {
  size_t common = 0;
  while (na >= 4 && nb >= 4) {
    const size_t left = na < nb ? na : nb;
    if (common + left < need) return SIZE_MAX;
    const uint64_t *const a_before = a, *const b_before = b;
    uint64x2_t found = vdupq_n_u64(0);
    for (size_t steps = left < 16 ? left / 4 : 4; steps != 0; --steps) {
      const uint64x2_t a0 = vld1q_u64(a), a1 = vld1q_u64(a + 2), b0 = vld1q_u64(b), b1 = vld1q_u64(b + 2);
      found = vsubq_u64(found, vaddq_u64(among64(a0, b0, b1), among64(a1, b0, b1)));
      const uint64_t a_last = a[3], b_last = b[3];
      a += -(size_t)(a_last <= b_last) & 4; /* not a branch, which would be guessed wrong */
      b += -(size_t)(b_last <= a_last) & 4;
    }
    na -= (size_t)(a - a_before);
    nb -= (size_t)(b - b_before);
    common += vaddvq_u64(found);
  }
  return common + neardup_kernels_portable.overlap(a, na, b, nb, 0);
}

static size_t overlap32(const uint32_t* a, size_t na, const uint32_t* b, size_t nb, size_t need) {
  size_t common = 0;
  while (na >= 4 && nb >= 4) {
    const size_t left = na < nb ? na : nb;
    if (common + left < need) return SIZE_MAX;
    const uint32_t *const a_before = a, *const b_before = b;
    uint32x4_t found = vdupq_n_u32(0);
    for (size_t steps = left < 16 ? left / 4 : 4; steps != 0; --steps) {
      const uint32x4_t values = vld1q_u32(a), others = vld1q_u32(b);
      const uint32x4_t equal0 = vorrq_u32(vceqq_u32(values, others), vceqq_u32(values, vextq_u32(others, others, 1)));
      const uint32x4_t equal1 =
          vorrq_u32(vceqq_u32(values, vextq_u32(others, others, 2)), vceqq_u32(values, vextq_u32(others, others, 3)));
      found = vsubq_u32(found, vorrq_u32(equal0, equal1));
      const uint32_t a_last = a[3], b_last = b[3];
      a += -(size_t)(a_last <= b_last) & 4; /* not a branch, which would be guessed wrong */
      b += -(size_t)(b_last <= a_last) & 4;
    }
    na -= (size_t)(a - a_before);
    nb -= (size_t)(b - b_before);
    common += vaddvq_u32(found);
  }
  return common + neardup_kernels_portable.overlap32(a, na, b, nb, 0);
}

/* One token after the other: vectors do not help. */
static void parity(const uint32_t* tokens, size_t n, size_t words, uint64_t* out) {
  neardup_kernels_portable.parity(tokens, n, words, out);
}

static inline uint8x16_t bits_of_bytes(uint64x2_t words) { return vcntq_u8(vreinterpretq_u8_u64(words)); }

/* 16 times the bits in which eight postings differ from a probe: at most 2^13. */
static inline __attribute__((always_inline)) int16x8_t different_bits(const uint64_t* column, size_t stride,
                                                                      const uint64_t* probe, const int words) {
  uint8x16_t bytes[4] = {vdupq_n_u8(0), vdupq_n_u8(0), vdupq_n_u8(0), vdupq_n_u8(0)};
#pragma GCC unroll 8
  for (int w = 0; w < words; ++w) {
    const uint64x2_t word = vdupq_n_u64(probe[w]);
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      const uint64x2_t posting = vld1q_u64(column + (size_t)w * stride + 2 * k);
      bytes[k] = vaddq_u8(bytes[k], bits_of_bytes(veorq_u64(posting, word)));
    }
  }
  /* 8 words have at most 64 bits a byte, so that only two bytes may be added as bytes. */
  const uint16x8_t sums = vpaddq_u16(vpaddlq_u8(vpaddq_u8(bytes[0], bytes[1])),  //
                                     vpaddlq_u8(vpaddq_u8(bytes[2], bytes[3])));
  return vreinterpretq_s16_u16(vshlq_n_u16(sums, 4));
}

/* What eight postings and a probe may differ in, cut to 16 bits: no pair differs in as much as what is cut. */
static inline int16x8_t allowed_bits(const int64_t* allowances, uint64_t probe) {
  const int64x2_t more = vreinterpretq_s64_u64(vdupq_n_u64(probe));
  int32x2_t parts[4];
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) parts[k] = vqmovn_s64(vaddq_s64(vld1q_s64(allowances + 2 * k), more));
  return vcombine_s16(vqmovn_s32(vcombine_s32(parts[0], parts[1])), vqmovn_s32(vcombine_s32(parts[2], parts[3])));
}

static inline __attribute__((always_inline)) size_t match_words(const struct neardup_columns* columns, uint32_t first,
                                                                const int words, const uint64_t* probes, uint32_t from,
                                                                uint32_t to, struct neardup_hit* hits) {
  size_t found = 0;
  const uint64_t* probe = probes + (size_t)from * (size_t)(words + 1);
  for (uint32_t x = from; x < to; ++x, probe += words + 1) {
    const int16x8_t different = different_bits(columns->words + first, columns->stride, probe + 1, words);
    const uint16x8_t pass = vcleq_s16(different, allowed_bits(columns->allowances + first, probe[0]));
    for (uint64_t mask = byte_mask(vmovn_u16(pass)); mask != 0; mask &= mask - 1) {
      hits[found].scan = x;
      hits[found++].posting = first + lowest_bit(mask) / 8;
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

/* How many bits of eight words are set. */
static inline uint8x8_t bits_of_eight(uint64x2_t w0, uint64x2_t w1, uint64x2_t w2, uint64x2_t w3) {
  const uint8x16_t sums = vpaddq_u8(vpaddq_u8(bits_of_bytes(w0), bits_of_bytes(w1)),  //
                                    vpaddq_u8(bits_of_bytes(w2), bits_of_bytes(w3)));
  return vget_low_u8(vpaddq_u8(sums, sums));
}

static size_t filter_signatures(const uint64_t* signatures, size_t n, uint64_t probe, unsigned most, uint32_t* out) {
  const uint64x2_t mine = vdupq_n_u64(probe);
  const uint8x8_t limit = vdup_n_u8(in_byte(most));
  size_t found = 0, i = 0;
  for (; i + 8 <= n; i += 8) {
    const uint64_t* theirs = signatures + i;
    const uint8x8_t different =
        bits_of_eight(veorq_u64(vld1q_u64(theirs), mine), veorq_u64(vld1q_u64(theirs + 2), mine),
                      veorq_u64(vld1q_u64(theirs + 4), mine), veorq_u64(vld1q_u64(theirs + 6), mine));
    for (uint64_t mask = byte_mask(vcle_u8(different, limit)); mask != 0; mask &= mask - 1) {
      out[found++] = (uint32_t)i + lowest_bit(mask) / 8;
    }
  }
  for (; i < n; ++i) {
    out[found] = (uint32_t)i;
    found += (unsigned)__builtin_popcountll(signatures[i] ^ probe) <= most;
  }
  return found;
}

/* Which of sixteen values are near: four bits each. */
static inline uint64_t near16(const uint32_t* values, uint32_t probe, uint8x16_t limit) {
  const uint32x4_t mine = vdupq_n_u32(probe);
  uint8x16_t bits[4];
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) {
    bits[k] = vcntq_u8(vreinterpretq_u8_u32(veorq_u32(vld1q_u32(values + 4 * k), mine)));
  }
  const uint8x16_t sums = vpaddq_u8(vpaddq_u8(bits[0], bits[1]), vpaddq_u8(bits[2], bits[3]));
  return nibble_mask(vcleq_u8(sums, limit)) & 0x1111111111111111u;
}

static size_t near_halves(const struct neardup_half_scan* scans, size_t count, unsigned most,
                          struct neardup_hit* hits) {
  const uint8x16_t limit = vdupq_n_u8(in_byte(most));
  size_t found = 0;
  for (size_t s = 0; s < count; ++s) {
    for (uint32_t i = 0; i < scans[s].count; i += 16) {
      const uint32_t left = scans[s].count - i;
      uint64_t mask = first_of(near16(scans[s].values + i, scans[s].probe, limit), left < 16 ? left : 16, 4);
      for (; mask != 0; mask &= mask - 1) {
        hits[found].scan = (uint32_t)s;
        hits[found++].posting = i + lowest_bit(mask) / 4;
      }
    }
  }
  return found;
}

static size_t near_lines(const struct neardup_line_scan* scans, size_t count, unsigned most, struct neardup_hit* hits) {
  const uint8x16_t limit = vdupq_n_u8(in_byte(most));
  size_t found = 0;
  for (size_t s = 0; s < count; ++s) {
    const uint32_t last = scans[s].words[15];
    uint64_t mask = first_of(near16(scans[s].words, scans[s].probe, limit), last >> 28, 4);
    for (mask |= (uint64_t)(last >> 27 & 1) << 60; mask != 0; mask &= mask - 1) {
      hits[found].scan = (uint32_t)s;
      hits[found++].posting = lowest_bit(mask) / 4;
    }
  }
  return found;
}

/* Which of the eight words from `theirs` on the rule wants beside `mine`. Most often none differs in few bits, which is
 * all that is asked first. */
static inline uint8x8_t wanted_of_eight(const uint64_t* theirs, uint64_t mine, const struct neardup_pair_rule* rule) {
  const uint64x2_t half = vdupq_n_u64(rule->half);
  uint64x2_t x[4];
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) {
    x[k] = vandq_u64(veorq_u64(vld1q_u64(theirs + 2 * k), vdupq_n_u64(mine)), vdupq_n_u64(rule->mask));
  }
  const uint8x8_t in_all = bits_of_eight(x[0], x[1], x[2], x[3]);
  const uint8x8_t few = vcle_u8(in_all, vdup_n_u8(in_byte(rule->most)));
  if (byte_mask(few) == 0) return few;
  const uint8x8_t in_half =
      bits_of_eight(vandq_u64(x[0], half), vandq_u64(x[1], half), vandq_u64(x[2], half), vandq_u64(x[3], half));
  const uint8x8_t half_fits = vand_u8(vcge_u8(in_half, vdup_n_u8(in_byte(rule->half_least))),
                                      vcle_u8(in_half, vdup_n_u8(in_byte(rule->half_most))));
  const uint8x8_t rest_fits = vcge_u8(vsub_u8(in_all, in_half), vdup_n_u8(in_byte(rule->rest_least)));
  return vand_u8(few, vand_u8(half_fits, rest_fits));
}

static inline size_t pairs_of_word(const uint64_t* words, uint32_t i, uint32_t end,
                                   const struct neardup_pair_rule* rule, struct neardup_hit* hits, size_t found) {
  for (uint32_t j = i + 1; j < end; j += 8) {
    const uint32_t left = end - j;
    uint64_t mask = first_of(byte_mask(wanted_of_eight(words + j, words[i], rule)), left < 8 ? left : 8, 8);
    for (; mask != 0; mask &= mask - 1) {
      hits[found].scan = i;
      hits[found++].posting = j + lowest_bit(mask) / 8;
    }
  }
  return found;
}

static size_t near_pairs(const uint64_t* words, const uint32_t* ends, size_t groups,
                         const struct neardup_pair_rule* rule, struct neardup_pair_place* place,
                         struct neardup_hit* hits, size_t room) {
  const struct neardup_pair_rule own = *rule; /* stays in registers: no hit that is stored can change it */
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
      found = pairs_of_word(words, i, end, &own, hits, found);
    }
    i = end;
  }
  place->group = (uint32_t)groups;
  place->word = i;
  return found;
}

const struct neardup_kernels neardup_kernels_neon = {
    "neon", fold_ascii,     word_masks,        minhash,     overlap,    overlap32,
    parity, match_postings, filter_signatures, near_halves, near_lines, near_pairs};
