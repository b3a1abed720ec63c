/* Which inner loops exist once per instruction set?
 *
 * Files compiled with -mavx2 or -mavx512* include only this header, C headers and intrinsics: an inline function shared
 * with baseline code could otherwise carry AVX instructions into the baseline program. */
#ifndef NEARDUP_SIMD_KERNELS_H
#define NEARDUP_SIMD_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* Postings in columns: what each may differ in, in 16ths, and word w of its signature at words[w * stride + posting].
 * `count` words are 1, 2, 4 or 8. */
struct neardup_columns {
  const int64_t* allowances;
  const uint64_t* words;
  size_t stride, count;
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
  const char* name; /* "portable", "avx2", "avx512", "neon" */

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

  /* Which of the eight postings from `first` on may be partners of which of the probes from `from` to before `to`. A
   * probe is what it may differ in, a signed number, followed by the words of its signature. A pair passes when 16
   * times the number of bits in which signatures differ is at most what both may differ in. Hits (probe, posting) in
   * order. Returns how many; `hits` has room for all pairs. What may be differed in is less than 2^56. */
  size_t (*match_postings)(const struct neardup_columns* columns, uint32_t first, const uint64_t* probes, uint32_t from,
                           uint32_t to, struct neardup_hit* hits);

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
extern const struct neardup_kernels neardup_kernels_neon;
#ifdef __cplusplus
}
#endif

#endif
