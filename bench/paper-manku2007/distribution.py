"""Figure 2: how evenly are fingerprints spread?"""

import array
import math
import os
import subprocess
import sys

BITS = 64
BUCKETS = 128
MOST_CODES = 2_000_000  # read into this process


def of_documents(program, path, *flags):
    """The simhash of every document of a file that has one."""
    done = subprocess.run(
        [program, "fingerprint", path, *flags, "--quiet", "-o", "-"], check=True, capture_output=True, text=True
    )
    words = (line.split("\t", 1)[0] for line in done.stdout.splitlines())
    return [int(word, 16) for word in words if word != "-"]


def of_file(path):
    """Little-endian 64-bit numbers, as hamming_data writes them."""
    codes = array.array("Q")
    with open(path, "rb") as file:
        codes.frombytes(file.read(min(os.path.getsize(path), MOST_CODES * codes.itemsize)))
    if sys.byteorder == "big":
        codes.byteswap()
    return codes.tolist()


def leading_bits(codes):
    """By position (63 is the highest): how many neighbours among the sorted different codes differ there first."""
    counts, different = [0] * BITS, sorted(set(codes))
    for before, code in zip(different, different[1:]):
        counts[(before ^ code).bit_length() - 1] += 1
    return counts


def expected_leading_bits(n):
    """The same of n codes drawn at random.

    Neighbours part at a prefix of so many bits when both ways to go on from it are taken: as often as there are such
    prefixes, on average.
    """

    def parted(depth):
        prefixes = 2.0**depth
        if n / prefixes < 1e-4:  # the exact form below would lose its digits; beyond two codes a prefix is too rare
            return n * (n - 1) / 2 / (2 * prefixes)
        neither = math.exp(n * math.log1p(-1 / prefixes)) if depth else 0.0
        return prefixes * (1 - 2 * math.exp(n * math.log1p(-0.5 / prefixes)) + neither)

    return [parted(BITS - 1 - position) for position in range(BITS)]


def buckets(codes):
    """Codes, copies included, in 128 ranges of equal width."""
    counts = [0] * BUCKETS
    for code in codes:
        counts[code >> BITS - 7] += 1
    return counts
