"""SetSimilaritySearch's all_pairs, words as sets, Jaccard. Usage: join_setsimilaritysearch.py A.txt PAIRS.tsv"""

import sys

from SetSimilaritySearch import all_pairs

with open(sys.argv[1], encoding="utf-8") as file:
    records = [set(line.split()) for line in file]
with open(sys.argv[2], "w") as file:
    file.write("left\tright\tscore\n")
    for one, other, score in all_pairs(records, similarity_func_name="jaccard", similarity_threshold=0.8):
        file.write(f"{other}\t{one}\t{score}\n")
