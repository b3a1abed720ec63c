/* Which inner loops exist once per instruction set?
 *
 * Files compiled with -mavx2 or -mavx512* include only this header, C headers and intrinsics: an inline function shared
 * with baseline code could otherwise carry AVX instructions into the baseline program. */
#ifndef NEARDUP_SIMD_KERNELS_H
#define NEARDUP_SIMD_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* One stretch of an index to look through for a probe. */
struct neardup_scan {
  uint32_t first, last; /* the postings [first, last); afterwards `last` is where looking ended */
  int32_t budget;       /* the probe's part of the allowance, in 256ths */
  uint32_t limit;       /* records from here on need no look; they ascend along the stretch */
};

/* A posting that passed. */
struct neardup_hit {
  uint32_t scan, posting;
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

  /* Which postings may lead to a partner. Posting p is allowance << 32 | record at postings[2 * p], followed by the
   * first word of its signature; word w > 0 stands at more_words[(w - 1) * stride + p]. It passes when the signature
   * differs from the probe's in at most (allowance + budget) >> 8 bits. Scan s has its own probe signature at probes[s
   * * words]. A few records from the limit on may
   * come along. Writes hits in order and returns how many; `hits` has room for all postings looked at. Reads up to 7
   * postings past `last`. */
  size_t (*scan_postings)(const uint64_t* postings, const uint64_t* more_words, size_t stride, size_t words,
                          struct neardup_scan* scans, size_t count, const uint64_t* probes, struct neardup_hit* hits);

  /* How many of the tokens are not marked (marks[token] != mark); any number above `most` once it is exceeded. Tokens
   * are below 2^31. */
  size_t (*count_unmarked)(const uint32_t* tokens, size_t n, const uint32_t* marks, uint32_t mark, size_t most);

  /* The indices, ascending, of the signatures that differ from the probe's in at most `most` bits. Returns how many;
   * `out` has room for n + 8. */
  size_t (*filter_signatures)(const uint64_t* signatures, size_t n, uint64_t probe, unsigned most, uint32_t* out);
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
