"""rapidfuzz's cdist in slices, Levenshtein distance at most 2. Usage: join_rapidfuzz.py A.txt PAIRS.tsv"""

import sys

import numpy
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

SLICE = 1000
MOST = 2

with open(sys.argv[1], encoding="utf-8") as file:
    names = file.read().splitlines()
with open(sys.argv[2], "w") as file:
    file.write("left\tright\tscore\n")
    for start in range(0, len(names), SLICE):
        distances = cdist(
            names[start : start + SLICE], names, scorer=Levenshtein.distance, score_cutoff=MOST, dtype=numpy.uint8
        )
        for row, column in zip(*numpy.nonzero(distances <= MOST)):
            if column > row + start:
                file.write(f"{row + start}\t{column}\t{distances[row, column]}\n")
