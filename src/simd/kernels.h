/* Which inner loops exist once per instruction set?
 *
 * Files compiled with -mavx2 or -mavx512* include only this header, C headers and intrinsics: an inline function shared
 * with baseline code could otherwise carry AVX instructions into the baseline program. */
#ifndef NEARDUP_SIMD_KERNELS_H
#define NEARDUP_SIMD_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* Where postings stand. A posting is record << 32 | allowance << 16 | folded signature, the allowance a signed number
 * of 16ths; word w of its whole signature stands at signatures[w * stride + posting]. `words` may be 0. */
struct neardup_postings {
  const uint64_t* postings;
  const uint64_t* signatures;
  size_t stride, words;
};

/* What a list is scanned for. */
struct neardup_probe {
  uint32_t least;        /* records before this one are no partners */
  int32_t budget;        /* the probe's part of the allowance, in 16ths */
  uint32_t folded;       /* its signature in 16 bits */
  const uint64_t* whole; /* and whole */
};

/* What passed: the number of the scan, and the place in its list. */
struct neardup_hit {
  uint32_t scan, posting;
};

/* A list of values of 32 bits, and what they are compared with. */
struct neardup_half_scan {
  const uint32_t* values;
  uint32_t count, probe;
};

/* The same for a line of 16 words: 12 values, and in the last word, from bit 28 on, how many of them count; bit 27
 * there says that the line has more elsewhere. */
struct neardup_line_scan {
  const uint32_t* words;
  uint32_t probe;
};

/* Which pairs of words are wanted. Only the bits of `mask` count: at most `most` of them differ, of those in `half` at
 * least half_least and at most half_most, and of the others at least rest_least. */
struct neardup_pair_rule {
  uint64_t mask, half;
  uint32_t most, half_least, half_most, rest_least;
};

/* Where to go on. */
struct neardup_pair_place {
  uint32_t group, word;
};

struct neardup_kernels {
  const char* name; /* "portable", "avx2", "avx512" */

  /* Folds ASCII text: A-Z to a-z; a-z and 0-9 stay; every other ASCII byte becomes a space. Stops before the first byte
   * >= 0x80 and returns how many bytes were folded (n when all were). Reads nothing past n; may write up to 64 bytes
   * past what it folded. */
  size_t (*fold_ascii)(const char* text, size_t n, char* out);

  /* Bit i of masks[i / 64] says whether byte i of the folded text belongs to a word (is not a space). Bits from n on
   * are zero. Writes (n + 63) / 64 masks; reads up to 64 bytes past n. */
  void (*word_masks)(const char* folded, size_t n, uint64_t* masks);

  /* out[i] = the minimum over all features f of (uint32)(low(f) * multipliers[i] + high(f)). `size` is a multiple of
   * 16, `count` at least 1. */
  void (*minhash)(const uint64_t* features, size_t count, const uint32_t* multipliers, size_t size, uint32_t* out);

  /* How many values two ascending arrays without repeats have in common. May stop early, and then returns SIZE_MAX,
   * once it is certain that they are fewer than `need`. */
  size_t (*overlap)(const uint64_t* a, size_t na, const uint64_t* b, size_t nb, size_t need);

  /* The same for values of 32 bits. */
  size_t (*overlap32)(const uint32_t* a, size_t na, const uint32_t* b, size_t nb, size_t need);

  /* The parity signature of a list of tokens: each flips bit (h & 63) of word (h >> 6) % words, where
   * h = token * 0x9e3779b1 >> 16. `words` is 1, 2, 4 or 8. */
  void (*parity)(const uint32_t* tokens, size_t n, size_t words, uint64_t* out);

  /* Which postings may lead to a partner. The list ends before posting `last`, its records ascend, and before its first
   * one stands a posting of record 0, which is before `least`. A posting passes when 16 times the number of bits in
   * which it differs from the probe is at most allowance + budget, for the folded signature and for the whole one.
   * Writes them in any order and returns how many; `hits` has room for the list. `looked_at` grows by the number of
   * postings from `least` on. Reads up to 7 postings before the list. */
  size_t (*scan_postings)(const struct neardup_postings* index, const struct neardup_probe* probe, uint32_t last,
                          uint32_t* hits, uint64_t* looked_at);

  /* How many of the tokens are not marked (marks[token] != mark); any number above `most` once it is exceeded. Tokens
   * are below 2^31. */
  size_t (*count_unmarked)(const uint32_t* tokens, size_t n, const uint32_t* marks, uint32_t mark, size_t most);

  /* The indices, ascending, of the signatures that differ from the probe's in at most `most` bits. Returns how many;
   * `out` has room for n + 8. */
  size_t (*filter_signatures)(const uint64_t* signatures, size_t n, uint64_t probe, unsigned most, uint32_t* out);

  /* The values that differ from their scan's probe in at most `most` bits: hits (scan, place in the list) in order.
   * Returns how many; `hits` has room for all values. Reads up to 15 values past each list. */
  size_t (*near_halves)(const struct neardup_half_scan* scans, size_t count, unsigned most, struct neardup_hit* hits);

  /* The same for lines: hits (scan, slot), and (scan, 15) after those of a line that has more elsewhere. `hits` has
   * room for 12 a line. */
  size_t (*near_lines)(const struct neardup_line_scan* scans, size_t count, unsigned most, struct neardup_hit* hits);

  /* The pairs within groups of words that the rule wants: hits (lower place, higher place), and perhaps some such pairs
   * across neighbouring groups. Group g ends before ends[g], where the next one begins; the first begins at 0. Goes on
   * from `place` (group 0, word 0 at first) until `room` hits might not do, and says so in `place`, whose group is
   * `groups` in the end. `room` is at least the size of the largest group and 8. Reads up to 7 words past the last
   * group. */
  size_t (*near_pairs)(const uint64_t* words, const uint32_t* ends, size_t groups, const struct neardup_pair_rule* rule,
                       struct neardup_pair_place* place, struct neardup_hit* hits, size_t room);
};

#ifdef __cplusplus
extern "C" {
#endif
extern const struct neardup_kernels neardup_kernels_portable;
extern const struct neardup_kernels neardup_kernels_avx2;
extern const struct neardup_kernels neardup_kernels_avx512;
#ifdef __cplusplus
}
#endif

#endif
