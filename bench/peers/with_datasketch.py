"""datasketch: MinHash of word 5-grams and MinHashLSH, one document after another as its documentation shows."""
from datasketch import MinHash, MinHashLSH

import shared

options = shared.arguments()
lines, texts = shared.read(options)
lsh = MinHashLSH(threshold=0.8, num_perm=128)
keep, links = [], []
sets = ([gram.encode() for gram in set(shared.word_grams(text))] for text in texts)
for row, sketch in enumerate(MinHash.generator(sets, num_perm=128)):
    found = lsh.query(sketch)
    keep.append(not found)
    if found:
        links += [(other, row) for other in found]
    else:
        lsh.insert(row, sketch)
shared.write_kept(options, lines, keep)
shared.write_links(options, links)
