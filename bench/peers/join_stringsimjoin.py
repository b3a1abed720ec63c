"""py_stringsimjoin's jaccard_join, words as sets. Usage: join_stringsimjoin.py A.txt PAIRS.tsv [B.txt]"""

import sys

import pandas
import py_stringmatching
import py_stringsimjoin


def read(path):
    with open(path, encoding="utf-8") as file:
        texts = file.read().splitlines()
    return pandas.DataFrame({"id": range(len(texts)), "text": texts})


left = read(sys.argv[1])
itself = len(sys.argv) < 4
right = left.copy() if itself else read(sys.argv[3])
words = py_stringmatching.WhitespaceTokenizer(return_set=True)
found = py_stringsimjoin.jaccard_join(
    left, right, "id", "id", "text", "text", words, 0.8, n_jobs=1, show_progress=False
)
if itself:  # it joins the table with its copy: every pair comes twice, every record with itself once
    found = found[found.l_id < found.r_id]
found[["l_id", "r_id", "_sim_score"]].to_csv(sys.argv[2], sep="\t", index=False)
